import { heatMap } from './heat-map.js';
import { seconds } from './granularity.js';
import { isNothing } from './series.js';
import { NOT_INDEXED, zoneOf } from './view.js';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

/** @type {import('./panel.js').PanelKind} */
export const week = {
  id: 'week',
  title: 'Hours of the week',
  unavailable: (view) => {
    if (view.granularity === '') {
      return NOT_INDEXED;
    }
    return view.stored.some((name) => seconds(name) <= 3_600) ? ''
      : 'None of the granularities that can be read is an hour or shorter.';
  },
  load: async (ask, view) => (await ask('busiest',
    [['profile', 'hour-of-week'], ['by', view.by], ...view.range, ...zoneOf(view)])).items,
  isEmpty: (slots) => slots.every(isNothing),
  draw: (slots, view) => {
    /** @type {Map<number, any>} */
    const values = new Map(slots.map((/** @type {any} */ slot) => [(slot.day - 1) * 24 + slot.hour, slot.measures[view.by]]));
    return [heatMap({ caption: `${view.by} by hour of the week, ${view.zone}`, corner: 'day', rows: DAYS, columns: HOURS,
      value: (row, column) => values.get(row * 24 + column) ?? null })];
  },
};
