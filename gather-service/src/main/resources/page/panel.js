import { Problem } from './api.js';
import { dispose } from './chart.js';
import { button, dataTable, h, number, refocused } from './dom.js';
import { clock } from './format.js';
import { write } from './view.js';

/** @import { Api, Parameters } from './api.js' @import { Condition, State, View } from './view.js' */

/**
 * @typedef {Record<string, any>} Item of an answer
 * @typedef {(query: string, ...parameters: Parameters) => Promise<Item & { items: Item[] }>} Ask asks a query about the view's
 *   dataset, such as `series`
 */

/**
 * What a panel can do to the page.
 * @typedef {object} Actions
 * @property {(change: Partial<State>) => void} change
 * @property {(condition: Condition, only?: boolean) => void} filter adds a condition, or removes it if it is there; as the only
 *   one of its attribute, if so
 * @property {(from: number, to: number) => void} zoom shows a shorter range, in milliseconds
 * @property {() => void} back shows the range before the last zoom
 * @property {() => void} ended a panel was answered, or was not
 */

/** @typedef {{ actions: Actions, width: number, reload: () => void }} Drawing what drawing may use; the width is in pixels */

/**
 * What is special about a panel.
 * @template [T=any]
 * @typedef {object} PanelKind
 * @property {string} id
 * @property {(view: View) => string} title
 * @property {(view: View) => string} unavailable why there is nothing to ask; empty if there is
 * @property {(view: View, actions: Actions, redraw: () => void) => Node} [controls]
 * @property {(view: View) => unknown[]} [controlled] what its controls depend on
 * @property {(ask: Ask, view: View) => Promise<T>} load
 * @property {(data: T) => boolean} isEmpty
 * @property {(data: T, view: View, actions: Actions) => Node | false} [instead] what to offer where it is empty
 * @property {(data: T, view: View, drawing: Drawing) => (Node | null)[]} draw
 */

/** @param {Item} warning */
const said = ({ message, reason }) => `${message} (${reason})`;

/** All that is chosen but how often to ask. @param {View} view */
const question = ({ state }) => write({ ...state, refresh: '' });

/** The frame of a part of the page: its title, what it shows, how complete that is, and its queries. */
export class Frame {
  #queries = h('div', {});
  title = h('h2', {});
  controls = h('div', { class: 'controls' });
  body = h('div', { class: 'body' });
  status = h('p', { class: 'status', role: 'status' });

  /** @param {string} id @param {Api} api */
  constructor(id, api) {
    this.api = api;
    this.title.id = `title-${id}`;
    this.element = h('section', { class: 'panel', id: `panel-${id}`, 'aria-labelledby': this.title.id },
      this.title, this.controls, this.body, this.status,
      h('details', { class: 'queries' }, h('summary', {}, 'Query'), this.#queries));
  }

  /** The address of a query about a view. @param {View} view @param {string} query @param {Parameters} parameters */
  url(view, query, parameters) {
    return this.api.url(`datasets/${encodeURIComponent(view.dataset.name)}/${query}`, [...parameters, ...view.common]);
  }

  /** @param {string} state @param {string} status */
  state(state, status) {
    this.element.dataset.state = state;
    // A text that is set again is read out again.
    if (this.status.textContent !== status) {
      this.status.textContent = status;
    }
  }

  /** Lists queries as commands, and how each was answered. @param {string[]} urls */
  list(urls) {
    this.#queries.replaceChildren(...urls.map((url) => {
      const command = this.api.curl(url);
      const explanation = h('div', { class: 'explanation', 'aria-live': 'polite' });
      const copied = button({}, () => (navigator.clipboard?.writeText(command) ?? Promise.reject())
        .then(() => 'Copied', () => 'Cannot copy here').then((text) => copied.replaceChildren(text)), 'Copy');
      const saved = button({ class: 'csv' }, () => this.#save(url, saved), 'CSV');
      return h('div', { class: 'query' }, h('pre', { tabindex: '0' }, h('code', {}, command)), copied,
        !url.includes('/live?') && button({ class: 'explain' }, () => this.#explain(url, explanation), 'Explain'),
        /\/(series|top|busiest)\?/.test(url) && saved, explanation);
    }));
  }

  /** @param {string} url @param {Element} into what went wrong, if something does */
  async #save(url, into) {
    try {
      const address = URL.createObjectURL(await this.api.csv(`${url}&spreadsheet=true`));
      h('a', { href: address, download: `${new URL(url).pathname.split('/').slice(-2).join('-')}.csv` }).click();
      URL.revokeObjectURL(address);
    } catch (failure) {
      into.replaceChildren(Problem.of(failure).message);
    }
  }

  /** @param {string} url @param {Element} into */
  async #explain(url, into) {
    into.replaceChildren('…');
    try {
      const { explain } = await this.api.get(`${url}&explain=true`, AbortSignal.timeout(60_000));
      // A comparison reads two periods.
      into.replaceChildren(...[explain].flat().flatMap((plan) => [
        h('p', {}, `${plan.shards} shards, ${plan.pages} pages, ${plan.items} items, ${plan.readUnits} read units; waited `
          + `${plan.waitedMillis} ms, gathered in ${plan.gatheredMillis} ms; read from ${plan.dataset}: ${plan.choice}`),
        dataTable('Stages of the plan', ['source', 'granularity', 'shards', 'from key', 'to key'], plan.plan.map(
          (/** @type {Item} */ stage) => [stage.source, stage.granularity, number(stage.shards), stage.fromKey, stage.toKey])),
      ]));
    } catch (failure) {
      into.replaceChildren(Problem.of(failure).message);
    }
  }
}

/** How complete answers are, and as of when. @param {Item[]} answers @param {View} view */
function statusOf(answers, view) {
  const warnings = new Set(answers.flatMap((answer) => answer.warnings.map(said)));
  const times = answers.map((answer) => answer.asOf).sort();
  const asOf = times.every(Boolean) ? `${clock(times[0], view.zone)}${view.zone === 'UTC' ? ' UTC' : ''}` : 'an unknown time';
  const missing = warnings.size > 0 ? `: ${[...warnings].join('; ')}` : '';
  return `${answers.every((answer) => answer.complete) ? 'Complete' : 'Incomplete'}, as of ${asOf}${missing}`;
}

/** A part of the page: asks its queries, draws their answers, and says what is missing from them. */
export class Panel extends Frame {
  #kind;
  #actions;
  #running = new AbortController();
  /** @type {{ data: any, view: View, answers: Item[] } | null} */
  #shown = null;
  /** @type {View | null} */
  #asked = null;
  /** @type {Problem | null} why there is no newer answer */
  problem = null;
  #controlled = '';

  /** @param {PanelKind} kind @param {Api} api @param {Actions} actions */
  constructor(kind, api, actions) {
    super(kind.id, api);
    this.#kind = kind;
    this.#actions = actions;
  }

  /** Asks and draws. A load under way is cancelled. @param {View} view */
  async show(view) {
    this.#running.abort();
    const running = this.#running = new AbortController();
    if (this.#asked?.dataset.name !== view.dataset.name) {
      // What it offers to click on, the other dataset may not have.
      this.#empty();
    }
    this.#asked = view;
    this.#showControls(view);
    const reason = this.#kind.unavailable(view);
    if (reason !== '') {
      this.list([]);
      this.#end('unavailable', [], reason);
      return;
    }
    this.element.dataset.state = 'loading';
    this.element.setAttribute('aria-busy', 'true');
    /** @type {string[]} */
    const urls = [];
    /** @type {Item[]} */
    const answers = [];
    /** @type {Ask} */
    const ask = (query, ...parameters) => {
      const url = this.url(view, query, parameters);
      urls.push(url);
      const answer = this.api.get(url, running.signal);
      // The panel may have failed already, by another of its queries.
      answer.then((body) => answers.push(body), () => {});
      return answer;
    };
    try {
      const data = await this.#kind.load(ask, view);
      running.signal.throwIfAborted();
      this.list(urls);
      this.#answered(data, answers, view);
    } catch (failure) {
      if (!running.signal.aborted) {
        // What one query lacks, the others cannot make up for.
        running.abort();
        this.list(urls);
        this.#failed(failure);
      }
    }
  }

  /** Draws the same data again, as the width or the colors have changed. */
  redraw() {
    if (this.#shown !== null) {
      this.#draw(this.#shown.data, this.#shown.view);
    }
  }

  /** Forgets what it shows. A load under way is cancelled. */
  clear() {
    this.#running.abort();
    this.#controlled = '';
    this.controls.replaceChildren();
    this.list([]);
    this.problem = null;
    this.element.removeAttribute('aria-busy');
    this.#empty();
  }

  /** Whether a load is under way. */
  get isLoading() {
    return this.element.dataset.state === 'loading';
  }

  /** Hides its problem, as the page says it once for all panels, or shows it. @param {boolean} hidden */
  hush(hidden) {
    this.body.querySelector('.problem')?.toggleAttribute('hidden', hidden);
  }

  /** @param {any} data @param {Item[]} answers @param {View} view */
  #answered(data, answers, view) {
    const complete = answers.every((answer) => answer.complete);
    const status = statusOf(answers, view);
    if (complete && this.#kind.isEmpty(data)) {
      const instead = this.#kind.instead?.(data, view, this.#actions);
      this.#end('empty', [h('p', { class: 'nothing' }, 'No data in this range. ', instead)], status);
    } else {
      this.#shown = { data, view, answers };
      this.#end(complete ? 'complete' : 'incomplete', null, status);
      this.#draw(data, view);
    }
  }

  /** @param {unknown} failure */
  #failed(failure) {
    const problem = Problem.of(failure, 'The page failed');
    const again = problem.retryAfter === null ? '' : ` Try again in ${problem.retryAfter} s.`;
    const [shown, asked] = [this.#shown, this.#asked];
    if (problem.isLost && shown !== null && asked !== null && question(shown.view) === question(asked)) {
      // Without a connection the last data is better than none.
      this.#end('stale', null, statusOf(shown.answers, shown.view), problem);
    } else {
      this.#end('problem', [h('p', { class: 'problem' }, h('strong', {}, problem.title), ` – ${problem.message}${again}`,
        h('span', { class: 'reason' }, ` (${problem.reason})`))], '', problem);
    }
  }

  /** @param {string} state @param {Node[]?} body null to leave it @param {string} status @param {Problem?} [problem] */
  #end(state, body, status, problem = null) {
    this.problem = problem;
    this.state(state, status);
    this.element.removeAttribute('aria-busy');
    this.#showTitle();
    if (body !== null) {
      this.#shown = null;
      this.#fill(body);
    }
    this.#actions.ended();
  }

  #empty() {
    this.#shown = null;
    this.state('', '');
    this.#fill([]);
  }

  #showTitle() {
    this.title.textContent = this.#asked && this.#kind.title(this.#asked);
  }

  /** @param {any} data @param {View} view */
  #draw(data, view) {
    this.#fill(this.#kind.isEmpty(data) ? [h('p', { class: 'nothing' }, 'No data in what was answered.')]
      : this.#kind.draw(data, view, { actions: this.#actions, width: this.body.clientWidth,
        reload: () => this.#asked !== null && this.show(this.#asked) }));
  }

  /** @param {(Node | null)[]} nodes */
  #fill(nodes) {
    const focusable = () => [...this.body.querySelectorAll('button, summary, [tabindex]')];
    const open = this.body.querySelector('details.folded')?.hasAttribute('open') ?? false;
    const place = focusable().findIndex((element) => element === document.activeElement);
    dispose(this.body);
    this.body.replaceChildren(...nodes.filter((node) => node !== null));
    this.body.querySelector('details.folded')?.toggleAttribute('open', open);
    // What had the focus was replaced by a newer one at the same place.
    focusable()[place]?.focus();
  }

  /** @param {View} view */
  #showControls(view) {
    if (this.body.childElementCount === 0) {
      // Another body keeps its title until it is replaced.
      this.#showTitle();
    }
    const depends = JSON.stringify([view.dataset.name, ...(this.#kind.controlled?.(view) ?? [])]);
    if (depends !== this.#controlled) {
      this.#controlled = depends;
      const controls = this.#kind.controls?.(view, this.#actions, () => this.redraw());
      refocused(this.controls, () => this.controls.replaceChildren(controls ?? ''));
    }
  }
}
