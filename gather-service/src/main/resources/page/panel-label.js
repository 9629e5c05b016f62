import { dataTable, element, number, text } from './data-table.js';
import { field, h } from './dom.js';
import { labelButton } from './panel-top.js';
import { seriesChart } from './series.js';
import { labelOf, labelText, zoneOf } from './view.js';

const N = '10';

/** @param {import('./view.js').View} view */
function isWhole(view) {
  return view.state.label.length === view.dataset.label.length;
}

/** @type {import('./panel.js').PanelKind} */
export const label = {
  id: 'label',
  title: 'One label',
  unavailable: (view) => {
    if (view.dataset.label.length === 0) {
      return 'This dataset has one series, without a label.';
    }
    if (view.state.label.length === 0 || view.state.label.length > view.dataset.label.length) {
      return 'Choose a label above, or type one.';
    }
    return view.dataset.index.length === 0 && !isWhole(view)
      ? 'This dataset has no index: type a value for each attribute.' : '';
  },
  controlled: (view) => [view.state.label],
  controls: (view, actions) => {
    if (view.dataset.label.length === 0) {
      return null;
    }
    const inputs = view.dataset.label.map((_attribute, i) => h('input', { type: 'text', value: view.state.label[i] ?? '',
      autocomplete: 'off', spellcheck: 'false' }));
    return h('form', { class: 'label-form', submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const values = inputs.map((input) => input.value);
      // Fewer values stand for all labels that begin so.
      while (values.length > 0 && values[values.length - 1] === '') {
        values.pop();
      }
      actions.change({ label: values });
    } }, inputs.map((input, i) => field(view.dataset.label[i], input)), h('button', {}, 'Show'),
    view.state.label.length > 0 && h('button', { type: 'button', click: () => actions.change({ label: [] }) }, 'Clear'));
  },
  load: async (ask, view) => {
    const chosen = labelOf(view.state.label);
    const [totals, series, next] = await Promise.all([
      ask('totals', [...chosen, ...view.range]),
      view.granularity === '' ? null
        : ask('series', [...chosen, ['granularity', view.granularity], ...view.range, ['fill', 'zero'], ...zoneOf(view)]),
      isWhole(view) ? null : ask('top', [...chosen, ...nextGroups(view), ['by', view.by], ['n', N], ...view.range]),
    ]);
    return { totals: totals.measures, points: series?.items ?? [], next: next?.items ?? [] };
  },
  isEmpty: () => false,
  draw: (data, view, width, actions) => {
    const name = labelText(view.state.label);
    return [
      h('h3', {}, name),
      dataTable(`Totals of ${name}`, ['measure', 'total'],
        view.measures.map((measure) => [text(measure), number(data.totals[measure])])),
      ...(data.points.length === 0 ? [] : view.measures.filter((measure) => data.points.some(
        (/** @type {any} */ point) => (point.measures[measure] ?? null) !== null)).flatMap((measure) => [h('h4', {}, measure),
        ...seriesChart(`${measure} of ${name} per ${view.granularity}`, data.points, measure, view, width)])),
      data.next.length === 0 ? null : dataTable(`The largest in ${name}`,
        [view.dataset.label[view.state.label.length], ...view.measures],
        data.next.map((/** @type {any} */ item) => [element(labelButton(item.label, actions)),
          ...view.measures.map((measure) => number(item.measures[measure] ?? null))])),
    ];
  },
};

/**
 * Groups by one attribute more than is chosen.
 * @param {import('./view.js').View} view
 * @returns {import('./api.js').Parameters}
 */
function nextGroups(view) {
  return view.dataset.label.slice(0, view.state.label.length + 1).map((attribute) => ['groupBy', attribute]);
}
