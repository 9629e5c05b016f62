// Round numbers and round times for axes.

import { offset } from './times.js';

/**
 * Round values that span a range, about so many.
 * @param {number} low
 * @param {number} high
 * @param {number} count
 * @returns {number[]} ascending; the first and last enclose the range
 */
export function roundValues(low, high, count) {
  const bottom = Math.min(0, low);
  const top = Math.max(bottom === 0 ? 1 : 0, high);
  const rough = (top - bottom) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * /** @type {number} */ ([1, 2, 5, 10].find((factor) => factor * power >= rough));
  const values = [];
  for (let i = Math.floor(bottom / step); i <= Math.ceil(top / step); i++) {
    values.push(i * step);
  }
  return values;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const STEPS = [1, 5, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR,
  6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 61 * DAY, 91 * DAY, 182 * DAY, 365 * DAY, 730 * DAY];

/**
 * Round times of a zone within a range.
 * @param {number} from milliseconds
 * @param {number} to milliseconds
 * @param {number} count at most about so many
 * @param {string} zone
 * @returns {{ times: number[], step: number }} milliseconds, and how many seconds they are apart
 */
export function roundTimes(from, to, count, zone) {
  const step = STEPS.find((seconds) => (to - from) / 1_000 / seconds <= count) ?? STEPS[STEPS.length - 1];
  const width = step * 1_000;
  const ahead = offset(from, zone);
  const times = [];
  for (let time = Math.ceil((from + ahead) / width) * width - ahead; time <= to && times.length <= 2 * count; time += width) {
    times.push(time);
  }
  return { times, step };
}
