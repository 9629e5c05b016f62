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
 * @param {string} [unit] as of {@link amount}; a value in percent stays a part of 1
 */
export function digits(value, unit = '') {
  if (value === null || value === undefined) {
    return '–';
  }
  const [whole, fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const all = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return unit === '' || unit === 'percent' ? all : `${all} ${unit}`;
}

/** @type {Intl.NumberFormatOptions} */
const COMPACT = { notation: 'compact', maximumSignificantDigits: 3 };

/**
 * A few digits with the unit, for axes and headlines: `1.2 MB`, `3.4%`, `€12K`.
 * @param {any} value
 * @param {string} [unit] `bytes`, `seconds`, `percent` (1 is 100%) or the code of a currency
 */
export function amount(value, unit = '') {
  if (value === null || value === undefined) {
    return '–';
  }
  const number = Number(value);
  if (unit === 'percent') {
    return new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 3 }).format(number);
  }
  if (/^[A-Z]{3}$/.test(unit)) {
    return new Intl.NumberFormat('en', { style: 'currency', currency: unit, ...COMPACT }).format(number);
  }
  const text = new Intl.NumberFormat('en', COMPACT).format(number);
  return unit === 'bytes' ? text.replace(/[KMBT]?$/, (power) => ` ${power === 'B' ? 'G' : power}B`)
    : unit === 'seconds' ? `${text} s` : text;
}
