import { h, s, visible } from './dom.js';
import { compact, digits } from './exact.js';
import { roundTimes, roundValues } from './scale.js';

const MARGIN = { top: 10, right: 12, bottom: 24, left: 48 };
const MARK_WIDTH = 90;
const VALUE_MARKS = 4;

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {number} tone which color, from 0
 * @property {any[]} values one for each time; null where there is none
 */

/**
 * @typedef {object} Chart
 * @property {string} title what it shows, for those who do not see it
 * @property {number[]} times milliseconds, ascending
 * @property {Line[]} lines the first one has its area filled
 * @property {number} width pixels
 * @property {number} height pixels
 * @property {string} zone
 * @property {(time: number, step: number) => string} mark text of an axis mark
 * @property {(index: number) => string} text what a point's place is called
 */

/**
 * Lines over time. A pointer or the arrow keys move a cursor, whose values are read out.
 * @param {Chart} chart
 */
export function lineChart(chart) {
  const inner = { width: Math.max(60, chart.width - MARGIN.left - MARGIN.right),
    height: chart.height - MARGIN.top - MARGIN.bottom };
  const numbers = chart.lines.flatMap((line) => line.values.filter((value) => value !== null).map(Number));
  const marks = roundValues(Math.min(0, ...numbers), Math.max(0, ...numbers), VALUE_MARKS);
  const [bottom, top] = [marks[0], marks[marks.length - 1]];
  const [first, last] = [chart.times[0], chart.times[chart.times.length - 1]];
  /** @param {number} time */
  const x = (time) => MARGIN.left + (last === first ? inner.width / 2 : ((time - first) / (last - first)) * inner.width);
  /** @param {number} value */
  const y = (value) => MARGIN.top + (1 - (value - bottom) / (top - bottom)) * inner.height;

  const cursor = s('line', { class: 'cursor', y1: MARGIN.top, y2: MARGIN.top + inner.height, visibility: 'hidden' });
  const svg = s('svg', { class: 'chart', width: chart.width, height: chart.height, role: 'img', tabindex: '0',
    'aria-label': `${chart.title}. Use the arrow keys to read values.` },
  valueAxis(marks, y, chart.width), timeAxis(chart, x, inner.width),
  chart.lines.map((line, i) => drawn(line, chart.times, x, y, i === 0 ? y(Math.max(0, bottom)) : null)).reverse(), cursor);
  const readout = h('p', { class: 'readout', 'aria-live': 'polite' });
  moveable(svg, chart, x, (index) => {
    cursor.setAttribute('x1', x(chart.times[index]));
    cursor.setAttribute('x2', x(chart.times[index]));
    cursor.setAttribute('visibility', 'visible');
    readout.textContent = visible([chart.text(index), ...chart.lines.map((line) =>
      (chart.lines.length === 1 ? '' : `${line.name}: `) + digits(line.values[index]))].join('  '));
  });
  return h('figure', { class: 'figure' }, svg, chart.lines.length > 1 && legend(chart.lines), readout);
}

/**
 * @param {number[]} marks
 * @param {(value: number) => number} y
 * @param {number} width
 */
function valueAxis(marks, y, width) {
  return s('g', { class: 'axis' }, marks.map((mark) => [
    s('line', { x1: MARGIN.left, x2: width - MARGIN.right, y1: y(mark), y2: y(mark) }),
    s('text', { x: MARGIN.left - 6, y: y(mark) + 4, 'text-anchor': 'end' }, compact(mark)),
  ]).flat());
}

/**
 * @param {Chart} chart
 * @param {(time: number) => number} x
 * @param {number} width
 */
function timeAxis(chart, x, width) {
  const { times, step } = roundTimes(chart.times[0], chart.times[chart.times.length - 1],
    Math.max(2, Math.floor(width / MARK_WIDTH)), chart.zone);
  return s('g', { class: 'axis' }, times.map((time) => s('text', { x: x(time), y: chart.height - 6,
    'text-anchor': 'middle' }, chart.mark(time, step))));
}

/**
 * One line, broken where there is no value; a point between two gaps is a dot.
 * @param {Line} line
 * @param {number[]} times
 * @param {(time: number) => number} x
 * @param {(value: number) => number} y
 * @param {number | null} base where its area ends; null for no area
 */
function drawn(line, times, x, y, base) {
  /** @type {[number, number][][]} */
  const runs = [[]];
  line.values.forEach((value, i) => {
    if (value === null) {
      runs.push([]);
    } else {
      runs[runs.length - 1].push([x(times[i]), y(Number(value))]);
    }
  });
  const tone = `tone-${line.tone % 10}`;
  return s('g', { class: tone }, runs.filter((run) => run.length > 0).map((run) => {
    const path = run.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join('L');
    if (run.length === 1) {
      return s('circle', { class: 'dot', cx: run[0][0], cy: run[0][1], r: 3 });
    }
    return [
      base !== null && s('path', { class: 'area', d: `M${run[0][0]},${base}L${path}L${run[run.length - 1][0]},${base}Z` }),
      s('path', { class: 'line', d: `M${path}` }),
    ];
  }).flat());
}

/** @param {Line[]} lines */
function legend(lines) {
  return h('ul', { class: 'legend' }, lines.map((line) => h('li', { class: `tone-${line.tone % 10}` },
    s('svg', { width: 14, height: 10, 'aria-hidden': 'true' }, s('path', { class: 'line', d: 'M0,5L14,5' })),
    h('span', {}, line.name))));
}

/**
 * @param {SVGElement} svg
 * @param {Chart} chart
 * @param {(time: number) => number} x
 * @param {(index: number) => void} moved
 */
function moveable(svg, chart, x, moved) {
  let at = chart.times.length;
  /** @param {number} index */
  const move = (index) => {
    at = Math.max(0, Math.min(chart.times.length - 1, index));
    moved(at);
  };
  svg.addEventListener('pointermove', (event) => {
    const place = event.clientX - svg.getBoundingClientRect().left;
    let nearest = 0;
    chart.times.forEach((time, i) => {
      nearest = Math.abs(x(time) - place) < Math.abs(x(chart.times[nearest]) - place) ? i : nearest;
    });
    move(nearest);
  });
  svg.addEventListener('keydown', (event) => {
    const page = Math.max(1, Math.round(chart.times.length / 10));
    /** @type {Record<string, number>} */
    const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - page, PageDown: at + page, Home: 0,
      End: chart.times.length - 1 };
    if (event.key in targets) {
      event.preventDefault();
      move(targets[event.key]);
    }
  });
}
