import { foldedTable, number, text } from './data-table.js';
import { seconds } from './granularity.js';
import { lineChart } from './line-chart.js';
import { start, tick } from './times.js';

/**
 * An item of a series.
 * @typedef {{ label: string[], other?: boolean, start: string, measures: Record<string, any> }} Point
 */

/**
 * Whether nothing was counted: filled buckets have sums of 0.
 * @param {{ measures: Record<string, any> }} item
 */
export function isNothing(item) {
  return Object.values(item.measures).every((value) => value === null || Number(value) === 0);
}

/**
 * One measure of a series as a chart, and all measures as a table.
 * @param {string} title
 * @param {Point[]} points at least one
 * @param {string} measure
 * @param {import('./view.js').View} view
 * @param {number} width
 */
export function seriesChart(title, points, measure, view, width) {
  const bucket = seconds(view.granularity);
  /** @param {number} i */
  const name = (i) => start(points[i].start, view.zone, bucket);
  return [
    lineChart({
      title,
      times: points.map((point) => Date.parse(point.start)),
      lines: [{ name: measure, tone: 0, values: points.map((point) => point.measures[measure] ?? null) }],
      width,
      height: 220,
      zone: view.zone,
      mark: (time, step) => tick(time, view.zone, step),
      text: name,
    }),
    foldedTable(title, ['start', ...view.measures], () => points.map((point, i) => [text(name(i)),
      ...view.measures.map((one) => number(point.measures[one] ?? null))])),
  ];
}

/**
 * The series of an answer with several, by label.
 * @param {Point[]} points
 * @returns {Map<string, Point[]>} by the label's JSON
 */
export function byLabel(points) {
  /** @type {Map<string, Point[]>} */
  const series = new Map();
  for (const point of points) {
    const key = JSON.stringify(point.label);
    const own = series.get(key) ?? [];
    own.push(point);
    series.set(key, own);
  }
  return series;
}
