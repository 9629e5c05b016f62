// What the page shows: its state, which is in the fragment of its address, and the view of a dataset that follows from it.
import { LOCAL, instantOf, local } from './format.js';

/** @import { Parameters } from './api.js' */

/** @typedef {typeof DEFAULTS} State What is chosen. As the fragment it can be shared, and labels reach no server's log. */
const DEFAULTS = {
  dataset: '', // empty for the first
  by: '', // the measure; empty for the first
  last: '24h', // a range that ends now, such as `6h`; a period, such as `today`; `all`; or empty with `from` and `to`
  from: '', // RFC 3339
  to: '', // RFC 3339
  granularity: '', // empty for one that fits the range
  zone: 'utc', // or `local`
  against: '', // what the period is compared with; empty for the one before it, in numbers only
  lines: '', // the attribute whose largest values have a line each; empty for one line
  stacked: '', // or `on`
  tenant: '',
  refresh: '', // how often to ask again: `10s`, `1m`, `live` (as buckets change), or empty for never
  where: /** @type {string[]} */ ([]), // conditions on the label, each `attribute:value`
  group: /** @type {string[]} */ ([]), // attributes whose values are listed together; none to list each attribute
};

const LAST = /^(all|today|yesterday|this-week|this-month|last-month|this-year|[0-9]{1,6}[smhdw])?$/;
/** @type {Record<string, number>} */
const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

const DAY = 86_400;
/** @type {Record<string, number>} of granularities that are offered where they can be summed up from what is indexed */
const SECONDS = { 'second': 1, 'minute': 60, '5-minutes': 300, '15-minutes': 900, 'hour': 3_600, 'day': DAY, 'week': 7 * DAY,
  'month': 30.44 * DAY, 'year': 365.25 * DAY };
/** All series of one answer have at most 10,000 points, and a panel asks for eleven. */
const MAX_POINTS = 900;
/** More points than this are hard to see. */
const GOOD_POINTS = 400;

/** Why nothing can be asked about all labels. */
export const NOT_INDEXED = 'None of this dataset’s granularities is indexed: filter by a value of each attribute.';

/**
 * @typedef {{ type: string, title?: string, description?: string, unit?: string }} Measure
 * @typedef {{ name: string, title?: string, label: string[], partition: number, granularities: string[], index: string[],
 *   measures: Record<string, Measure>, retention?: Record<string, string> }} Dataset as `/api/v1/datasets` lists it
 * @typedef {{ attribute: string, value: string }} Condition what an attribute of the label must be
 * @typedef {ReturnType<typeof viewOf>} View what the panels ask about
 */

/** The state that an address names. @param {string} fragment with `#`, unless it is empty @returns {State} */
export function read(fragment) {
  const values = new URLSearchParams(fragment.slice(1));
  const known = Object.fromEntries([...values].filter(([name]) => Object.hasOwn(DEFAULTS, name)));
  const state = { ...DEFAULTS, ...known, where: values.getAll('where'), group: values.getAll('group') };
  const isRange = LAST.test(state.last) && (state.last !== '' || state.from !== '' || state.to !== '');
  return { ...state, last: isRange ? state.last : DEFAULTS.last, zone: state.zone === 'local' ? 'local' : 'utc' };
}

/** The fragment with `#`; what is as by default is left out. @param {State} state */
export function write(state) {
  const chosen = Object.entries(DEFAULTS).flatMap(([name, absent]) => [state[/** @type {keyof State} */ (name)]].flat()
    .filter((value) => value !== absent).map((value) => [name, value]));
  return `#${new URLSearchParams(chosen)}`;
}

/** The state, completed from the dataset's declaration. @param {State} state @param {Dataset[]} datasets at least one */
export function viewOf(state, datasets) {
  const dataset = datasets.find((one) => one.name === state.dataset) ?? datasets[0];
  const measures = Object.keys(dataset.measures);
  const where = state.where.map(conditionOf).filter(({ attribute }) => dataset.label.includes(attribute));
  // Labels with all values of the partition key are read from the table.
  const inTable = dataset.label.slice(0, dataset.partition).every((name) => where.some(({ attribute }) => attribute === name));
  const stored = inTable ? dataset.granularities : dataset.index;
  const granularities = offered(stored);
  const timeless = granularities.length === 0 && dataset.granularities.every((name) => name === 'forever');
  const zone = state.zone === 'local' ? LOCAL : 'UTC';
  const [from, to] = timeless ? [NaN, Date.now()] : rangeOf(state, zone);
  const length = to > from ? (to - from) / 1_000 : 0;
  const age = Number.isNaN(from) ? Infinity : (Date.now() - from) / 1_000;
  const longest = Math.max(...granularities.map((name) => kept(dataset, stored, name)));
  const lasting = granularities.filter((name) => kept(dataset, stored, name) >= Math.min(age, longest));
  const chosen = granularities.includes(state.granularity) && fits(state.granularity, length) ? state.granularity : '';
  /** @type {Parameters} */
  const bounds = state.last === '' ? [['from', state.from], ['to', state.to]] : [['last', state.last]];
  const range = timeless || state.last === 'all' ? [] : bounds.filter(([, value]) => value !== '');
  return {
    state,
    dataset,
    name: dataset.title ?? dataset.name,
    measures,
    by: measures.includes(state.by) ? state.by : measures[0], // the measure shown
    where,
    group: state.group.filter((attribute) => dataset.label.includes(attribute)),
    stored, // the granularities that can answer; empty if there are none
    granularities, // that can be chosen, finest first; empty if there are none
    lasting, // those of them whose buckets still exist in all of the range, or in most of it
    granularity: chosen || (granularities.length === 0 ? '' : automatic(lasting, length)), // empty if there is none
    zone, // IANA name
    tz: /** @type {Parameters} */ (zone === 'UTC' ? [] : [['tz', zone]]), // the zone as a parameter; UTC needs none
    range, // parameters
    isBounded: range.some(([name]) => name === 'last' || name === 'from'),
    seconds: length, // of the range; 0 for all time
    from, // where it begins, in milliseconds, about; NaN for all time
    to,
    unknown: unknown(state, datasets, dataset, granularities), // what the state names and is not there, as sentences
    common: /** @type {Parameters} */ ([...(state.tenant === '' ? [] : [['tenant', state.tenant]]),
      ...where.map((condition) => ['where', conditionText(condition)])]), // parameters of every query
    scope: where.map(({ value }) => labelText([value])).join(', ') || 'everything', // which labels it is about, for people
    title: (/** @type {string} */ measure) => dataset.measures[measure].title ?? measure,
    unit: (/** @type {string} */ measure) => dataset.measures[measure].unit ?? '',
  };
}

/**
 * What a link may name that is not there: to show something else instead would mislead.
 * @param {State} state @param {Dataset[]} datasets @param {Dataset} dataset @param {string[]} granularities
 */
function unknown(state, datasets, dataset, granularities) {
  if (state.dataset !== '' && datasets.every((one) => one.name !== state.dataset)) {
    return [`There is no dataset “${state.dataset}”: choose one above.`];
  }
  const { name, label } = dataset;
  const attributes = [...state.where.map((text) => conditionOf(text).attribute), ...state.group, state.lines];
  return [
    state.by !== '' && !(state.by in dataset.measures) && `${name} has no measure “${state.by}”: choose one above.`,
    state.granularity !== '' && granularities.length > 0 && !granularities.includes(state.granularity)
      && `${name} cannot be shown by “${state.granularity}”: choose a granularity above.`,
    ...attributes.filter((attribute) => attribute !== '' && !label.includes(attribute))
      .map((attribute) => `The labels of ${name} have no “${attribute}”: they have ${label.join(', ') || 'nothing'}.`),
  ].filter((sentence) => sentence !== false);
}

/** About where a range begins and ends, in milliseconds. @param {State} state @param {string} zone */
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
  const clock = local(now, zone);
  const [year, month, day] = [clock.getUTCFullYear(), clock.getUTCMonth(), clock.getUTCDate()];
  const monday = day - (clock.getUTCDay() + 6) % 7;
  /** @type {Record<string, [from: number[], to?: number[]]>} */
  const bounds = { 'today': [[year, month, day]], 'yesterday': [[year, month, day - 1], [year, month, day]],
    'this-week': [[year, month, monday]], 'this-month': [[year, month]], 'last-month': [[year, month - 1], [year, month]],
    'this-year': [[year, 0]] };
  const [from, to] = bounds[state.last].map((date = []) => instantOf(Date.UTC(date[0], date[1], date[2] ?? 1), zone));
  return [from, to ?? now];
}

/** @param {string} text @returns {Condition} */
function conditionOf(text) {
  const colon = text.indexOf(':');
  return { attribute: text.slice(0, Math.max(0, colon)), value: text.slice(colon + 1) };
}

/** @param {Condition} condition */
export const conditionText = ({ attribute, value }) => `${attribute}:${value}`;

/** A label for people. @param {string[]} values */
export function labelText(values) {
  return values.length === 0 ? '(all labels)' : values.map((value) => (value === '' ? '(empty)' : value)).join(' · ');
}

/** About how long a bucket of a granularity is. @param {string} name */
export function seconds(name) {
  return SECONDS[name] ?? (Number(/^(\d+)-minutes$/.exec(name)?.[1] ?? Infinity) * 60);
}

/** Whether buckets add up to coarser ones. The API decides what it can answer. @param {string} fine @param {string} coarse */
function nests(fine, coarse) {
  if (fine === 'week' || fine === 'month' || fine === 'year') {
    return fine === coarse || (fine === 'month' && coarse === 'year');
  }
  return (['week', 'month', 'year'].includes(coarse) ? DAY : seconds(coarse)) % seconds(fine) === 0;
}

/**
 * How long buckets are kept, in seconds: those of the coarsest granularity that they are summed up from.
 * @param {Dataset} dataset @param {string[]} stored @param {string} name
 */
function kept({ retention = {} }, stored, name) {
  const sources = stored.filter((fine) => nests(fine, name)).sort((a, b) => seconds(a) - seconds(b));
  const [, count, unit] = /^(\d+)([smhd])$/.exec(retention[sources.at(-1) ?? ''] ?? '') ?? [];
  return unit === undefined ? Infinity : Number(count) * ({ s: 1, m: 60, h: 3_600 }[unit] ?? DAY);
}

/** What a series of many labels can have, finest first. @param {string[]} indexed */
function offered(indexed) {
  const timed = indexed.filter((name) => name !== 'forever');
  const names = new Set([...timed, ...Object.keys(SECONDS).filter((name) => timed.some((fine) => nests(fine, name)))]);
  return [...names].sort((a, b) => seconds(a) - seconds(b));
}

/** Whether a range has few enough buckets. @param {string} name @param {number} range seconds; 0 if unknown */
export const fits = (name, range) => range / seconds(name) <= MAX_POINTS;

/**
 * The finest granularity that shows a range well.
 * @param {string[]} names finest first
 * @param {number} range seconds; 0 for all time
 * @param {number} [good] points that are seen well
 */
export function automatic(names, range, good = GOOD_POINTS) {
  const span = range === 0 ? GOOD_POINTS * DAY : range;
  return names.find((name) => span / seconds(name) <= good) ?? names.at(-1) ?? '';
}

/** Where a bucket ends, in milliseconds. @param {number} time its start @param {string} granularity @param {string} zone */
export function endOf(time, granularity, zone) {
  if (seconds(granularity) < DAY) {
    return time + seconds(granularity) * 1_000;
  }
  // Where clocks skip midnight, the first hour of a day is another.
  const end = new Date(local(time, zone).setUTCHours(0, 0, 0, 0));
  if (granularity === 'year') {
    end.setUTCFullYear(end.getUTCFullYear() + 1);
  } else if (granularity === 'month') {
    end.setUTCMonth(end.getUTCMonth() + 1);
  } else {
    end.setUTCDate(end.getUTCDate() + (granularity === 'week' ? 7 : 1));
  }
  return instantOf(end.getTime(), zone);
}
