/** Runs at most so many tasks at a time; others wait in order, and leave the queue when they are aborted. */
export class Limiter {
  /** @type {{ start: () => void }[]} */
  #waiting = [];
  #free;

  /** @param {number} places */
  constructor(places) {
    this.#free = places;
  }

  /**
   * @template T
   * @param {() => Promise<T>} task
   * @param {AbortSignal} signal
   * @returns {Promise<T>}
   */
  async run(task, signal) {
    await this.#place(signal);
    try {
      return await task();
    } finally {
      this.#free++;
      this.#next();
    }
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<void>}
   */
  #place(signal) {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const abort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(signal.reason);
      };
      const waiter = {
        start: () => {
          signal.removeEventListener('abort', abort);
          resolve();
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiter);
      this.#next();
    });
  }

  #next() {
    while (this.#free > 0 && this.#waiting.length > 0) {
      this.#free--;
      /** @type {{ start: () => void }} */ (this.#waiting.shift()).start();
    }
  }
}
