// Times as the page shows them, in UTC or the browser's zone.

/** The browser's time zone, by IANA name. */
export const LOCAL = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * @param {string} zone
 * @param {Intl.DateTimeFormatOptions} options
 */
function format(zone, options) {
  const key = zone + JSON.stringify(options);
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options });
    formats.set(key, found);
  }
  return found;
}

/**
 * The start of a bucket: `2026-11-20 10:31`, or `2026-11-20` if buckets are days or longer.
 * @param {string | number} time RFC 3339, or milliseconds
 * @param {string} zone
 * @param {number} bucket seconds
 */
export function start(time, zone, bucket) {
  const parts = Object.fromEntries(format(zone, {
    year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
  }).formatToParts(new Date(time)).map((part) => [part.type, part.value]));
  const day = `${parts.year.padStart(4, '0')}-${parts.month}-${parts.day}`;
  if (bucket >= 86_400) {
    return day;
  }
  return `${day} ${parts.hour}:${parts.minute}${bucket < 60 ? `:${parts.second}` : ''}`;
}

/**
 * A time of day with seconds.
 * @param {string | number} time
 * @param {string} zone
 */
export function clock(time, zone) {
  return format(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(time));
}

/**
 * A mark on an axis whose marks are so many seconds apart.
 * @param {number} time milliseconds
 * @param {string} zone
 * @param {number} step seconds
 */
export function tick(time, zone, step) {
  if (step >= 360 * 86_400) {
    return format(zone, { year: 'numeric' }).format(time);
  }
  if (step >= 28 * 86_400) {
    return format(zone, { month: 'short', year: 'numeric' }).format(time);
  }
  if (step >= 86_400 || (time + offset(time, zone)) % 86_400_000 === 0) {
    return format(zone, { day: 'numeric', month: 'short' }).format(time);
  }
  return format(zone, { hour: '2-digit', minute: '2-digit', ...(step < 60 ? { second: '2-digit' } : {}) }).format(time);
}

/**
 * How far a zone is ahead of UTC.
 * @param {number} time milliseconds
 * @param {string} zone
 * @returns {number} milliseconds
 */
export function offset(time, zone) {
  const shown = start(time, zone, 1).replace(' ', 'T');
  return Date.parse(`${shown}Z`) - Math.floor(time / 1_000) * 1_000;
}

/**
 * Where a bucket ends.
 * @param {number} time its start in milliseconds
 * @param {string} granularity
 * @param {number} bucket about how long it is, in seconds
 * @param {string} zone in which days begin
 */
export function endOf(time, granularity, bucket, zone) {
  if (bucket < 86_400) {
    return time + bucket * 1_000;
  }
  const local = new Date(time + offset(time, zone));
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  const end = granularity === 'year' ? Date.UTC(year + 1, 0) : granularity === 'month' ? Date.UTC(year, month + 1)
    : Date.UTC(year, month, day + (granularity === 'week' ? 7 : 1));
  return end - offset(end - offset(end, zone), zone);
}

/**
 * The instant of a `datetime-local` field's text in a zone.
 * @param {string} text such as `2026-11-20T10:31`
 * @param {string} zone
 * @returns {string} RFC 3339 in UTC; empty if the text is no time
 */
export function instant(text, zone) {
  const utc = Date.parse(`${text}Z`);
  if (Number.isNaN(utc)) {
    return '';
  }
  const guess = utc - offset(utc, zone);
  return new Date(utc - offset(guess, zone)).toISOString().replace('.000Z', 'Z');
}

/**
 * The text of a `datetime-local` field.
 * @param {string} time RFC 3339
 * @param {string} zone
 */
export function localText(time, zone) {
  return Number.isNaN(Date.parse(time)) ? '' : start(time, zone, 60).replace(' ', 'T');
}
