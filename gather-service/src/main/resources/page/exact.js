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

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/**
 * A few digits, for axes.
 * @param {any} value
 */
export function compact(value) {
  return value === null || value === undefined ? '–' : COMPACT.format(Number(value));
}
