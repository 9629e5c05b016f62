import { Api } from './api.js';
import { controls, filters } from './controls.js';
import { h } from './dom.js';
import { Panel } from './panel.js';
import { compare } from './panel-compare.js';
import { LivePanel } from './panel-live.js';
import { overTime } from './panel-over-time.js';
import { top } from './panel-top.js';
import { week } from './panel-week.js';
import { Problem } from './problem.js';
import { comeBack, leaveFor, provider } from './provider.js';
import { signInDialog } from './sign-in.js';
import { read, write } from './state.js';
import { conditionText, viewOf } from './view.js';

/** How often the panels ask again in live mode, in milliseconds. */
const REFRESH = 5_000;

const api = new Api(document.baseURI);
const tokens = provider();
const dialog = signInDialog((credential) => {
  api.signIn(credential);
  start();
}, tokens && (() => leaveFor(tokens).catch(report)));
const actions = { change, filter, askForCredential: report };
const live = new LivePanel(api, actions);
const panels = [overTime, top, compare, week].map((kind) => new Panel(kind, api, actions));

/** @type {import('./view.js').Dataset[]} */
let datasets = [];
let state = read(location.hash);

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {Partial<import('./state.js').State>} changed */
function change(changed) {
  state = { ...state, ...changed };
  history.pushState(null, '', `#${write(state)}`);
  show();
}

/**
 * @param {import('./view.js').Condition} condition
 * @param {boolean} [only]
 */
function filter(condition, only = false) {
  const text = conditionText(condition);
  const others = state.where.filter((one) => one !== text && !(only && one.startsWith(`${condition.attribute}:`)));
  change({ where: others.length < state.where.length && !only ? others : [...others, text] });
}

function show() {
  if (datasets.length === 0) {
    return;
  }
  const view = viewOf(state, datasets);
  document.title = `${view.dataset.name} – Windrow`;
  showControls(view);
  live.show(view);
  panels.forEach((panel) => panel.show(view));
}

/** @param {import('./view.js').View} view */
function showControls(view) {
  const bar = byId('controls');
  const focused = bar.contains(document.activeElement) ? document.activeElement?.getAttribute('name') : null;
  bar.replaceChildren(h('div', { class: 'fields' }, controls(view, datasets, change)), buttons());
  byId('filters').replaceChildren(...filters(view, actions));
  if (focused) {
    /** @type {HTMLElement | null} */ (bar.querySelector(`[name="${focused}"]`))?.focus();
  }
}

function buttons() {
  return h('div', { class: 'buttons' },
    h('button', { type: 'button', name: 'live', 'aria-pressed': String(state.live !== ''),
      click: () => change({ live: state.live === '' ? 'on' : '' }) }, 'Live'),
    h('button', { type: 'button', name: 'theme', click: switchTheme }, 'Dark or light'),
    api.isSignedIn && h('button', { type: 'button', name: 'sign-out', click: () => {
      api.signIn('');
      forget();
      start();
    } }, 'Sign out'));
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  try {
    localStorage.setItem('windrow-theme', root.dataset.theme);
  } catch {
    // No storage: the choice holds until the page is loaded again.
  }
}

async function start() {
  try {
    const token = tokens ? await comeBack(tokens) : '';
    if (token !== '') {
      api.signIn(token);
      state = read(location.hash);
    }
    datasets = (await api.get(api.url('datasets'), AbortSignal.timeout(30_000))).items;
    byId('notice').hidden = true;
    show();
  } catch (failure) {
    report(failure);
  }
}

/** @param {unknown} failure */
function report(failure) {
  const problem = failure instanceof Problem ? failure : Problem.unreachable(failure);
  const notice = byId('notice');
  notice.hidden = false;
  notice.replaceChildren(`${problem.title} – ${problem.message} (${problem.reason}) `,
    problem.status === 401 ? h('button', { type: 'button', name: 'sign-in', click: () => dialog.open() }, 'Sign in')
      : h('button', { type: 'button', click: start }, 'Try again'));
  if (problem.status === 401) {
    forget();
    dialog.open();
  }
}

/** What was shown is for those with the credential. */
function forget() {
  datasets = [];
  byId('controls').replaceChildren();
  byId('filters').replaceChildren();
  [live, ...panels].forEach((panel) => panel.clear());
}

function refresh() {
  const moving = state.live !== '' && (state.last !== '' || state.to === '') && datasets.length > 0;
  if (moving && !document.hidden) {
    const view = viewOf(state, datasets);
    panels.filter((panel) => !panel.isLoading).forEach((panel) => panel.show(view));
  }
}

function redrawOnResize() {
  let width = byId('panels').clientWidth;
  new ResizeObserver(() => {
    if (byId('panels').clientWidth !== width) {
      width = byId('panels').clientWidth;
      [live, ...panels].forEach((panel) => panel.redraw());
    }
  }).observe(byId('panels'));
}

byId('panels').append(live.element, ...panels.map((panel) => panel.element));
byId('skip').addEventListener('click', (event) => {
  // The fragment is the page's state.
  event.preventDefault();
  byId('panels').focus();
});
addEventListener('popstate', () => {
  state = read(location.hash);
  show();
});
setInterval(refresh, REFRESH);
redrawOnResize();
start();
