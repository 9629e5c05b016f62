import { combined } from './exact.js';
import { seconds } from './granularity.js';

const BUCKETS = 60;
const MAX_SECONDS = 86_400;
const LATEST = 5;

/** @type {Record<string, (a: bigint, b: bigint) => bigint>} */
const COMBINE = { count: (a, b) => a + b, sum: (a, b) => a + b,
  min: (a, b) => (a < b ? a : b), max: (a, b) => (a > b ? a : b) };

/**
 * Whether values of many labels can be put together without knowing more of them.
 * @param {string} type of a measure
 */
export function isCombinable(type) {
  return type in COMBINE;
}

/** The buckets that a live stream reported, up to some age. Each report replaces the one before: buckets come whole. */
export class LiveWindow {
  /** @type {Map<number, Map<string, any>>} by start, then label */
  #buckets = new Map();
  /** @type {any[]} */
  #latest = [];
  #bucket;
  #length;

  /** @param {string} granularity */
  constructor(granularity) {
    this.#bucket = seconds(granularity);
    this.#length = Math.min(BUCKETS * this.#bucket, MAX_SECONDS);
  }

  /** How far back it goes, in seconds. */
  get length() {
    return this.#length;
  }

  /**
   * Goes half as far back, in whole buckets.
   * @returns {boolean} whether it could: it keeps the current bucket and the one before
   */
  halve() {
    if (this.#length <= this.#bucket) {
      return false;
    }
    this.#length = Math.floor(this.#length / this.#bucket / 2) * this.#bucket;
    return true;
  }

  /**
   * @param {{ label: string[], start: string, measures: Record<string, any> }} bucket
   * @param {number} now milliseconds
   */
  add(bucket, now) {
    const start = Date.parse(bucket.start);
    if (!this.#buckets.has(start)) {
      // A hidden tab draws nothing, and must not keep everything until it is seen again.
      this.expire(now);
    }
    const labels = this.#buckets.get(start) ?? new Map();
    labels.set(JSON.stringify(bucket.label), bucket);
    this.#buckets.set(start, labels);
    this.#latest = [bucket, ...this.#latest.filter((other) => other.start !== bucket.start
      || JSON.stringify(other.label) !== JSON.stringify(bucket.label))].slice(0, LATEST);
  }

  /**
   * Forgets what is too old.
   * @param {number} now milliseconds
   */
  expire(now) {
    for (const start of this.#buckets.keys()) {
      if (start < now - (this.length + this.#bucket) * 1_000) {
        this.#buckets.delete(start);
      }
    }
  }

  /** The buckets that changed last, latest first. */
  get latest() {
    return this.#latest;
  }

  /**
   * All labels together, by start; buckets without data in between are there as well.
   * @param {string} measure
   * @param {string} type of the measure
   * @param {number} now milliseconds
   * @returns {{ start: number, value: import('./exact.js').Exact | number | null }[]}
   */
  sums(measure, type, now) {
    const width = this.#bucket * 1_000;
    const starts = new Set(this.#buckets.keys());
    if (starts.size > 0 && this.#bucket <= 3_600) {
      for (let start = Math.min(...starts); start <= now; start += width) {
        starts.add(start);
      }
    }
    return [...starts].sort((a, b) => a - b).map((start) => ({ start, value: this.#sum(start, measure, type) }));
  }

  /**
   * @param {number} start
   * @param {string} measure
   * @param {string} type
   */
  #sum(start, measure, type) {
    const values = [...(this.#buckets.get(start)?.values() ?? [])].map((bucket) => bucket.measures[measure])
      .filter((value) => value !== null && value !== undefined);
    const none = type === 'count' || type === 'sum' ? 0 : null;
    return values.length === 0 ? none : combined(values, COMBINE[type]);
  }
}
