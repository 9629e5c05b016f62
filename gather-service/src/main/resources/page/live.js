import { wait } from './api.js';
import { h } from './dom.js';
import { events } from './event-stream.js';
import { parse } from './exact.js';
import { seconds } from './granularity.js';
import { Problem, isAbort } from './problem.js';
import { queryList } from './query-list.js';
import { dataTable, number, text } from './tables.js';
import { clock, start } from './times.js';
import { NOT_INDEXED, labelText, titleOf, unitOf } from './view.js';

const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 30_000;
const LATEST = 5;
/** The reason of a stream that ends because it would watch too many buckets. */
const TOO_MANY = 'invalid-parameter';

/** The buckets that changed last, from a stream that is opened again whenever it ends; the other panels follow it. */
export class LivePanel {
  #api;
  #changed;
  #running = new AbortController();
  #body = h('div', { class: 'body' });
  #status = h('p', { class: 'status', role: 'status' });
  #queries = h('div', {});
  #frame = 0;

  /**
   * @param {import('./api.js').Api} api
   * @param {() => void} changed told of each bucket that changed
   */
  constructor(api, changed) {
    this.#api = api;
    this.#changed = changed;
    this.element = h('section', { class: 'panel', id: 'panel-live', 'aria-labelledby': 'title-live', hidden: true },
      h('h2', { id: 'title-live' }, 'Changed last'), this.#body, this.#status,
      h('details', { class: 'queries' }, h('summary', {}, 'Query'), this.#queries));
  }

  /** @param {import('./view.js').View} view */
  show(view) {
    this.clear();
    if (view.state.refresh !== 'live') {
      return;
    }
    this.#running = new AbortController();
    this.element.hidden = false;
    const granularity = view.stored.filter((name) => name !== 'forever').sort((a, b) => seconds(a) - seconds(b))[0];
    if (granularity === undefined) {
      this.#state('unavailable', NOT_INDEXED);
    } else {
      this.#follow(view, granularity, this.#running.signal);
    }
  }

  /** Ends the stream and forgets what it shows. */
  clear() {
    this.#running.abort();
    cancelAnimationFrame(this.#frame);
    this.element.hidden = true;
    this.#state('', '');
    this.#body.replaceChildren();
    this.#queries.replaceChildren();
  }

  /**
   * @param {import('./view.js').View} view
   * @param {string} granularity
   * @param {AbortSignal} signal
   */
  async #follow(view, granularity, signal) {
    const url = this.#api.url(`datasets/${encodeURIComponent(view.dataset.name)}/live`, [['granularity', granularity], ...view.common]);
    this.#queries.replaceChildren(...queryList([url], this.#api));
    /** @type {any[]} */
    let latest = [];
    /** @type {string | null} */
    let lastEventId = null;
    let pause = FIRST_PAUSE;
    /** @type {string | undefined} the reason that the stream ended with, if it said one */
    let ended;
    this.#state('loading', 'Connecting…');
    while (!signal.aborted) {
      try {
        const stream = await this.#api.stream(url, lastEventId, signal);
        this.#state('complete', `Live since ${clock(Date.now(), view.zone)}`);
        for await (const event of events(stream)) {
          lastEventId = event.id ?? lastEventId;
          if (event.type === 'problem') {
            const { message, reason } = parse(event.data);
            ended = reason;
            this.#state(reason === TOO_MANY ? 'problem' : 'incomplete', `Incomplete: ${message} (${reason})`);
          } else if (event.type === 'bucket') {
            ended = undefined;
            pause = FIRST_PAUSE;
            const bucket = parse(event.data);
            const key = JSON.stringify([bucket.label, bucket.start]);
            latest = [{ ...bucket, key }, ...latest.filter((one) => one.key !== key)].slice(0, LATEST);
            this.#took(latest, view, granularity);
          }
        }
      } catch (failure) {
        if (isAbort(failure) || this.#isFinal(failure)) {
          return;
        }
      }
      if (ended === TOO_MANY) {
        return;
      }
      await wait(pause, signal);
      pause = Math.min(2 * pause, MAX_PAUSE);
    }
  }

  /**
   * @param {any[]} latest
   * @param {import('./view.js').View} view
   * @param {string} granularity
   */
  #took(latest, view, granularity) {
    this.#state('complete', `Live, last change at ${clock(Date.now(), view.zone)}`);
    this.#changed();
    // Many buckets come at once: they are drawn once.
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#body.replaceChildren(dataTable('Buckets that changed last',
      [view.dataset.label.join(' · ') || 'label', granularity, ...view.measures.map((measure) => titleOf(view, measure))],
      latest.map((one) => [text(labelText(one.label)), text(start(one.start, view.zone, seconds(granularity))),
        ...view.measures.map((measure) => number(one.measures[measure] ?? null, unitOf(view, measure)))]))));
  }

  /**
   * Whether trying again is of no use.
   * @param {unknown} failure
   */
  #isFinal(failure) {
    const problem = failure instanceof Problem ? failure : Problem.unreachable(failure);
    const final = problem.status >= 400 && problem.status < 500;
    this.#state(final ? 'problem' : 'incomplete', `${problem.title} – ${problem.message} (${problem.reason})`
      + (final ? '' : '; connecting again…'));
    return final;
  }

  /**
   * @param {string} state
   * @param {string} status
   */
  #state(state, status) {
    this.element.dataset.state = state;
    this.#status.textContent = status;
  }
}
