// What is shown, as the fragment of the page's address: it can be shared, and labels reach no server's log.

/**
 * @typedef {object} State
 * @property {string} dataset empty for the first
 * @property {string} by the measure; empty for the first
 * @property {string} last a range that ends now, such as `6h`; a period, such as `today`; `all`; or empty with `from` and `to`
 * @property {string} from RFC 3339
 * @property {string} to RFC 3339
 * @property {string} granularity empty for one that fits the range
 * @property {string} zone `utc` or `local`
 * @property {string} against what the period is compared with; empty for the one before it, in numbers only
 * @property {string} lines the attribute whose largest values have a line each; empty for one line
 * @property {string} stacked `on` or empty
 * @property {string} tenant
 * @property {string} refresh how often to ask again: `10s`, `1m`, `live` (as buckets change), or empty for never
 * @property {string[]} where conditions on the label, each `attribute:value`
 * @property {string[]} group attributes whose values are listed together; none to list each attribute
 */

/** @type {Omit<State, 'where' | 'group'>} */
const DEFAULTS = {
  dataset: '', by: '', last: '24h', from: '', to: '', granularity: '', zone: 'utc', against: '', lines: '', stacked: '', tenant: '', refresh: '',
};

const LAST = /^(all|today|yesterday|this-week|this-month|last-month|this-year|[0-9]{1,6}[smhdw])?$/;

/**
 * @param {string} fragment with or without `#`
 * @returns {State}
 */
export function read(fragment) {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  /** @type {any} */
  const state = { ...DEFAULTS, where: values.getAll('where'), group: values.getAll('group') };
  for (const name of Object.keys(DEFAULTS)) {
    state[name] = values.get(name) ?? state[name];
  }
  if (!LAST.test(state.last) || (state.last === '' && state.from === '' && state.to === '')) {
    state.last = DEFAULTS.last;
  }
  if (state.zone !== 'local') {
    state.zone = 'utc';
  }
  return state;
}

/**
 * The fragment without `#`; what is as by default is left out.
 * @param {State} state
 */
export function write(state) {
  const values = new URLSearchParams();
  for (const [name, absent] of Object.entries(DEFAULTS)) {
    const value = /** @type {any} */ (state)[name];
    if (value !== absent) {
      values.set(name, value);
    }
  }
  for (const condition of state.where) {
    values.append('where', condition);
  }
  for (const attribute of state.group) {
    values.append('group', attribute);
  }
  return values.toString();
}
