// What the page knows of granularities; the API decides what it can answer.

const DAY = 86_400;
/** @type {Record<string, number>} */
const SECONDS = { second: 1, minute: 60, hour: 3_600, day: DAY, week: 7 * DAY, month: 30.44 * DAY, year: 365.25 * DAY };

/** Offered where they can be summed up from what is indexed. */
const COMMON = ['second', 'minute', '5-minutes', '15-minutes', 'hour', 'day', 'week', 'month', 'year'];

/** All series of one answer have at most 10,000 points, and a panel asks for eleven. */
const MAX_POINTS = 900;

/** More points than this are hard to see. */
const GOOD_POINTS = 400;

/**
 * About how long a bucket is.
 * @param {string} name
 */
export function seconds(name) {
  const minutes = /^(\d+)-minutes$/.exec(name);
  return minutes ? Number(minutes[1]) * 60 : (SECONDS[name] ?? Infinity);
}

/**
 * @param {string} fine
 * @param {string} coarse
 */
function nests(fine, coarse) {
  if (fine === coarse) {
    return true;
  }
  if (fine === 'week' || fine === 'year') {
    return false;
  }
  if (fine === 'month') {
    return coarse === 'year';
  }
  const whole = ['week', 'month', 'year'].includes(coarse) ? DAY : seconds(coarse);
  return whole % seconds(fine) === 0;
}

/**
 * What a series of many labels can have, finest first.
 * @param {string[]} indexed
 */
export function offered(indexed) {
  const timed = indexed.filter((name) => name !== 'forever');
  const names = new Set([...timed, ...COMMON.filter((name) => timed.some((fine) => nests(fine, name)))]);
  return [...names].sort((a, b) => seconds(a) - seconds(b));
}

/**
 * Whether a range has few enough buckets.
 * @param {string} name
 * @param {number} range seconds; 0 if unknown
 */
export function fits(name, range) {
  return range / seconds(name) <= MAX_POINTS;
}

/**
 * The finest that shows a range well.
 * @param {string[]} names finest first
 * @param {number} range seconds; 0 for all time
 * @param {number} [good] points that are seen well
 */
export function automatic(names, range, good = GOOD_POINTS) {
  const span = range === 0 ? GOOD_POINTS * DAY : range;
  return names.find((name) => span / seconds(name) <= good) ?? names[names.length - 1];
}
