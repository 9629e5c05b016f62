import { Api, Problem } from './api.js';
import { controls, filters } from './controls.js';
import { button, h, refocused } from './dom.js';
import { clock, rfc3339 } from './format.js';
import { LivePanel } from './live.js';
import { Panel } from './panel.js';
import { movers, overTime, summary, top, week } from './panels.js';
import { comeBack, leaveFor, provider, signInDialog } from './sign-in.js';
import { conditionText, read, viewOf, write } from './view.js';

/** @import { Actions } from './panel.js' @import { Condition, Dataset, State, View } from './view.js' */

/** Milliseconds between two looks at what is due, and between two answers of a panel where buckets change all the time. */
const TICK = 1_000;
const LIVE = 2_000;
/** Where buckets do not change, ranges move on all the same; and a lost connection is tried so often. */
const SLOW = 10_000;
/** @type {Record<string, number>} */
const REFRESH = { '10s': 10_000, '1m': 60_000 };
/** Attributes that have a list of their own. */
const MAX_LISTS = 4;

const api = new Api(document.baseURI);
const tokens = provider();
const openDialog = signInDialog((credential) => {
  api.signIn(credential);
  start();
}, tokens && (() => leaveFor(tokens).catch(report)));
/** @type {Actions} */
const actions = { change, filter, zoom, back, ended };
const live = new LivePanel(api, () => { isChanged = true; });
/** @type {Map<string, Panel>} */
let panels = new Map();
/** @type {Dataset[]} */
let datasets = [];
let state = read(location.hash);
/** @type {Pick<State, 'last' | 'from' | 'to'>[]} ranges before those zoomed to */
const zoomed = [];
let isChanged = false;
let asked = 0;
let lostSince = 0; // milliseconds; 0 while the service can be reached

const redraw = () => panels.forEach((panel) => panel.redraw());
const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {Partial<State>} changed */
function change(changed) {
  state = { ...state, ...changed };
  history.pushState(null, '', write(state));
  show();
}

/** @param {Condition} condition @param {boolean} [only] */
function filter(condition, only = false) {
  const text = conditionText(condition);
  const others = state.where.filter((one) => one !== text && !(only && one.startsWith(`${condition.attribute}:`)));
  change({ where: others.length < state.where.length && !only ? others : [...others, text] });
}

/** @param {number} from @param {number} to */
function zoom(from, to) {
  zoomed.push({ last: state.last, from: state.from, to: state.to });
  change({ last: '', from: rfc3339(from), to: rfc3339(to), granularity: '' });
}

function back() {
  const before = zoomed.pop();
  if (before !== undefined) {
    change(before);
  }
}

function show() {
  if (datasets.length === 0) {
    return;
  }
  const view = viewOf(state, datasets);
  document.title = `${view.name} – Windrow`;
  showControls(view);
  if (view.unknown.length > 0) {
    say(view.unknown.join(' '));
    clear();
    return;
  }
  arrange(view);
  live.show(view);
  ask(view);
}

function clear() {
  lostSince = 0;
  [live, ...panels.values()].forEach((panel) => panel.clear());
}

/** @param {View} view */
function ask(view) {
  asked = Date.now();
  isChanged = false;
  panels.forEach((panel) => panel.show(view));
}

/** The panels that the dataset has. @param {View} view */
function arrange(view) {
  const lists = view.group.length > 0 ? [view.group] : view.dataset.label.slice(0, MAX_LISTS).map((attribute) => [attribute]);
  const kinds = [summary, overTime, ...(lists.length === 0 ? [top([])] : lists.map(top)), movers, week];
  panels.forEach((panel, id) => kinds.every((kind) => kind.id !== id) && panel.clear());
  panels = new Map(kinds.map((kind) => [kind.id, panels.get(kind.id) ?? new Panel(kind, api, actions)]));
  const elements = [...panels.values()].map((panel) => panel.element);
  elements.splice(2, 0, live.element);
  const main = byId('panels');
  if (elements.length !== main.children.length || elements.some((element, i) => main.children[i] !== element)) {
    main.replaceChildren(...elements);
  }
}

/** @param {View} view */
function showControls(view) {
  const bar = byId('controls');
  // A credential has one tenant.
  const tenants = state.tenant !== '' || !api.isSignedIn;
  const open = bar.querySelector('.settings')?.hasAttribute('open') ?? !matchMedia('(max-width: 40rem)').matches;
  refocused(bar, () => bar.replaceChildren(
    h('details', { class: 'settings', open }, h('summary', {}, `${view.name}, ${state.last || 'from … to …'}`),
      h('div', { class: 'fields' }, controls(view, datasets, tenants, actions))),
    h('div', { class: 'buttons' },
      button({ name: 'theme', title: 'Dark or light', 'aria-label': 'Dark or light' }, switchTheme, '◐'),
      api.isSignedIn && button({ name: 'sign-out' }, () => {
        api.signIn('');
        forget();
        start();
      }, 'Sign out'))));
  byId('filters').replaceChildren(...filters(view, actions));
}

function switchTheme() {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark';
  redraw();
  try {
    localStorage.setItem('windrow-theme', dataset.theme);
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
    say();
    show();
  } catch (failure) {
    report(failure);
  }
}

/** @param {...(Node | string)} words nothing to hide the notice */
function say(...words) {
  const notice = byId('notice');
  notice.hidden = words.length === 0;
  notice.replaceChildren(...words);
}

/** @param {unknown} failure */
function report(failure) {
  const problem = Problem.of(failure);
  const refused = problem.status === 401;
  say(`${problem} `, refused ? button({ name: 'sign-in' }, openDialog, 'Sign in') : button({}, start, 'Try again'));
  if (refused) {
    forget();
    openDialog();
  }
}

/** Says once what several panels lack. */
function ended() {
  const failed = [...panels.values()].filter((panel) => panel.problem !== null);
  const problems = failed.map((panel) => /** @type {Problem} */ (panel.problem));
  const refused = problems.find((problem) => problem.status === 401);
  const isLost = problems.some((problem) => problem.isLost);
  lostSince = isLost ? lostSince || asked : 0;
  const shared = problems.find((problem) => problems.filter((other) => other.reason === problem.reason).length > 1);
  failed.forEach((panel) => panel.hush(isLost ? panel.problem?.isLost === true : panel.problem?.reason === shared?.reason));
  if (refused !== undefined) {
    report(refused);
  } else if (isLost) {
    say(`The service cannot be reached since ${clock(lostSince, viewOf(state, datasets).zone)}. `
      + `It is asked again every ${SLOW / 1_000} s; what is grey was shown before.`);
  } else if (shared !== undefined) {
    report(shared);
  } else if (datasets.length > 0 && viewOf(state, datasets).unknown.length === 0) {
    say();
  }
}

/** What was shown is for those with the credential. */
function forget() {
  datasets = [];
  byId('controls').replaceChildren();
  byId('filters').replaceChildren();
  clear();
}

function refresh() {
  const isLost = lostSince > 0;
  const pause = isLost ? SLOW : state.refresh === 'live' ? (isChanged ? LIVE : SLOW) : (REFRESH[state.refresh] ?? Infinity);
  const moving = isLost || state.last !== '' || state.to === '';
  if (datasets.length > 0 && moving && Date.now() - asked >= pause && !document.hidden
    && [...panels.values()].every((panel) => !panel.isLoading)) {
    ask(viewOf(state, datasets));
  }
}

let width = 0;
new ResizeObserver(() => {
  if (byId('panels').clientWidth !== width) {
    width = byId('panels').clientWidth;
    redraw();
  }
}).observe(byId('panels'));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
byId('skip').addEventListener('click', (event) => {
  // The fragment is the page's state.
  event.preventDefault();
  byId('panels').focus();
});
addEventListener('popstate', () => {
  state = read(location.hash);
  show();
});
setInterval(refresh, TICK);
start();
