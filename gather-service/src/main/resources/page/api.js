import { parse } from './format.js';

/** Queries of this page at a time: the service has few places for everybody. */
const MAX_QUERIES = 4;

/** How often a query is asked again of a service that says when to, and the longest wait for that in seconds. */
const RETRIES = 2;
const LONGEST_WAIT = 10;

/** @typedef {[string, string][]} Parameters names and values, in order; a name may repeat */

/** Why a query was not answered: a problem document of the API, or no answer at all. */
export class Problem extends Error {
  /** @param {number} status 0 without a response @param {Record<string, string>} document @param {string?} [retryAfter] */
  constructor(status, document, retryAfter = null) {
    super(document.detail || document.title || `HTTP status ${status}`);
    this.status = status;
    this.title = document.title || 'No answer';
    /** The last segment of the type: one stable word. */
    this.reason = (document.type || '').split('/').pop() || 'unavailable';
    this.retryAfter = retryAfter; // seconds
  }

  /** The problem that a failure is, or that it means. @param {any} failure @param {string} [title] */
  static of(failure, title = 'The service cannot be reached') {
    const detail = failure.name === 'TimeoutError' ? 'No answer in time.' : String(failure);
    return failure instanceof Problem ? failure : new Problem(0, { title, detail });
  }

  /** Whether there was no response, so that the service may be there again in a moment. */
  get isLost() {
    return this.status === 0 && this.reason === 'unavailable';
  }

  toString() {
    return `${this.title} – ${this.message} (${this.reason})`;
  }
}

/** Asks the gather API. The credential is only ever in memory. */
export class Api {
  #base;
  #credential = '';
  #free = MAX_QUERIES;
  /** @type {Set<() => void>} queries that wait for a place, in order */
  #waiting = new Set();

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

  /** The address of a query. @param {string} path below /api/v1/ @param {Parameters} [parameters] */
  url(path, parameters = []) {
    const url = new URL(path, this.#base);
    url.search = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    return url.href;
  }

  /** A command that asks the same. The credential stays out of it. @param {string} url */
  curl(url) {
    return `curl ${this.isSignedIn ? '-H "Authorization: Bearer $WINDROW_CREDENTIAL" ' : ''}'${url.replaceAll("'", "'\\''")}'`;
  }

  /** @param {string} url @param {AbortSignal} signal @returns {Promise<any>} the answer @throws {Problem} */
  async get(url, signal) {
    await this.#place(signal);
    try {
      return parse(await (await this.#again(url, 'application/json', signal)).text());
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) {
        this.#free++;
      } else {
        this.#waiting.delete(next);
        next();
      }
    }
  }

  /** Takes a place, or is handed one. What is aborted leaves the queue. @param {AbortSignal} signal @returns {Promise<void>} */
  #place(signal) {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#free > 0) {
        this.#free--;
        resolve();
      } else {
        this.#waiting.add(resolve);
        signal.addEventListener('abort', () => this.#waiting.delete(resolve) && reject(Problem.of(signal.reason)));
      }
    });
  }

  /** The same answer as a file to keep. @param {string} url @throws {Problem} */
  async csv(url) {
    return (await this.#again(url, 'text/csv', AbortSignal.timeout(60_000))).blob();
  }

  /**
   * Server-sent events by fetch, as EventSource cannot send a credential; `open` is the first. They have no place among the
   * queries, as they do not end.
   * @param {string} url @param {string} lastEventId empty for none @param {AbortSignal} signal
   * @returns {AsyncGenerator<{ event?: string, id?: string, data?: string }>} @throws {Problem}
   */
  async *events(url, lastEventId, signal) {
    const resume = lastEventId && { 'Last-Event-ID': lastEventId };
    const { body } = await this.#response(url, { Accept: 'text/event-stream', ...resume }, signal);
    const reader = /** @type {any} */ (body).pipeThrough(new TextDecoderStream()).getReader();
    try {
      yield { event: 'open' };
      let rest = '';
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        const blocks = (rest + chunk.value).split('\n\n');
        rest = /** @type {string} */ (blocks.pop());
        yield* blocks.map((block) => Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2))));
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  /** @param {string} url @param {string} accept @param {AbortSignal} signal */
  async #again(url, accept, signal) {
    for (let left = RETRIES; ; left--) {
      try {
        return await this.#response(url, { Accept: accept }, signal);
      } catch (/** @type {any} */ problem) {
        const after = problem.status === 503 ? Number(problem.retryAfter ?? NaN) : NaN;
        if (left === 0 || !(after <= LONGEST_WAIT)) {
          throw problem;
        }
        await wait(after * 1_000, signal);
      }
    }
  }

  /** @param {string} url @param {Record<string, string>} headers @param {AbortSignal} signal */
  async #response(url, headers, signal) {
    const authorization = this.isSignedIn && { Authorization: `Bearer ${this.#credential}` };
    const response = await fetch(url, { headers: { ...headers, ...authorization }, signal, credentials: 'same-origin' })
      .catch((failure) => Promise.reject(Problem.of(failure)));
    if (!response.ok) {
      // A proxy's page is no problem document: the status is all there is.
      throw new Problem(response.status, await response.json().catch(() => ({})), response.headers.get('Retry-After'));
    }
    return response;
  }
}

/** Waits, or until the signal is aborted. @param {number} millis @param {AbortSignal} signal @returns {Promise<void>} */
export function wait(millis, signal) {
  return new Promise((resolve) => {
    setTimeout(resolve, millis);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
