import { dataTable, foldedTable, number, text } from './data-table.js';
import { h } from './dom.js';
import { events } from './event-stream.js';
import { parse } from './exact.js';
import { seconds } from './granularity.js';
import { lineChart } from './line-chart.js';
import { LiveWindow, isCombinable } from './live-window.js';
import { Problem, isAbort } from './problem.js';
import { queryList } from './query-list.js';
import { clock, start, tick } from './times.js';
import { NOT_INDEXED, labelText, scopeOf } from './view.js';

const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 30_000;

/** The reason of a stream that ends because its window has too many buckets. */
const TOO_MANY = 'invalid-parameter';

/** Buckets as they change, from a stream that is opened again whenever it ends. */
export class LivePanel {
  #api;
  #actions;
  #running = new AbortController();
  #body = h('div', { class: 'body' });
  #status = h('p', { class: 'status', role: 'status' });
  #queries = h('div', {});
  /** @type {(() => void) | null} */
  #draw = null;
  #frame = 0;

  /**
   * @param {import('./api.js').Api} api
   * @param {import('./panel.js').Actions} actions
   */
  constructor(api, actions) {
    this.#api = api;
    this.#actions = actions;
    this.element = h('section', { class: 'panel', id: 'panel-live', 'aria-labelledby': 'title-live', hidden: true },
      h('h2', { id: 'title-live' }, 'Live'), this.#body, this.#status,
      h('details', { class: 'queries' }, h('summary', {}, 'Query'), this.#queries));
  }

  /** @param {import('./view.js').View} view */
  show(view) {
    this.clear();
    if (view.state.live === '') {
      return;
    }
    this.#running = new AbortController();
    this.element.hidden = false;
    const granularity = view.stored.filter((name) => name !== 'forever')
      .sort((a, b) => seconds(a) - seconds(b))[0];
    if (granularity === undefined) {
      this.#state('unavailable', NOT_INDEXED);
    } else {
      this.#follow(view, granularity, this.#running.signal);
    }
  }

  /** Ends the stream and forgets what it shows. */
  clear() {
    this.#running.abort();
    this.#draw = null;
    this.element.hidden = true;
    this.#state('', '');
    this.#body.replaceChildren();
    this.#queries.replaceChildren();
  }

  redraw() {
    this.#draw?.();
  }

  /**
   * @param {import('./view.js').View} view
   * @param {string} granularity
   * @param {AbortSignal} signal
   */
  async #follow(view, granularity, signal) {
    const window = new LiveWindow(granularity);
    this.#draw = () => this.#drawn(window, view, granularity);
    let url = this.#asked(window, view, granularity);
    /** @type {string | null} */
    let lastEventId = null;
    /** @type {{ message: string, reason: string } | null} the latest, if no bucket came since */
    let problem = null;
    let pause = FIRST_PAUSE;
    while (!signal.aborted) {
      /** @type {string | undefined} the reason that this stream ended with, if it said one */
      let ended;
      try {
        this.#stateUnless(problem, 'loading', 'Connecting…');
        const stream = await this.#api.stream(url, lastEventId, signal);
        this.#stateUnless(problem, 'complete', `Live since ${clock(Date.now(), view.zone)}`);
        for await (const event of events(stream)) {
          lastEventId = event.id ?? lastEventId;
          if (event.type === 'problem') {
            problem = parse(event.data);
            ended = problem?.reason;
            this.#state('incomplete', `Incomplete: ${problem?.message} (${problem?.reason})`);
          } else if (event.type === 'bucket') {
            problem = null;
            ended = undefined;
            pause = FIRST_PAUSE;
            this.#take(parse(event.data), window, view);
          }
        }
        this.#stateUnless(problem, 'loading', 'The stream ended; connecting again…');
      } catch (failure) {
        if (isAbort(failure) || this.#isFinal(failure)) {
          return;
        }
        problem = null;
      }
      if (ended !== TOO_MANY) {
        await wait(pause, signal);
        pause = Math.min(2 * pause, MAX_PAUSE);
      } else if (window.halve()) {
        url = this.#asked(window, view, granularity);
        problem = null;
        // What was missed before the shorter window is of no interest.
        lastEventId = null;
        await wait(FIRST_PAUSE, signal);
      } else {
        this.#state('problem', `${problem?.message} (${ended})`);
        return;
      }
    }
  }

  /**
   * The address of the stream, which is shown as well.
   * @param {LiveWindow} window
   * @param {import('./view.js').View} view
   * @param {string} granularity
   */
  #asked(window, view, granularity) {
    const url = this.#api.url(`datasets/${encodeURIComponent(view.dataset.name)}/live`, [['granularity', granularity],
      ...(seconds(granularity) <= 3_600 ? [/** @type {[string, string]} */ (['window', `${window.length}s`])] : []),
      ...view.common]);
    this.#queries.replaceChildren(...queryList([url], this.#api));
    return url;
  }

  /**
   * @param {any} bucket
   * @param {LiveWindow} window
   * @param {import('./view.js').View} view
   */
  #take(bucket, window, view) {
    const now = Date.now();
    window.add(bucket, now);
    this.#state('complete', `Live, last change at ${clock(now, view.zone)}`);
    // Many buckets come at once: they are drawn once.
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw?.());
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
    if (problem.status === 401) {
      this.#actions.askForCredential(problem);
    }
    return final;
  }

  /**
   * @param {LiveWindow} window
   * @param {import('./view.js').View} view
   * @param {string} granularity
   */
  #drawn(window, view, granularity) {
    const now = Date.now();
    window.expire(now);
    const { type } = view.dataset.measures[view.by];
    const sums = isCombinable(type) ? window.sums(view.by, type, now) : [];
    const bucket = seconds(granularity);
    const title = `${view.by} of ${scopeOf(view)} per ${granularity}, live`;
    const open = this.#body.querySelector('details.folded')?.hasAttribute('open');
    this.#body.replaceChildren(
      ...(sums.length === 0 ? [h('p', { class: 'nothing' }, isCombinable(type) ? 'No data yet.'
        : `Values of ${view.by} (${type}) cannot be put together here.`)] : [
        lineChart({ title, times: sums.map((sum) => sum.start),
          lines: [{ name: view.by, tone: 2, values: sums.map((sum) => sum.value) }], width: this.#body.clientWidth, height: 180,
          zone: view.zone, mark: (time, step) => tick(time, view.zone, step),
          text: (i) => start(sums[i].start, view.zone, bucket) }),
        foldedTable(title, ['start', view.by], () => sums.map((sum) => [text(start(sum.start, view.zone, bucket)),
          number(sum.value)])),
      ]),
      dataTable('Changed last', ['changed last', 'start', ...view.measures], window.latest.map((one) => [
        text(labelText(one.label)), text(start(one.start, view.zone, bucket)),
        ...view.measures.map((measure) => number(one.measures[measure] ?? null))])));
    if (open) {
      this.#body.querySelector('details.folded')?.setAttribute('open', '');
    }
  }

  /**
   * @param {unknown} problem that is shown and stays, if there is one
   * @param {string} state
   * @param {string} status
   */
  #stateUnless(problem, state, status) {
    if (problem === null) {
      this.#state(state, status);
    }
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

/**
 * @param {number} millis
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function wait(millis, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
