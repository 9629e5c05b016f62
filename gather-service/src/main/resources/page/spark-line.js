import { s } from './dom.js';
import { compact } from './exact.js';

const WIDTH = 120;
const HEIGHT = 28;

/**
 * A small line without axes, from zero up.
 * @param {any[]} values null where there is none
 * @param {string} title
 */
export function sparkLine(values, title) {
  const numbers = values.map((value) => (value === null ? 0 : Number(value)));
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const points = numbers.map((value, i) => {
    const x = numbers.length === 1 ? WIDTH / 2 : (i / (numbers.length - 1)) * WIDTH;
    const y = high === low ? HEIGHT - 1 : 1 + (1 - (value - low) / (high - low)) * (HEIGHT - 2);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return s('svg', { class: 'spark tone-0', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img',
    'aria-label': `${title}: at most ${compact(high)}` }, s('polyline', { class: 'line', points: points.join(' ') }));
}
