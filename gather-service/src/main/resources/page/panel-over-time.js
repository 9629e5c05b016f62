import { dataTable, number, text } from './data-table.js';
import { isNothing, seriesChart } from './series.js';
import { NOT_INDEXED, scopeOf, titleOf, zoneOf } from './view.js';

/** @type {import('./panel.js').PanelKind} */
export const overTime = {
  id: 'over-time',
  title: 'Everything over time',
  unavailable: (view) => (view.stored.length === 0 ? NOT_INDEXED : ''),
  load: async (ask, view) => {
    const [totals, series] = await Promise.all([
      // What is missing is said below.
      ask('totals', [...view.range, ...zoneOf(view), ['partial', 'true']]),
      view.granularity === '' ? null
        : ask('series', [['granularity', view.granularity], ...view.range, ['fill', 'zero'], ...zoneOf(view)]),
    ]);
    return { totals, points: series?.items ?? [] };
  },
  isEmpty: (data) => isNothing(data.totals) && data.points.every(isNothing),
  draw: (data, view, width) => [
    ...(data.points.length === 0 ? []
      : seriesChart(`${titleOf(view, view.by)} of ${scopeOf(view)} per ${view.granularity}`, data.points, view.by, view, width)),
    dataTable(`Totals of ${scopeOf(view)}`, ['measure', 'total'],
      view.measures.map((measure) => [text(titleOf(view, measure)), number(data.totals.measures[measure])])),
  ],
};
