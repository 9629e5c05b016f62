import { dataTable, element, number } from './data-table.js';
import { field, h } from './dom.js';
import { byLabel } from './series.js';
import { sparkLine } from './spark-line.js';
import { NOT_INDEXED, labelText, titleOf, zoneOf } from './view.js';

const N = '10';

/**
 * @param {import('./view.js').View} view
 * @returns {import('./api.js').Parameters}
 */
function groups(view) {
  return view.state.group.length === 0 ? [] : view.group.map((attribute) => ['groupBy', attribute]);
}

/**
 * The values of a label, each a button that filters by it.
 * @param {string[]} attributes
 * @param {string[]} label
 * @param {import('./panel.js').Actions} actions
 */
export function valueButtons(attributes, label, actions) {
  return h('span', {}, label.length === 0 ? labelText(label) : label.flatMap((value, i) => [i === 0 ? null : ' · ',
    h('button', { type: 'button', class: 'label', title: `Only ${attributes[i]} ${labelText([value])}`,
      click: () => actions.filter({ attribute: attributes[i], value }, true) }, labelText([value]))]));
}

/** @type {import('./panel.js').PanelKind} */
export const top = {
  id: 'top',
  title: 'Top labels',
  unavailable: (view) => (view.stored.length === 0 ? NOT_INDEXED : ''),
  controlled: (view) => [view.group],
  controls: (view, actions) => (view.dataset.label.length <= 1 ? null : h('fieldset', { class: 'fields' },
    h('legend', {}, 'Group by'), view.dataset.label.map((attribute) => field(attribute, h('input', { type: 'checkbox',
      name: `group-${attribute}`, checked: view.group.includes(attribute), change: (/** @type {any} */ event) => {
        const chosen = view.dataset.label.filter((one) => (one === attribute ? event.target.checked : view.group.includes(one)));
        actions.change({ group: chosen.length === view.dataset.label.length ? [] : chosen });
      } }))))),
  load: async (ask, view) => {
    /** @type {import('./api.js').Parameters} */
    const asked = [['by', view.by], ['n', N], ...groups(view), ...view.range, ...zoneOf(view)];
    const list = ask('top', asked);
    const series = view.granularity === '' ? null
      : ask('series', [['granularity', view.granularity], ['group', 'top'], ...asked, ['fill', 'zero']]);
    const [{ items }, lines] = await Promise.all([list, series]);
    return { items, lines: byLabel(lines?.items ?? []) };
  },
  isEmpty: (data) => data.items.length === 0,
  draw: (data, view, _width, actions) => [dataTable(`Labels with the most ${titleOf(view, view.by)}`,
    [view.group.join(' · ') || 'label', ...(data.lines.size > 0 ? [`per ${view.granularity}`] : []), ...view.measures.map((measure) => titleOf(view, measure))],
    data.items.map((/** @type {any} */ item) => {
      const points = data.lines.get(JSON.stringify(item.label)) ?? [];
      return [element(valueButtons(view.group, item.label, actions)),
        ...(data.lines.size > 0 ? [element(sparkLine(points.map((/** @type {any} */ point) => point.measures[view.by] ?? null),
          `${view.by} per ${view.granularity}`))] : []),
        ...view.measures.map((measure) => number(item.measures[measure] ?? null))];
    }))],
};
