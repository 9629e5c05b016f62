import { field, h, select } from './dom.js';
import { fits } from './granularity.js';
import { LOCAL, instant, localText } from './times.js';
import { labelText, titleOf } from './view.js';

const RANGES = [['1h', 'last hour'], ['6h', 'last 6 hours'], ['24h', 'last 24 hours'], ['7d', 'last 7 days'],
  ['14d', 'last 14 days'], ['30d', 'last 30 days'], ['90d', 'last 90 days'], ['365d', 'last 365 days'], ['today', 'today'], ['yesterday', 'yesterday'],
  ['this-week', 'this week'], ['this-month', 'this month'], ['last-month', 'last month'], ['this-year', 'this year'], ['all', 'all time']];
const REFRESHES = [['', 'never'], ['10s', 'every 10 s'], ['1m', 'every minute'], ['live', 'live']];

/**
 * The bar above the panels.
 * @param {import('./view.js').View} view
 * @param {import('./view.js').Dataset[]} datasets
 * @param {boolean} tenants whether there may be others
 * @param {(change: Partial<import('./state.js').State>) => void} change
 */
export function controls(view, datasets, tenants, change) {
  const { state } = view;
  return [
    field('Dataset', select('dataset', datasets.map(({ name, title }) => ({ value: name, text: title ?? name })), view.dataset.name,
      (dataset) => change({ dataset, by: '', granularity: '', lines: '', where: [], group: [] }))),
    field('Measure', select('by', view.measures.map((value) => ({ value, text: titleOf(view, value) })), view.by, (by) => change({ by }))),
    field('Range', rangeSelect(view, change)),
    ...(state.last === '' ? [bound('From', 'from', view, change), bound('To', 'to', view, change)] : []),
    field('Granularity', select('granularity', [{ value: '', text: `automatic (${view.granularity || 'none'})` },
      ...view.granularities.map((name) => ({ ...option(name), disabled: !fits(name, view.seconds) }))],
    view.granularities.includes(state.granularity) ? state.granularity : '', (granularity) => change({ granularity }))),
    field('Time zone', select('zone', [{ value: 'utc', text: 'UTC' }, { value: 'local', text: LOCAL }], state.zone,
      (zone) => change({ zone }))),
    field('Refresh', select('refresh', REFRESHES.map(([value, text]) => ({ value, text })), state.refresh, (refresh) => change({ refresh }))),
    tenants && field('Tenant', h('input', { type: 'text', name: 'tenant', size: '8', value: state.tenant, autocomplete: 'off',
      placeholder: 'default', change: (/** @type {any} */ event) => change({ tenant: event.target.value.trim() }) })),
  ];
}

/**
 * The conditions, each with a button that removes it, and fields for another.
 * @param {import('./view.js').View} view
 * @param {import('./panel.js').Actions} actions
 */
export function filters(view, actions) {
  if (view.dataset.label.length === 0) {
    return [];
  }
  const attribute = select('attribute', view.dataset.label.map(option), view.dataset.label[0], () => {});
  const value = h('input', { type: 'text', name: 'value', autocomplete: 'off', spellcheck: 'false' });
  return [
    h('ul', { class: 'chips', 'aria-label': 'Filters' }, view.where.map((condition) => h('li', {}, h('button', { type: 'button',
      class: 'chip', 'aria-label': `Remove the filter ${condition.attribute}: ${labelText([condition.value])}`,
      click: () => actions.filter(condition) }, `${condition.attribute}: ${labelText([condition.value])} ×`)))),
    h('form', { class: 'fields', submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      actions.filter({ attribute: attribute.value, value: value.value });
    } }, field('Only', attribute), field('with the value', value), h('button', {}, 'Filter')),
    view.dataset.label.length > 1 && h('fieldset', { class: 'fields' }, h('legend', {}, 'List together'), view.dataset.label.map((name) =>
      field(name, h('input', { type: 'checkbox', name: `group-${name}`, checked: view.group.includes(name), change: (/** @type {any} */ event) =>
        actions.change({ group: view.dataset.label.filter((one) => (one === name ? event.target.checked : view.group.includes(one))) }) })))),
  ].filter((node) => node !== false);
}

/** @param {string} value */
function option(value) {
  return { value, text: value };
}

/**
 * @param {import('./view.js').View} view
 * @param {(change: Partial<import('./state.js').State>) => void} change
 */
function rangeSelect(view, change) {
  const { last } = view.state;
  const known = RANGES.some(([value]) => value === last) || last === '';
  const options = [...(known ? [] : [{ value: last, text: `last ${last}` }]),
    ...RANGES.map(([value, text]) => ({ value, text })), { value: '', text: 'from … to …' }];
  return select('last', options, last, (value) => {
    const now = Date.now();
    const bounds = value === '' ? { from: rounded(now - (view.seconds || 86_400) * 1_000), to: rounded(now + 60_000) }
      : { from: '', to: '' };
    change({ last: value, ...bounds });
  });
}

/** @param {number} millis */
function rounded(millis) {
  return new Date(Math.floor(millis / 60_000) * 60_000).toISOString().replace('.000Z', 'Z');
}

/**
 * A field that counts once it is left, or with Enter: Chromium reports a `change` for every digit typed.
 * @param {string} text
 * @param {'from' | 'to'} name
 * @param {import('./view.js').View} view
 * @param {(change: Partial<import('./state.js').State>) => void} change
 */
function bound(text, name, view, change) {
  const shown = localText(view.state[name], view.zone);
  const input = h('input', { type: 'datetime-local', name, value: shown,
    keydown: (/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && commit(),
    blur: (/** @type {FocusEvent} */ event) => leave(event.relatedTarget) });

  /**
   * Counts after the focus has arrived, as the bar is replaced: a control that is being pressed must stay until it has
   * done what it is for.
   * @param {EventTarget | null} to
   */
  function leave(to) {
    if (to instanceof HTMLButtonElement) {
      to.addEventListener('click', commit, { capture: true, once: true });
    } else if (to instanceof HTMLSelectElement) {
      to.addEventListener('change', commit, { capture: true, once: true });
      to.addEventListener('blur', () => setTimeout(commit), { once: true });
    } else {
      setTimeout(commit);
    }
  }

  function commit() {
    // A field that is no longer on the page was left because the bar was replaced.
    if (input.isConnected && input.value !== shown) {
      change({ [name]: instant(input.value, view.zone) });
    }
  }
  return field(text, input);
}
