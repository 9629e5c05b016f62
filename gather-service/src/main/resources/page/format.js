// Numbers and times as people read them. A sum may have more digits than a double; times are in UTC or the browser's zone.

const DAY = 86_400;

/** The browser's time zone, by IANA name. */
export const LOCAL = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** Parses JSON. A number that a double would round becomes a text, where browsers show its digits. @param {string} text */
export function parse(text) {
  /** @type {(key: string, value: any, context?: { source?: string }) => any} */
  const exact = (_key, value, { source } = {}) =>
    (typeof value === 'number' && source && source !== String(value) ? source : value);
  return JSON.parse(text, exact);
}

/**
 * All digits, in groups of three.
 * @param {any} value null where there is none
 * @param {string} [unit] as of {@link amount}; a value in percent stays a part of 1
 */
export function digits(value, unit = '') {
  if ((value ?? null) === null) {
    return '–';
  }
  const grouped = String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
  return unit === '' || unit === 'percent' ? grouped : `${grouped} ${unit}`;
}

/**
 * A few digits with the unit, for axes and headlines: `1.2 MB`, `3.4%`, `€12K`.
 * @param {any} value null where there is none
 * @param {string} [unit] `bytes`, `seconds`, `percent` (1 is 100%) or the code of a currency
 */
export function amount(value, unit = '') {
  if ((value ?? null) === null) {
    return '–';
  }
  const text = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, ...(unit === 'percent' ? { style: 'percent' }
    : { notation: 'compact', ...(/^[A-Z]{3}$/.test(unit) && { style: 'currency', currency: unit }) }) }).format(Number(value));
  return unit === 'bytes' ? text.replace(/[KMBT]?$/, (power) => ` ${power === 'B' ? 'G' : power}B`)
    : unit === 'seconds' ? `${text} s` : text;
}

/** @typedef {string | number} Time RFC 3339, or milliseconds */

/** @param {Time} time @param {string} timeZone @param {Intl.DateTimeFormatOptions} options @param {string} [locale] */
function format(time, timeZone, options, locale = 'en-GB') {
  const key = timeZone + locale + JSON.stringify(options);
  const found = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, ...options });
  formats.set(key, found);
  return found.format(new Date(time));
}

/** The clock of a zone at a time, as the date that has these numbers in UTC. @param {Time} time @param {string} zone */
export function local(time, zone) {
  // Swedish dates are those of ISO 8601, but for the zeros before a year.
  const text = format(time, zone, { dateStyle: 'short', timeStyle: 'medium' }, 'sv-SE');
  return new Date(`+${text.padStart(21, '0').replace(' ', 'T')}Z`);
}

/** When the clock of a zone shows what UTC shows at some time; all in milliseconds. @param {number} utc @param {string} zone */
export function instantOf(utc, zone) {
  const offset = (/** @type {number} */ time) => local(time, zone).getTime() - time;
  const guess = utc - offset(utc);
  const time = utc - offset(guess);
  // A time that the clock skips is read by the clock before the change.
  return utc - offset(time) === time ? time : Math.max(guess, time);
}

/** A time as the API takes it, without fractions of 0. @param {number} time milliseconds */
export const rfc3339 = (time) => new Date(time).toISOString().replace('.000Z', 'Z');

/**
 * The start of a bucket: `2026-11-20 10:31`, or `2026-11-20` if buckets are days or longer.
 * @param {Time} time @param {string} zone @param {number} bucket seconds
 */
export function start(time, zone, bucket) {
  const [day, clock] = local(time, zone).toISOString().split('T');
  return bucket >= DAY ? day : `${day} ${clock.slice(0, bucket < 60 ? 8 : 5)}`;
}

/** A time of day with seconds, after the date unless that is today's. @param {Time} time @param {string} zone */
export function clock(time, zone) {
  const [text, now] = [time, Date.now()].map((one) => start(one, zone, 1));
  return text.replace(`${now.split(' ')[0]} `, '');
}

/** A mark on an axis. @param {number} time milliseconds @param {string} zone @param {number} step seconds between marks */
export function tick(time, zone, step) {
  return format(time, zone, step >= 360 * DAY ? { year: 'numeric' } : step >= 28 * DAY ? { month: 'short', year: 'numeric' }
    : step >= DAY || local(time, zone).getTime() % (DAY * 1_000) === 0 ? { day: 'numeric', month: 'short' }
    : { timeStyle: step < 60 ? 'medium' : 'short' });
}
