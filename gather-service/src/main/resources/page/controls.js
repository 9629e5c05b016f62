import { button, checkbox, choice, field, h } from './dom.js';
import { LOCAL, instantOf, rfc3339, start } from './format.js';
import { fits, labelText } from './view.js';

/** @import { Actions } from './panel.js' @import { Dataset, View } from './view.js' */
/** @import { Options } from './dom.js' */

/** @type {Options} */
const RANGES = [['1h', 'last hour'], ['6h', 'last 6 hours'], ['24h', 'last 24 hours'], ['7d', 'last 7 days'],
  ['14d', 'last 14 days'], ['30d', 'last 30 days'], ['90d', 'last 90 days'], ['365d', 'last 365 days'], ['today', 'today'],
  ['yesterday', 'yesterday'], ['this-week', 'this week'], ['this-month', 'this month'], ['last-month', 'last month'],
  ['this-year', 'this year'], ['all', 'all time'], ['', 'from … to …']];
/** @type {Options} */
const REFRESHES = [['', 'never'], ['10s', 'every 10 s'], ['1m', 'every minute'], ['live', 'live']];

/** What is in the bar. @param {View} view @param {Dataset[]} datasets @param {boolean} tenants @param {Actions} actions */
export function controls(view, datasets, tenants, { change }) {
  const { state, granularities } = view;
  const { last } = state;
  /** @type {Options} */
  const ranges = RANGES.some(([value]) => value === last) ? RANGES : [[last, `last ${last}`], ...RANGES];
  return [
    choice('Dataset', 'dataset', datasets.map(({ name, title }) => [name, title ?? name]), view.dataset.name,
      (dataset) => change({ dataset, by: '', granularity: '', lines: '', where: [], group: [] })),
    choice('Measure', 'by', view.measures.map((measure) => [measure, view.title(measure)]), view.by, (by) => change({ by })),
    choice('Range', 'last', ranges, last,
      (value) => change({ last: value, ...(value === '' ? boundsOf(view) : { from: '', to: '' }) })),
    ...(last === '' ? [bound('From', 'from', view, change), bound('To', 'to', view, change)] : []),
    choice('Granularity', 'granularity', [['', `automatic (${view.granularity || 'none'})`],
      .../** @type {Options} */ (granularities.map((name) => [name, name, !fits(name, view.seconds)]))],
    granularities.includes(state.granularity) ? state.granularity : '', (granularity) => change({ granularity })),
    choice('Time zone', 'zone', [['utc', 'UTC'], ['local', LOCAL]], state.zone, (zone) => change({ zone })),
    choice('Refresh', 'refresh', REFRESHES, state.refresh, (refresh) => change({ refresh })),
    tenants && field('Tenant', h('input', { type: 'text', name: 'tenant', size: '8', value: state.tenant, autocomplete: 'off',
      placeholder: 'default', change: ({ target }) => change({ tenant: target.value.trim() }) })),
  ];
}

/** The conditions, each with a button that removes it, and fields for another. @param {View} view @param {Actions} actions */
export function filters(view, actions) {
  const { label } = view.dataset;
  if (label.length === 0) {
    return [];
  }
  const form = h('form', { class: 'fields', submit: (event) => {
    event.preventDefault();
    actions.filter({ attribute: form.elements.attribute.value, value: form.elements.value.value });
  } }, choice('Only', 'attribute', label.map((name) => [name, name]), label[0]),
  field('with the value', h('input', { type: 'text', name: 'value', autocomplete: 'off', spellcheck: 'false' })),
  h('button', {}, 'Filter'));
  return [
    h('ul', { class: 'chips', 'aria-label': 'Filters' }, view.where.map((condition) => {
      const text = `${condition.attribute}: ${labelText([condition.value])}`;
      return h('li', {}, button({ class: 'chip', 'aria-label': `Remove the filter ${text}` },
        () => actions.filter(condition), `${text} ×`));
    })),
    form,
    ...(label.length > 1 ? [h('fieldset', { class: 'fields' }, h('legend', {}, 'List together'), label.map((name) =>
      checkbox(name, `group-${name}`, view.group.includes(name), (checked) =>
        actions.change({ group: label.filter((one) => (one === name ? checked : view.group.includes(one))) }))))] : []),
  ];
}

/** The range shown, as two times of whole minutes. @param {View} view */
function boundsOf({ seconds }) {
  const [from, to] = [Date.now() - (seconds || 86_400) * 1_000, Date.now() + 60_000]
    .map((time) => rfc3339(Math.floor(time / 60_000) * 60_000));
  return { from, to };
}

/**
 * A field that counts once it is left, or with Enter: Chromium reports a `change` for every digit typed.
 * @param {string} title @param {'from' | 'to'} name @param {View} view @param {Actions['change']} change
 */
function bound(title, name, view, change) {
  const time = view.state[name];
  const shown = Number.isNaN(Date.parse(time)) ? '' : start(time, view.zone, 60).replace(' ', 'T');
  const other = view.state[name === 'from' ? 'to' : 'from'];
  const commit = () => {
    // A field that is no longer on the page was left because the bar was replaced.
    if (input.isConnected && input.value !== shown) {
      const clock = Date.parse(`${input.value}Z`);
      const value = Number.isNaN(clock) ? '' : rfc3339(instantOf(clock, view.zone));
      // An address without a range is one of the last 24 hours.
      change({ [name]: value, ...(value === '' && other === '' && { last: 'all' }) });
    }
  };
  // Counts after the focus has arrived, as the bar is replaced: a control that is being pressed must stay until it has done
  // what it is for.
  const leave = (/** @type {EventTarget | null} */ to) => {
    if (to instanceof HTMLButtonElement) {
      to.addEventListener('click', commit, { capture: true, once: true });
    } else if (to instanceof HTMLSelectElement) {
      to.addEventListener('change', commit, { capture: true, once: true });
      to.addEventListener('blur', () => setTimeout(commit), { once: true });
    } else {
      setTimeout(commit);
    }
  };
  const input = h('input', { type: 'datetime-local', name, value: shown,
    keydown: ({ key }) => key === 'Enter' && commit(), blur: ({ relatedTarget }) => leave(relatedTarget) });
  return field(title, input);
}
