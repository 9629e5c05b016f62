import { h, s, visible } from './dom.js';
import { amount, digits, start, tick } from './format.js';

const DAY = 86_400;
/** Seconds between ticks; months and years are 30 and 365 days to uPlot, which begins them by the calendar. */
const TICKS = [1, 5, 10, 15, 30, 60, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, DAY, 2 * DAY, 7 * DAY,
  14 * DAY, 30 * DAY, 90 * DAY, 180 * DAY, 365 * DAY, 730 * DAY, 1_825 * DAY, 3_650 * DAY];

/** Up to so many buckets are drawn as what they are: bars, or steps where there are several lines. */
const FEW = 80;

/** @import { Drawing } from './panel.js' @import { View } from './view.js' */
/**
 * @typedef {object} Chart
 * @property {string} title what it shows, for those who do not see it
 * @property {number[]} times starts of buckets in milliseconds, ascending, at least one
 * @property {number} end of the last bucket
 * @property {number} bucket its length in seconds, about
 * @property {{ name: string, values: any[], dashed?: boolean }[]} lines a value for each time; null where there is none
 * @property {boolean[]} partial which buckets lie only partly in the range
 * @property {boolean} stacked each line on those before it
 */

/** @type {WeakMap<Element, any>} */
const plots = new WeakMap();

/** Takes charts away that are no longer shown. @param {Element} within */
export function dispose(within) {
  within.querySelectorAll('.chart').forEach((element) => plots.get(element)?.destroy());
}

/**
 * Values over time. A pointer or the arrow keys move a cursor, whose values are read out; a range that is dragged over is
 * zoomed to. What is not over yet, or lies only partly in the range, is lighter.
 * @param {Chart} chart @param {View} view @param {Drawing} drawing
 */
export function timeChart(chart, view, drawing) {
  const { times, lines } = chart;
  const unit = view.unit(view.by);
  const over = [...times.slice(1), chart.end].filter((end) => end <= Date.now()).length;
  const element = h('div', { class: 'chart', role: 'img', tabindex: '0',
    'aria-label': `${chart.title}. Use the arrow keys to read values.` });
  const readout = h('p', { class: 'readout', 'aria-live': 'polite' });
  let at = times.length;
  const read = (/** @type {number?} */ index) => {
    if (index !== null && index !== undefined) {
      at = index;
      const [from, to] = [times[index], times[index + 1] ?? chart.end].map((time) => start(time, view.zone, chart.bucket));
      const part = index >= over ? ` (not over until ${to})` : chart.partial[index] ? ' (in part)' : '';
      readout.textContent = visible([from + part, ...lines.map((line) =>
        (lines.length === 1 ? '' : `${line.name}: `) + digits(line.values[index], unit))].join('  '));
    }
  };
  const plot = new uPlot(options(chart, view, drawing, read), data(chart, over), element);
  plots.set(element, plot);
  element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const page = Math.max(1, Math.round(times.length / 10));
    const last = times.length - 1;
    /** @type {Record<string, number>} */
    const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - page, PageDown: at + page, Home: 0, End: last };
    if (event.key in targets) {
      event.preventDefault();
      const target = Math.max(0, Math.min(last, targets[event.key]));
      plot.setCursor({ left: plot.valToPos(times[target] / 1_000, 'x'), top: 0 }, false);
      read(target);
    }
  });
  return h('figure', { class: 'figure' }, element, lines.length > 1 && legend(lines), readout);
}

/** @param {string} name of a color in the style sheet */
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** @param {Chart} chart @param {View} view @param {Drawing} drawing @param {(index: number?) => void} read */
function options(chart, { zone, unit, by }, { width, actions }, read) {
  const { times, end, bucket } = chart;
  /** @param {number} x seconds; the bucket that it is in */
  const within = (x) => Math.max(0, times.findLastIndex((time) => time <= x * 1_000));
  const grid = { stroke: color('rule'), width: 1 };
  const axis = { stroke: color('quiet'), grid, ticks: { show: false }, font: '11px system-ui' };
  return {
    width: Math.max(120, width),
    height: 240,
    tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => actions.back }, dataIdx: (/** @type {any[]} */ ...[, , , x]) => within(x) },
    scales: { x: { range: () => [times[0] / 1_000, end / 1_000] }, y: { range: fromZero } },
    axes: [
      { ...axis, size: 28, space: 64, incrs: TICKS.filter((tickSeconds) => tickSeconds >= Math.min(bucket, 365 * DAY) * 0.95),
        values: (/** @type {[any, number[], number, number, number]} */ ...[, at, , , step]) =>
          at.map((second) => tick(second * 1_000, zone, step)) },
      { ...axis, size: 64, values: (/** @type {[any, number[]]} */ ...[, at]) => at.map((value) => amount(value, unit(by))) },
    ],
    series: [{}, ...styled(chart)],
    hooks: {
      setCursor: [(/** @type {any} */ plot) => plot.cursor.left >= 0 && read(plot.cursor.idx)],
      setSelect: [(/** @type {any} */ plot) => {
        const { left, width: chosen } = plot.select;
        if (chosen > 4) {
          const last = within(plot.posToVal(left + chosen, 'x'));
          actions.zoom(times[within(plot.posToVal(left, 'x'))], times[last + 1] ?? end);
        }
      }],
    },
  };
}

/** @type {(plot: any, low: number | null, high: number | null) => [number, number]} */
function fromZero(_plot, low, high) {
  const [bottom, top] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  const room = (top - bottom) * 0.06 || 1;
  return [bottom < 0 ? bottom - room : 0, top > 0 || bottom === 0 ? top + room : 0];
}

/** @param {Chart} chart @returns {'bars' | 'steps' | 'lines'} */
function shapeOf({ times, lines, stacked }) {
  return stacked || (times.length <= FEW && lines.length > 1) ? 'steps' : times.length <= FEW ? 'bars' : 'lines';
}

/**
 * The columns that are drawn: of each line, the buckets that are over and whole, then the others. The end of the last bucket
 * is a place of its own, up to which steps go.
 * @param {Chart} chart @param {number} over how many buckets are over
 */
function data(chart, over) {
  const { times, end, lines, partial, stacked } = chart;
  const shape = shapeOf(chart);
  const sums = times.map(() => 0);
  const isLight = (/** @type {number} */ i) => i >= 0 && i < times.length && (i >= over || partial[i]);
  const columns = lines.map(({ values }) => values.map((value, i) => {
    const number = value === null ? null : Number(value);
    return stacked ? (sums[i] += number ?? 0) : number;
  }));
  const halves = (stacked ? columns.reverse() : columns).flatMap((column) => {
    const closed = shape === 'steps' ? [...column, column.at(-1)] : [...column, null];
    return [false, true].map((light) => closed.map((value, i) => (isLight(i) === light && i < times.length
      || (light && shape === 'lines' && (isLight(i - 1) || isLight(i + 1))) ? value
      : shape === 'steps' && i > 0 && isLight(i - 1) === light ? (closed[i - 1] ?? null) : null)));
  });
  return [[...times, end].map((time) => time / 1_000), ...halves];
}

/** How the columns are drawn. @param {Chart} chart */
function styled(chart) {
  const shape = shapeOf(chart);
  const { lines, stacked } = chart;
  const paths = { bars: uPlot.paths.bars({ align: 1, size: [0.85, 60] }), lines: uPlot.paths.linear(),
    steps: uPlot.paths.stepped({ align: 1, extendGap: true }) }[shape];
  const series = lines.map(({ dashed }, i) => [false, true].map((later) => {
    const stroke = color(`tone-${i % 6}`);
    const fill = stacked || shape === 'bars' ? stroke + (later ? '80' : '') : lines.length === 1 ? `${stroke}22` : undefined;
    return { stroke, width: shape === 'bars' ? 0 : 1.6, dash: later || dashed ? [4, 4] : [], fill, paths,
      points: { show: false, size: 4, fill: stroke, filter: (/** @type {any} */ plot, /** @type {number} */ column) =>
        (shape === 'lines' ? lone(plot.data[column]) : []) } };
  }));
  return (stacked ? series.reverse() : series).flat();
}

/** Values between two gaps, which no line would show. @param {(number | null)[]} values */
function lone(values) {
  const isGap = (/** @type {number} */ i) => (values[i] ?? null) === null;
  return values.flatMap((_value, i) => (!isGap(i) && isGap(i - 1) && isGap(i + 1) ? [i] : []));
}

/** @param {{ name: string, dashed?: boolean }[]} lines */
function legend(lines) {
  return h('ul', { class: 'legend' }, lines.map((line, i) => h('li', { class: `tone-${i % 6}` },
    s('svg', { width: 14, height: 10, 'aria-hidden': 'true' },
      s('path', { class: `line${line.dashed ? ' dashed' : ''}`, d: 'M0,5L14,5' })),
    h('span', {}, line.name))));
}

/** A small line without axes; gaps stay gaps. @param {any[]} values null where there is none @param {string} title */
export function sparkLine(values, title) {
  const numbers = values.filter((value) => value !== null).map(Number);
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const x = (/** @type {number} */ i) => (values.length === 1 ? 60 : (i / (values.length - 1)) * 120).toFixed(1);
  const y = (/** @type {any} */ value) => (27 - (value - low) / (high - low || 1) * 26).toFixed(1);
  const alone = lone(values);
  const drawn = values.map((value, i) => (value === null ? ''
    : `${(values[i - 1] ?? null) === null ? 'M' : 'L'}${x(i)},${y(value)}${alone.includes(i) ? 'h1' : ''}`)).join('');
  return s('svg', { class: 'spark tone-0', viewBox: '0 0 120 28', preserveAspectRatio: 'none', role: 'img',
    'aria-label': `${title}: at most ${amount(numbers.length === 0 ? null : Math.max(...numbers))}` },
  s('path', { class: 'line', d: drawn }));
}
