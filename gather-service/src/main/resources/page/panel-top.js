import { dataTable, element, number } from './data-table.js';
import { field, h, select } from './dom.js';
import { byLabel } from './series.js';
import { sparkLine } from './spark-line.js';
import { NOT_INDEXED } from './panel-over-time.js';
import { labelName, labelText, zoneOf } from './view.js';

const N = '10';

/**
 * @param {import('./view.js').View} view
 * @returns {import('./api.js').Parameters}
 */
function groups(view) {
  const attributes = view.dataset.label.slice(0, Number(view.state.depth));
  return view.state.depth === '' ? [] : attributes.map((attribute) => ['groupBy', attribute]);
}

/**
 * A button that breaks a label down.
 * @param {string[]} label
 * @param {import('./panel.js').Actions} actions
 */
export function labelButton(label, actions) {
  return h('button', { type: 'button', class: 'label', title: 'Break down', click: () => actions.change({ label }) },
    labelText(label));
}

/** @type {import('./panel.js').PanelKind} */
export const top = {
  id: 'top',
  title: 'Top labels',
  unavailable: (view) => (view.dataset.index.length === 0 ? NOT_INDEXED : ''),
  controlled: (view) => [view.state.depth],
  controls: (view, actions) => (view.dataset.label.length <= 1 ? null : field('Group by', select('depth',
    view.dataset.label.map((_attribute, i) => ({ value: i + 1 === view.dataset.label.length ? '' : String(i + 1),
      text: view.dataset.label.slice(0, i + 1).join(', ') })), view.state.depth, (depth) => actions.change({ depth })))),
  load: async (ask, view) => {
    /** @type {import('./api.js').Parameters} */
    const asked = [['by', view.by], ['n', N], ...groups(view), ...view.range];
    const list = ask('top', asked);
    const series = view.granularity === '' ? null
      : ask('series', [['granularity', view.granularity], ['group', 'top'], ...asked, ['fill', 'zero'], ...zoneOf(view)]);
    const [{ items }, lines] = await Promise.all([list, series]);
    return { items, lines: byLabel(lines?.items ?? []) };
  },
  isEmpty: (data) => data.items.length === 0,
  draw: (data, view, _width, actions) => [dataTable(`Labels with the most ${view.by}`,
    [labelName(view.dataset), ...(data.lines.size > 0 ? [`per ${view.granularity}`] : []), ...view.measures],
    data.items.map((/** @type {any} */ item) => {
      const points = data.lines.get(JSON.stringify(item.label)) ?? [];
      return [element(labelButton(item.label, actions)),
        ...(data.lines.size > 0 ? [element(sparkLine(points.map((/** @type {any} */ point) => point.measures[view.by] ?? null),
          `${view.by} per ${view.granularity}`))] : []),
        ...view.measures.map((measure) => number(item.measures[measure] ?? null))];
    }))],
};
