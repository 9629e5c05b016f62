// Numbers with all their digits: a sum may have more than a double holds.

/** A number that a double would round. Calculates as the nearest double, prints as written. */
export class Exact {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  valueOf() {
    return Number(this.text);
  }

  toString() {
    return this.text;
  }
}

/**
 * Parses JSON; numbers that a double would round become {@link Exact}. Browsers that do not show a number's source text
 * round it.
 * @param {string} text
 */
export function parse(text) {
  return JSON.parse(text, /** @type {any} */ (reviver));
}

/**
 * @param {string} _key
 * @param {any} value
 * @param {{ source?: string }} [context]
 */
function reviver(_key, value, context) {
  const source = typeof value === 'number' ? context?.source : undefined;
  return source === undefined || source === String(value) ? value : new Exact(source);
}

/**
 * All digits, in groups of three.
 * @param {any} value a number, an {@link Exact}, or null
 */
export function digits(value) {
  if (value === null || value === undefined) {
    return '–';
  }
  const [whole, fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/**
 * Puts values together to the last digit, where doubles would make 0.30000000000000004 of 0.1 and 0.2.
 * @param {any[]} values numbers or {@link Exact}, at least one
 * @param {(a: bigint, b: bigint) => bigint} combine of two values in the same unit
 */
export function combined(values, combine) {
  const parts = values.map((value) => {
    const [mantissa, exponent = '0'] = String(value).toLowerCase().split('e');
    const [whole, fraction = ''] = mantissa.split('.');
    return { units: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
  });
  const scale = parts.reduce((most, part) => Math.max(most, part.scale), 0);
  const units = parts.map((part) => part.units * 10n ** BigInt(scale - part.scale)).reduce(combine);
  const all = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const fraction = all.slice(all.length - scale).replace(/0+$/, '');
  return new Exact((units < 0n ? '-' : '') + all.slice(0, all.length - scale) + (fraction === '' ? '' : `.${fraction}`));
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/**
 * A few digits, for axes.
 * @param {any} value
 */
export function compact(value) {
  return value === null || value === undefined ? '–' : COMPACT.format(Number(value));
}
