import { Problem, wait } from './api.js';
import { dataTable, number } from './dom.js';
import { clock, parse, start } from './format.js';
import { Frame } from './panel.js';
import { NOT_INDEXED, labelText, seconds } from './view.js';

/** @import { Item } from './panel.js' @import { View } from './view.js' */

const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 30_000;
const LATEST = 5;
/**
 * The reason of a stream that ends because it would watch too many buckets, or goes on but leaves out missed ones, because they
 * are too many.
 */
const TOO_MANY = 'invalid-parameter';

/** The buckets that changed last, from a stream that is opened again whenever it ends; the other panels follow it. */
export class LivePanel extends Frame {
  #changed;
  #running = new AbortController();
  #frame = 0;

  /** @param {import('./api.js').Api} api @param {() => void} changed told of each bucket that changed */
  constructor(api, changed) {
    super('live', api);
    this.#changed = changed;
    this.title.textContent = 'Changed last';
    this.element.hidden = true;
  }

  /** @param {View} view */
  show(view) {
    this.clear();
    if (view.state.refresh !== 'live') {
      return;
    }
    this.#running = new AbortController();
    this.element.hidden = false;
    const granularity = view.stored.filter((name) => name !== 'forever').sort((a, b) => seconds(a) - seconds(b))[0];
    if (granularity === undefined) {
      this.state('unavailable', NOT_INDEXED);
    } else {
      this.#follow(view, granularity, this.#running.signal);
    }
  }

  /** Ends the stream and forgets what it shows. */
  clear() {
    this.#running.abort();
    cancelAnimationFrame(this.#frame);
    this.element.hidden = true;
    this.state('', '');
    this.body.replaceChildren();
    this.list([]);
  }

  /** @param {View} view @param {string} granularity @param {AbortSignal} signal */
  async #follow(view, granularity, signal) {
    const url = this.url(view, 'live', [['granularity', granularity]]);
    this.list([url]);
    /** @type {Item[]} */
    let latest = [];
    let lastEventId = '';
    let pause = FIRST_PAUSE;
    this.state('loading', 'Connecting…');
    while (!signal.aborted) {
      try {
        let isRefused = false;
        for await (const { event, id, data = '' } of this.api.events(url, lastEventId, signal)) {
          lastEventId = id ?? lastEventId;
          isRefused = false;
          if (event === 'open') {
            this.state('complete', `Live since ${clock(Date.now(), view.zone)}`);
          } else if (event === 'problem') {
            const { message, reason } = parse(data);
            isRefused = reason === TOO_MANY;
            this.state('incomplete', `Incomplete: ${message} (${reason})`);
          } else if (event === 'bucket') {
            pause = FIRST_PAUSE;
            const bucket = parse(data);
            const key = JSON.stringify([bucket.label, bucket.start]);
            latest = [{ ...bucket, key }, ...latest.filter((one) => one.key !== key)].slice(0, LATEST);
            this.#took(latest, view, granularity);
          }
        }
        if (isRefused) {
          this.state('problem', this.status.textContent);
          return;
        }
      } catch (failure) {
        if (signal.aborted || this.#isFinal(failure)) {
          return;
        }
      }
      await wait(pause, signal);
      pause = Math.min(2 * pause, MAX_PAUSE);
    }
  }

  /** @param {Item[]} latest @param {View} view @param {string} granularity */
  #took(latest, view, granularity) {
    this.state('complete', `Live, last change at ${clock(Date.now(), view.zone)}`);
    this.#changed();
    // Many buckets come at once: they are drawn once.
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.body.replaceChildren(dataTable('Buckets that changed last',
      [view.dataset.label.join(' · ') || 'label', granularity, ...view.measures.map(view.title)],
      latest.map(({ label, start: from, measures }) => [labelText(label), start(from, view.zone, seconds(granularity)),
        ...view.measures.map((measure) => number(measures[measure], view.unit(measure)))]))));
  }

  /** Whether trying again is of no use. @param {unknown} failure */
  #isFinal(failure) {
    const problem = Problem.of(failure);
    const final = problem.status >= 400 && problem.status < 500;
    this.state(final ? 'problem' : 'incomplete', `${problem}${final ? '' : '; connecting again…'}`);
    return final;
  }
}
