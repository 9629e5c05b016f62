import { isNothing, seriesChart } from './series.js';
import { zoneOf } from './view.js';

/** Why a panel over time and all labels has nothing to ask. */
export const NOT_INDEXED = 'None of this dataset’s granularities is indexed, so only single labels can be queried.';

/** @param {import('./view.js').View} view */
export function needsIndex(view) {
  return view.granularity === '' ? NOT_INDEXED : '';
}

/** @type {import('./panel.js').PanelKind} */
export const overTime = {
  id: 'over-time',
  title: 'Everything over time',
  unavailable: needsIndex,
  load: async (ask, view) => (await ask('series',
    [['granularity', view.granularity], ...view.range, ['fill', 'zero'], ...zoneOf(view)])).items,
  isEmpty: (points) => points.every(isNothing),
  draw: (points, view, width) => seriesChart(`${view.by} of all labels per ${view.granularity}`, points, view.by, view, width),
};
