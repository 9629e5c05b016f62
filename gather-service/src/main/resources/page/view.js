import { automatic, fits, offered } from './granularity.js';
import { LOCAL, offset } from './times.js';

/**
 * A dataset as `/api/v1/datasets` lists it.
 * @typedef {object} Dataset
 * @property {string} name
 * @property {string[]} label
 * @property {number} partition
 * @property {string[]} granularities
 * @property {string[]} index
 * @property {string} [title]
 * @property {string} [description]
 * @property {Record<string, { type: string, title?: string, description?: string, unit?: string }>} measures
 */

/**
 * What the panels ask about: the state, completed from the dataset's declaration.
 * @typedef {object} View
 * @property {import('./state.js').State} state
 * @property {Dataset} dataset
 * @property {string[]} measures
 * @property {string} by the measure shown
 * @property {Condition[]} where conditions on the label
 * @property {string[]} group attributes whose values are listed together; none to list each attribute
 * @property {string[]} stored the granularities that can answer; empty if there are none
 * @property {string[]} granularities that can be chosen; empty if there are none
 * @property {string} granularity chosen; empty if there is none
 * @property {string} zone IANA name
 * @property {import('./api.js').Parameters} range parameters of the range
 * @property {number} seconds length of the range; 0 for all time
 * @property {number} from where it begins, in milliseconds, about
 * @property {number} to where it ends
 * @property {string[]} unknown what the state names and the dataset does not have, as sentences
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
  const zone = state.zone === 'local' ? LOCAL : 'UTC';
  const [from, to] = timeless ? [NaN, Date.now()] : rangeOf(state, zone);
  const seconds = to > from ? (to - from) / 1_000 : 0;
  const chosen = granularities.includes(state.granularity) && fits(state.granularity, seconds) ? state.granularity : '';
  return {
    state,
    dataset,
    measures,
    by: measures.includes(state.by) ? state.by : measures[0],
    where,
    group,
    stored,
    granularities,
    granularity: chosen || (granularities.length === 0 ? '' : automatic(granularities, seconds)),
    zone,
    range: timeless ? [] : rangeParameters(state),
    seconds,
    from,
    to,
    unknown: unknown(state, datasets, dataset, granularities),
    common: [...(state.tenant === '' ? [] : [/** @type {[string, string]} */ (['tenant', state.tenant])]),
      ...where.map((one) => /** @type {[string, string]} */ (['where', conditionText(one)]))],
  };
}

/**
 * What a link may name that is not there: to show something else instead would mislead.
 * @param {import('./state.js').State} state
 * @param {Dataset[]} datasets
 * @param {Dataset} dataset
 * @param {string[]} granularities
 */
function unknown(state, datasets, dataset, granularities) {
  if (state.dataset !== '' && datasets.every(({ name }) => name !== state.dataset)) {
    return [`There is no dataset “${state.dataset}”: choose one above.`];
  }
  const attributes = [...state.where.map((text) => conditionOf(text).attribute), ...state.group, state.lines];
  return [
    state.by !== '' && !(state.by in dataset.measures) && `${dataset.name} has no measure “${state.by}”: choose one above.`,
    state.granularity !== '' && granularities.length > 0 && !granularities.includes(state.granularity)
      && `${dataset.name} cannot be shown by “${state.granularity}”: choose a granularity above.`,
    ...attributes.filter((attribute) => attribute !== '' && !dataset.label.includes(attribute))
      .map((attribute) => `The labels of ${dataset.name} have no “${attribute}”: they have ${dataset.label.join(', ') || 'nothing'}.`),
  ].filter((sentence) => sentence !== false);
}

/**
 * About where a range begins and ends, in milliseconds; it begins nowhere (NaN) for all time.
 * @param {import('./state.js').State} state
 * @param {string} zone
 */
function rangeOf(state, zone) {
  const now = Date.now();
  if (state.last === 'all') {
    return [NaN, now];
  }
  if (state.last === '') {
    return [Date.parse(state.from), state.to === '' ? now : Date.parse(state.to)];
  }
  if (/^[0-9]/.test(state.last)) {
    return [now - Number(state.last.slice(0, -1)) * UNITS[state.last.slice(-1)] * 1_000, now];
  }
  const local = new Date(now + offset(now, zone));
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  /** @type {Record<string, number[]>} */
  const bounds = { 'today': [Date.UTC(year, month, day)], 'yesterday': [Date.UTC(year, month, day - 1), Date.UTC(year, month, day)],
    'this-week': [Date.UTC(year, month, day - (local.getUTCDay() + 6) % 7)], 'this-month': [Date.UTC(year, month)],
    'last-month': [Date.UTC(year, month - 1), Date.UTC(year, month)], 'this-year': [Date.UTC(year, 0)] };
  const [from, to] = bounds[state.last].map((time) => time - offset(time, zone));
  return [from, to ?? now];
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
 * The unit of a measure; empty if it has none.
 * @param {View} view
 * @param {string} measure
 */
export function unitOf(view, measure) {
  return view.dataset.measures[measure].unit ?? '';
}

/**
 * Which labels a view is about, for people.
 * @param {View} view
 */
export function scopeOf(view) {
  return view.where.length === 0 ? 'everything' : view.where.map(({ value }) => labelText([value])).join(', ');
}

/**
 * A label for people.
 * @param {string[]} values
 */
export function labelText(values) {
  return values.length === 0 ? '(all labels)' : values.map((value) => (value === '' ? '(empty)' : value)).join(' · ');
}
