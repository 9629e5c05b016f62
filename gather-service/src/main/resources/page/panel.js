import { dispose } from './chart.js';
import { h } from './dom.js';
import { Problem } from './problem.js';
import { queryList } from './query-list.js';
import { clock } from './times.js';

/**
 * Asks a query about the view's dataset, such as `series`.
 * @typedef {(query: string, parameters: import('./api.js').Parameters) => Promise<any>} Ask
 */

/**
 * What a panel can do to the page.
 * @typedef {object} Actions
 * @property {(change: Partial<import('./state.js').State>) => void} change
 * @property {(condition: import('./view.js').Condition, only?: boolean) => void} filter adds a condition, or removes it if it
 *   is there; as the only one of its attribute, if so
 * @property {(from: number, to: number) => void} zoom shows a shorter range, in milliseconds
 * @property {() => void} back shows the range before the last zoom
 * @property {() => void} ended a panel was answered, or was not
 */

/**
 * What drawing may use.
 * @typedef {{ actions: Actions, width: number, reload: () => void }} Drawing
 */

/**
 * What is special about a panel.
 * @typedef {object} PanelKind
 * @property {string} id
 * @property {(view: import('./view.js').View) => string} title
 * @property {(view: import('./view.js').View) => string} unavailable why there is nothing to ask; empty if there is
 * @property {(view: import('./view.js').View, actions: Actions, redraw: () => void) => Node} [controls]
 * @property {(view: import('./view.js').View) => unknown[]} [controlled] what its controls depend on
 * @property {(ask: Ask, view: import('./view.js').View) => Promise<any>} load
 * @property {(data: any) => boolean} isEmpty
 * @property {(data: any, view: import('./view.js').View, actions: Actions) => Node | null} [instead] what to offer where it is empty
 * @property {(data: any, view: import('./view.js').View, drawing: Drawing) => (Node | null)[]} draw
 */

/** A part of the page: asks its queries, draws their answers, and says what is missing from them. */
export class Panel {
  #kind;
  #api;
  #actions;
  #running = new AbortController();
  /** @type {{ data: any, view: import('./view.js').View } | null} */
  #shown = null;
  /** @type {import('./view.js').View | null} */
  #asked = null;
  /** @type {Problem | null} why there is no newer answer */
  problem = null;
  #controlled = '';
  #title = h('h2', {});
  #controls = h('div', { class: 'controls' });
  #body = h('div', { class: 'body' });
  #status = h('p', { class: 'status', role: 'status' });
  #queries = h('div', {});

  /**
   * @param {PanelKind} kind
   * @param {import('./api.js').Api} api
   * @param {Actions} actions
   */
  constructor(kind, api, actions) {
    this.#kind = kind;
    this.#api = api;
    this.#actions = actions;
    this.#title.id = `title-${kind.id}`;
    this.element = h('section', { class: 'panel', id: `panel-${kind.id}`, 'aria-labelledby': this.#title.id },
      this.#title, this.#controls, this.#body, this.#status,
      h('details', { class: 'queries' }, h('summary', {}, 'Query'), this.#queries));
  }

  /**
   * Asks and draws. A load under way is cancelled.
   * @param {import('./view.js').View} view
   */
  async show(view) {
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    this.#asked = view;
    this.#showControls(view);
    const reason = this.#kind.unavailable(view);
    if (reason !== '') {
      this.#queries.replaceChildren();
      this.#end('unavailable', [], reason);
      return;
    }
    this.element.dataset.state = 'loading';
    this.element.setAttribute('aria-busy', 'true');
    /** @type {string[]} */
    const urls = [];
    /** @type {any[]} */
    const answers = [];
    try {
      const data = await this.#kind.load(this.#ask(view, running.signal, urls, answers), view);
      running.signal.throwIfAborted();
      this.#queries.replaceChildren(...queryList(urls, this.#api));
      this.#answered(data, answers, view);
    } catch (failure) {
      if (!running.signal.aborted) {
        // What one query lacks, the others cannot make up for.
        running.abort();
        this.#queries.replaceChildren(...queryList(urls, this.#api));
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
    this.#controls.replaceChildren();
    this.#queries.replaceChildren();
    this.#end('', [], '');
  }

  /** Whether a load is under way. */
  get isLoading() {
    return this.element.dataset.state === 'loading';
  }

  /**
   * @param {import('./view.js').View} view
   * @param {AbortSignal} signal
   * @param {string[]} urls
   * @param {any[]} answers
   * @returns {Ask}
   */
  #ask(view, signal, urls, answers) {
    return (query, parameters) => {
      const url = this.#api.url(`datasets/${encodeURIComponent(view.dataset.name)}/${query}`, [...parameters, ...view.common]);
      urls.push(url);
      const answer = this.#api.get(url, signal).then((body) => {
        answers.push(body);
        return body;
      });
      // The panel may have failed already, by another of its queries.
      answer.catch(() => {});
      return answer;
    };
  }

  /**
   * @param {any} data
   * @param {any[]} answers
   * @param {import('./view.js').View} view
   */
  #answered(data, answers, view) {
    const warnings = [...new Set(answers.flatMap((answer) => answer.warnings)
      .map((warning) => `${warning.message} (${warning.reason})`))];
    const complete = answers.every((answer) => answer.complete);
    const asOf = answers.every((answer) => answer.asOf) ? answers.map((answer) => answer.asOf).sort()[0] : null;
    const since = (asOf ? `as of ${clock(asOf, view.zone)}${view.zone === 'UTC' ? ' UTC' : ''}` : 'as of an unknown time')
      + (warnings.length > 0 ? `: ${warnings.join('; ')}` : '');
    const state = complete ? (this.#kind.isEmpty(data) ? 'empty' : 'complete') : 'incomplete';
    if (state === 'empty') {
      this.#end(state, [h('p', { class: 'nothing' }, 'No data in this range. ', this.#kind.instead?.(data, view, this.#actions) ?? '')],
        `Complete, ${since}`);
    } else {
      this.#shown = { data, view };
      this.#end(state, null, `${complete ? 'Complete' : 'Incomplete'}, ${since}`);
      this.#draw(data, view);
    }
  }

  /** @param {unknown} failure */
  #failed(failure) {
    const problem = failure instanceof Problem ? failure : new Problem(0, { title: 'The page failed', detail: String(failure) });
    // Without a connection the last data is better than none.
    const kept = problem.isLost && this.#shown !== null;
    const again = problem.retryAfter === null ? '' : ` Try again in ${problem.retryAfter} s.`;
    this.#end(kept ? 'stale' : 'problem', kept ? null : [h('p', { class: 'problem' }, h('strong', {}, problem.title),
      ` – ${problem.message}${again}`, h('span', { class: 'reason' }, ` (${problem.reason})`))], kept ? this.#status.textContent ?? '' : '', problem);
  }

  /**
   * Hides its problem, as the page says it once for all panels, or shows it.
   * @param {boolean} hidden
   */
  hush(hidden) {
    this.#body.querySelector('.problem')?.toggleAttribute('hidden', hidden);
  }

  /**
   * @param {string} state
   * @param {Node[] | null} body null to leave it
   * @param {string} status
   * @param {Problem | null} [problem]
   */
  #end(state, body, status, problem = null) {
    this.problem = problem;
    this.element.dataset.state = state;
    this.element.removeAttribute('aria-busy');
    if (this.#status.textContent !== status) {
      this.#status.textContent = status;
    }
    if (body !== null) {
      this.#shown = null;
      this.#fill(body);
    }
    this.#actions.ended();
  }

  /**
   * @param {any} data
   * @param {import('./view.js').View} view
   */
  #draw(data, view) {
    this.#fill(this.#kind.isEmpty(data) ? [h('p', { class: 'nothing' }, 'No data in what was answered.')]
      : this.#kind.draw(data, view, { actions: this.#actions, width: this.#body.clientWidth,
        reload: () => this.#asked !== null && this.show(this.#asked) }));
  }

  /** @param {(Node | null)[]} nodes */
  #fill(nodes) {
    const open = this.#body.querySelector('details.folded')?.hasAttribute('open');
    const focused = this.#body.contains(document.activeElement) ? document.activeElement : null;
    const place = focused === null ? -1 : focusable(this.#body).indexOf(focused);
    dispose(this.#body);
    this.#body.replaceChildren(...nodes.filter((node) => node !== null));
    if (open) {
      this.#body.querySelector('details.folded')?.setAttribute('open', '');
    }
    // What had the focus was replaced by a newer one at the same place.
    /** @type {any} */ (focusable(this.#body)[place])?.focus();
  }

  /** @param {import('./view.js').View} view */
  #showControls(view) {
    this.#title.textContent = this.#kind.title(view);
    const depends = JSON.stringify([view.dataset.name, ...(this.#kind.controlled?.(view) ?? [])]);
    if (this.#kind.controls !== undefined && depends !== this.#controlled) {
      this.#controlled = depends;
      const focused = this.#controls.contains(document.activeElement) ? document.activeElement?.getAttribute('name') : null;
      this.#controls.replaceChildren(this.#kind.controls(view, this.#actions, () => this.redraw()));
      this.#controls.querySelector(`[name="${focused}"]`)?.focus();
    }
  }
}

/** @param {Element} within */
function focusable(within) {
  return [...within.querySelectorAll('button, summary, [tabindex]')];
}
