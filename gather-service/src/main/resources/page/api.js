import { parse } from './exact.js';
import { Limiter } from './limiter.js';
import { Problem, isAbort } from './problem.js';

/** Queries of this page at a time: the service has few places for everybody. */
const MAX_QUERIES = 4;

/** How often a query is asked again of a service that says when to, and the longest wait for that in seconds. */
const RETRIES = 2;
const LONGEST_WAIT = 10;

/**
 * Names and values of parameters, in order; a name may repeat.
 * @typedef {[string, string][]} Parameters
 */

/** Asks the gather API. The credential is only ever in memory. */
export class Api {
  #limiter = new Limiter(MAX_QUERIES);
  #base;
  #credential = '';

  /** @param {string} base the page's own address */
  constructor(base) {
    this.#base = new URL('api/v1/', base);
  }

  /** @param {string} credential an API key or a token; empty for none */
  signIn(credential) {
    this.#credential = credential;
  }

  get isSignedIn() {
    return this.#credential !== '';
  }

  /**
   * The address of a query.
   * @param {string} path below /api/v1/
   * @param {Parameters} [parameters]
   */
  url(path, parameters = []) {
    const url = new URL(path, this.#base);
    url.search = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    return url.href;
  }

  /**
   * @param {string} url
   * @param {AbortSignal} signal
   * @returns {Promise<any>} the answer
   * @throws {Problem}
   */
  get(url, signal) {
    return this.#limiter.run(async () => parse(await (await this.#again(url, 'application/json', signal)).text()), signal);
  }

  /**
   * The same answer as a file to keep.
   * @param {string} url
   * @throws {Problem}
   */
  async csv(url) {
    return (await this.#again(url, 'text/csv', AbortSignal.timeout(60_000))).blob();
  }

  /**
   * @param {string} url
   * @param {string} accept
   * @param {AbortSignal} signal
   */
  async #again(url, accept, signal) {
    for (let left = RETRIES; ; left--) {
      try {
        return await this.#response(url, accept, {}, signal);
      } catch (failure) {
        const after = failure instanceof Problem && failure.status === 503 ? Number(failure.retryAfter ?? Infinity) : Infinity;
        if (left === 0 || !(after <= LONGEST_WAIT)) {
          throw failure;
        }
        await wait(after * 1_000, signal);
        signal.throwIfAborted();
      }
    }
  }

  /**
   * A stream of server-sent events. It has no place among the queries, as it does not end.
   * @param {string} url
   * @param {string | null} lastEventId
   * @param {AbortSignal} signal
   */
  async stream(url, lastEventId, signal) {
    /** @type {Record<string, string>} */
    const resume = lastEventId === null ? {} : { 'Last-Event-ID': lastEventId };
    return /** @type {ReadableStream<Uint8Array>} */ (
      (await this.#response(url, 'text/event-stream', resume, signal)).body);
  }

  /**
   * @param {string} url
   * @param {string} accept
   * @param {Record<string, string>} more
   * @param {AbortSignal} signal
   */
  async #response(url, accept, more, signal) {
    /** @type {Record<string, string>} */
    const headers = { Accept: accept, ...more };
    if (this.#credential !== '') {
      headers.Authorization = `Bearer ${this.#credential}`;
    }
    let response;
    try {
      response = await fetch(url, { headers, signal, credentials: 'same-origin' });
    } catch (failure) {
      throw isAbort(failure) ? failure : Problem.unreachable(failure);
    }
    if (!response.ok) {
      throw await Problem.of(response);
    }
    return response;
  }

  /**
   * A command that asks the same. The credential stays out of it.
   * @param {string} url
   */
  curl(url) {
    const quoted = `'${url.replaceAll("'", "'\\''")}'`;
    return this.isSignedIn ? `curl -H "Authorization: Bearer $WINDROW_CREDENTIAL" ${quoted}` : `curl ${quoted}`;
  }
}

/**
 * Waits, or until the signal is aborted.
 * @param {number} millis
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
export function wait(millis, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
