import { automatic, fits, offered } from './granularity.js';
import { LOCAL } from './times.js';

/**
 * A dataset as `/api/v1/datasets` lists it.
 * @typedef {object} Dataset
 * @property {string} name
 * @property {string[]} label
 * @property {number} partition
 * @property {string[]} granularities
 * @property {string[]} index
 * @property {string} [title]
 * @property {Record<string, { type: string, title?: string }>} measures
 */

/**
 * What the panels ask about: the state, completed from the dataset's declaration.
 * @typedef {object} View
 * @property {import('./state.js').State} state
 * @property {Dataset} dataset
 * @property {string[]} measures
 * @property {string} by the measure shown
 * @property {Condition[]} where conditions on the label
 * @property {string[]} group the attributes that labels are grouped by
 * @property {string[]} stored the granularities that can answer; empty if there are none
 * @property {string[]} granularities that can be chosen; empty if there are none
 * @property {string} granularity chosen; empty if there is none
 * @property {string} zone IANA name
 * @property {import('./api.js').Parameters} range parameters of the range
 * @property {number} seconds length of the range; 0 for all time
 * @property {import('./api.js').Parameters} common parameters of every query
 */

/**
 * What an attribute of the label must be.
 * @typedef {{ attribute: string, value: string }} Condition
 */

/** Why nothing can be asked about all labels. */
export const NOT_INDEXED = 'None of this dataset’s granularities is indexed: filter by a value of each attribute.';

/** @type {Record<string, number>} */
const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * @param {import('./state.js').State} state
 * @param {Dataset[]} datasets at least one
 * @returns {View}
 */
export function viewOf(state, datasets) {
  const dataset = datasets.find((one) => one.name === state.dataset) ?? datasets[0];
  const measures = Object.keys(dataset.measures);
  const where = state.where.map(conditionOf).filter(({ attribute }) => dataset.label.includes(attribute));
  const group = state.group.filter((attribute) => dataset.label.includes(attribute));
  // Labels with all values of the partition key are read from the table.
  const inTable = dataset.label.slice(0, dataset.partition).every((attribute) => where.some((one) => one.attribute === attribute));
  const stored = inTable ? dataset.granularities : dataset.index;
  const granularities = offered(stored);
  const timeless = granularities.length === 0 && dataset.granularities.every((name) => name === 'forever');
  const seconds = timeless ? 0 : rangeSeconds(state);
  const chosen = granularities.includes(state.granularity) && fits(state.granularity, seconds) ? state.granularity : '';
  return {
    state,
    dataset,
    measures,
    by: measures.includes(state.by) ? state.by : measures[0],
    where,
    group: group.length > 0 ? group : dataset.label,
    stored,
    granularities,
    granularity: chosen || (granularities.length === 0 ? '' : automatic(granularities, seconds)),
    zone: state.zone === 'local' ? LOCAL : 'UTC',
    range: timeless ? [] : rangeParameters(state),
    seconds,
    common: [...(state.tenant === '' ? [] : [/** @type {[string, string]} */ (['tenant', state.tenant])]),
      ...where.map((one) => /** @type {[string, string]} */ (['where', conditionText(one)]))],
  };
}

/** @param {import('./state.js').State} state */
function rangeSeconds(state) {
  if (state.last === 'all') {
    return 0;
  }
  if (state.last !== '') {
    return Number(state.last.slice(0, -1)) * UNITS[state.last.slice(-1)];
  }
  const to = state.to === '' ? Date.now() : Date.parse(state.to);
  const seconds = (to - Date.parse(state.from)) / 1_000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

/**
 * @param {import('./state.js').State} state
 * @returns {import('./api.js').Parameters}
 */
function rangeParameters(state) {
  if (state.last === 'all') {
    return [];
  }
  if (state.last !== '') {
    return [['last', state.last]];
  }
  /** @type {import('./api.js').Parameters} */
  const bounds = [['from', state.from], ['to', state.to]];
  return bounds.filter(([, value]) => value !== '');
}

/**
 * The zone as a parameter; UTC needs none.
 * @param {View} view
 * @returns {import('./api.js').Parameters}
 */
export function zoneOf(view) {
  return view.zone === 'UTC' ? [] : [['tz', view.zone]];
}

/**
 * @param {string} text
 * @returns {Condition}
 */
function conditionOf(text) {
  const colon = text.indexOf(':');
  return { attribute: text.slice(0, Math.max(0, colon)), value: text.slice(colon + 1) };
}

/** @param {Condition} condition */
export function conditionText({ attribute, value }) {
  return `${attribute}:${value}`;
}

/**
 * A measure as people call it.
 * @param {View} view
 * @param {string} measure
 */
export function titleOf(view, measure) {
  return view.dataset.measures[measure].title ?? measure;
}

/**
 * Which labels a view is about, for people.
 * @param {View} view
 */
export function scopeOf(view) {
  return view.where.length === 0 ? 'all labels' : view.where.map(({ value }) => labelText([value])).join(', ');
}

/**
 * What a dataset's labels consist of.
 * @param {Dataset} dataset
 */
export function labelName(dataset) {
  return dataset.label.join(' · ') || 'label';
}

/**
 * A label for people.
 * @param {string[]} values
 */
export function labelText(values) {
  return values.length === 0 ? '(all labels)' : values.map((value) => (value === '' ? '(empty)' : value)).join(' · ');
}
