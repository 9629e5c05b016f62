import { sparkLine, timeChart } from './chart.js';
import { button, checkbox, choice, dataTable, foldedTable, h, heatMap, number } from './dom.js';
import { amount, local, start } from './format.js';
import { NOT_INDEXED, automatic, endOf, fits, labelText, seconds } from './view.js';

/** @import { Actions, Ask, Item, PanelKind } from './panel.js' @import { View } from './view.js' */
/** @import { Parameters } from './api.js' */
/** @typedef {{ name: string, points: Item[], dashed?: boolean }} Line */

const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });
/** @type {[string, string][]} */
const PERIODS = [['', 'nothing'], ['previous', 'the period before'], ['day', 'a day earlier'], ['week', 'a week earlier'],
  ['month', 'a month earlier'], ['year', 'a year earlier']];
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
const HOUR = 3_600_000;
const ROWS = 10;
const MAX_ROWS = 1_000;
const LINES = '5';
/** Measures that add up, so that parts of them can be stacked. */
const ADDITIVE = ['count', 'sum'];

/** @param {View} view */
const notIndexed = (view) => (view.stored.length === 0 ? NOT_INDEXED : '');

/** Whether nothing was counted: filled buckets have sums of 0. @param {Item} item */
const isNothing = (item) => Object.values(item.measures).every((value) => value === null || Number(value) === 0);

/** How a value changed, in percent of the value before; as a multiple of it where percents say little. @param {any} change */
function relative(change) {
  const part = Number(change?.relative ?? NaN);
  return Number.isNaN(part) ? '–' : part < 10 ? PERCENT.format(part) : `× ${amount(part + 1)}`;
}

/** All its numbers. @param {View} view @param {Item} item @param {boolean} [short] */
const numbers = ({ measures, unit }, item, short) => measures.map((name) => number(item.measures[name], unit(name), short));

/** What the period is compared with. @param {View} view @returns {[string, string]} */
const against = (view) => ['against', view.state.against || 'previous'];

/** The range as parameters. @param {View} view @returns {Parameters} */
const period = (view) => [...view.range, ...view.tz];

/** The sums of the range, and how they changed. @type {PanelKind<Item>} */
export const summary = {
  id: 'summary',
  title: (view) => `Totals of ${view.scope}`,
  unavailable: notIndexed,
  load: async (ask, view) => {
    if (view.isBounded) {
      try {
        const sums = await ask('compare', against(view), ...period(view));
        const extent = isNothing(sums.period) && view.granularity !== '' && await extentOf(ask, view);
        return { measures: sums.period.measures, change: sums.change, extent };
      } catch (/** @type {any} */ problem) {
        // There may be nothing to compare with, or a sum may lack something: the sums are still worth a look.
        if (!['invalid-parameter', 'range-too-short'].includes(problem.reason) && problem.status !== 503) {
          throw problem;
        }
      }
    }
    return { ...await ask('totals', ...period(view), ['partial', 'true']), change: {} };
  },
  isEmpty: isNothing,
  instead: ({ extent }, view, { zoom }) => extent && button({ class: 'extent' }, () => zoom(extent[0], extent[1]),
    `Show all, from ${start(extent[0], view.zone, 3_600)} to ${start(extent[1], view.zone, 3_600)}`),
  draw: ({ measures, change }, view, { actions }) => [h('div', { class: 'cards' }, view.measures.map((measure) =>
    button({ class: 'card', 'aria-pressed': String(measure === view.by), title: view.dataset.measures[measure].description },
      () => actions.change({ by: measure }), h('span', { class: 'name' }, view.title(measure)),
      h('data', { value: String(measures[measure] ?? '') }, amount(measures[measure], view.unit(measure))),
      (change[measure]?.relative ?? null) !== null && h('span', { class: 'change' }, relative(change[measure])))))],
};

/** From when to when there is data, in the finest granularity that all time may have. @param {Ask} ask @param {View} view */
async function extentOf(ask, view) {
  const [first, last] = await Promise.all([edge(ask, view, 'asc'), edge(ask, view, 'desc')]);
  return Number.isNaN(first) ? null : [first, Math.min(Date.now(), endOf(last, view.granularities.at(-1) ?? '', view.zone))];
}

/** When the first or last bucket begins; NaN if there is none. @param {Ask} ask @param {View} view @param {string} order */
async function edge(ask, { granularities, tz }, order) {
  const { items } = await ask('series', ['granularity', granularities.at(-1) ?? ''], ['order', order], ['limit', '1'], ...tz);
  return items.length === 0 ? NaN : Date.parse(items[0].start);
}

/** @type {PanelKind<{ granularity: string, lines: Line[] }>} One measure: of all labels, the largest, or two periods. */
export const overTime = {
  id: 'over-time',
  title: (view) => `${view.title(view.by)} over time`,
  unavailable: (view) => (view.granularity === '' ? NOT_INDEXED : ''),
  controlled: ({ state, by }) => [state.against, state.lines, state.stacked, by],
  controls: ({ dataset, by, state }, { change }) => h('div', { class: 'fields' },
    choice('Compared with', 'against', PERIODS, state.against, (against) => change({ against, lines: '' })),
    dataset.label.length > 0 && choice('Lines', 'lines', [['', 'one for all'],
      .../** @type {typeof PERIODS} */ (dataset.label.map((name) => [name, `by ${name}`]))], state.lines,
    (lines) => change({ lines, against: '' })),
    state.lines !== '' && ADDITIVE.includes(dataset.measures[by].type) && checkbox('Stacked', 'stacked', state.stacked !== '',
      (checked) => change({ stacked: checked ? 'on' : '' }))),
  load: async (ask, view) => {
    const { lines } = view.state;
    const granularity = await granularityOf(ask, view);
    /** @type {(...parameters: Parameters) => Promise<Item[]>} */
    const points = async (...parameters) => (await ask('series', ['granularity', granularity], ['fill', 'zero'], ...view.tz,
      ...parameters)).items;
    if (lines !== '') {
      const found = byLabel(await points(['group', 'top'], ['other', 'true'], ['n', LINES], ['by', view.by], ['groupBy', lines],
        ...view.range));
      return { granularity, lines: found.filter((line, i) => i === 0 || !line.points.every(isNothing)) };
    }
    if (view.state.against === '' || !view.isBounded) {
      return { granularity, lines: [{ name: view.title(view.by), points: await points(...view.range) }] };
    }
    const sums = await ask('compare', against(view), ...period(view));
    const [now, then] = await Promise.all([sums.period, sums.against].map(
      ({ from, to }) => points(['from', from], ['to', to])));
    return { granularity, lines: [{ name: 'this period', points: now }, { name: 'the other', points: then, dashed: true }] };
  },
  isEmpty: ({ lines }) => lines.every((line) => line.points.every(isNothing)),
  draw: ({ granularity, lines }, view, drawing) => {
    const longest = lines.reduce((a, b) => (b.points.length > a.points.length ? b : a)).points;
    const bucket = seconds(granularity);
    const times = longest.map((point) => Date.parse(point.start));
    const title = `${view.title(view.by)} of ${view.scope} per ${granularity}`;
    const isCompared = lines.some(({ dashed }) => dashed);
    const drawn = lines.map(({ points, ...line }) => {
      // Two periods begin together. Labels end together: without a start of the range, each begins with its own first bucket.
      const first = isCompared ? 0 : longest.length - points.length;
      return { ...line, values: longest.map((_point, i) => points[i - first]?.measures[view.by] ?? null) };
    });
    return [
      timeChart({ title, times, end: endOf(times[times.length - 1], granularity, view.zone), bucket, lines: drawn,
        partial: longest.map((point) => point.partial === true), stacked: view.state.lines !== '' && view.state.stacked !== '' }, view, drawing),
      foldedTable(title, ['start', ...(lines.length === 1 ? view.measures.map(view.title) : lines.map(({ name }) => name))],
        () => longest.map((point, i) => [start(times[i], view.zone, bucket), ...(lines.length === 1 ? numbers(view, point)
          : drawn.map(({ values }) => number(values[i], view.unit(view.by))))])),
    ];
  },
};

/**
 * The granularity chosen. For all time, one that fits the data: the first bucket of the coarsest says how old that is.
 * @param {Ask} ask @param {View} view
 */
async function granularityOf(ask, view) {
  if (view.seconds > 0 || view.range.length > 0) {
    return view.granularity;
  }
  const age = Math.max(1, (Date.now() - (await edge(ask, view, 'asc') || Date.now())) / 1_000);
  return fits(view.granularity, age) && view.state.granularity !== '' ? view.granularity : automatic(view.lasting, age);
}

/** The series of an answer with several, largest first. @param {Item[]} items */
function byLabel(items) {
  /** @type {Map<string, Line & { key: string }>} */
  const lines = new Map();
  for (const item of items) {
    const key = item.other ? '' : JSON.stringify(item.label);
    const line = lines.get(key) ?? { key, name: item.other ? 'other' : labelText(item.label), points: [] };
    line.points.push(item);
    lines.set(key, line);
  }
  return [...lines.values()];
}

/** The values of a label as filters. @param {string[]} attributes @param {string[]} label @param {Actions} actions */
function valueButtons(attributes, label, actions) {
  return h('span', {}, label.length === 0 ? labelText(label) : label.flatMap((value, i) => [i > 0 && ' · ',
    button({ class: 'label', title: `Only ${attributes[i]} ${labelText([value])}` },
      () => actions.filter({ attribute: attributes[i], value }, true), labelText([value]))]));
}

/** A part of an id that no other attribute has. @param {string} attribute */
const idPart = (attribute) => attribute.replace(/[^A-Za-z0-9]/gu, (other) => `_${other.codePointAt(0)?.toString(16)}_`);

/**
 * The largest values of some attributes, with their own lines.
 * @param {string[]} attributes none if labels have none
 * @returns {PanelKind<{ items: Item[], more: boolean, lines: Map<string, Item[]> }>}
 */
export function top(attributes) {
  const name = attributes.join(' · ');
  const search = `Search ${attributes.join(', ')}`;
  let wanted = '';
  let n = ROWS;
  return {
    id: ['top', ...attributes.map(idPart)].join('-'),
    title: () => name || 'All events',
    unavailable: notIndexed,
    controls: (_view, _actions, redraw) => h('input', { type: 'search', name: 'search', placeholder: search, value: wanted,
      'aria-label': search, input: ({ target }) => {
        wanted = target.value.trim().toLowerCase();
        redraw();
      } }),
    load: async (ask, view) => {
      /** @type {Parameters} */
      const asked = [['by', view.by], .../** @type {Parameters} */ (attributes.map((attribute) => ['groupBy', attribute])),
        ...period(view)];
      const coarser = view.lasting.filter((one) => seconds(one) >= seconds(view.granularity));
      const [list, series] = await Promise.all([ask('top', ...asked, ['n', String(n)]), view.seconds === 0 ? { items: [] }
        : ask('series', ['granularity', automatic(coarser, view.seconds, 200)], ['group', 'top'], ...asked, ['n', String(ROWS)],
          ['fill', 'zero'])]);
      return { items: list.items, more: (list.next ?? null) !== null,
        lines: new Map(byLabel(series.items).map(({ key, points }) => [key, points])) };
    },
    isEmpty: ({ items }) => items.length === 0,
    draw: ({ items, more, lines }, view, { actions, reload }) => {
      const by = view.title(view.by);
      const found = items.filter((item) => labelText(item.label).toLowerCase().includes(wanted));
      const line = (/** @type {Item} */ item) => sparkLine((lines.get(JSON.stringify(item.label)) ?? [])
        .map(({ measures }) => measures[view.by] ?? null), `${by} over time`);
      return [dataTable(`${name} with the most ${by}`, [name || 'label', ...(lines.size > 0 ? ['over time'] : []),
        ...view.measures.map((measure) => ({ text: view.title(measure), sorted: measure === view.by,
          sort: () => actions.change({ by: measure }) }))],
      found.map((item) => [valueButtons(attributes, item.label, actions), ...(lines.size > 0 ? [line(item)] : []),
        ...numbers(view, item, true)])),
      found.length === 0 ? h('p', { class: 'nothing' }, `None of the ${items.length} listed has “${wanted}”.`) : null,
      more ? button({ class: 'more' }, () => {
        n = Math.min(MAX_ROWS, n * 4);
        reload();
      }, n < MAX_ROWS ? 'More' : 'The first 1,000 are listed: filter, or export the list.') : null];
    },
  };
}

/** The labels that changed most. @type {PanelKind<Item[]>} */
export const movers = {
  id: 'movers',
  title: (view) => `Largest changes of ${view.title(view.by)}`,
  unavailable: (view) => notIndexed(view) || (view.isBounded ? '' : 'All time has no period before it.'),
  load: async (ask, view) => (await ask('top', ['by', view.by], against(view), ['order', 'magnitude'], ['n', '5'],
    ...period(view))).items,
  isEmpty: (items) => items.length === 0,
  draw: (items, { dataset, by, title, unit }, { actions }) => [dataTable(`Labels whose ${title(by)} changed most`,
    [dataset.label.join(' · ') || 'label', 'now', 'before', 'change', 'relative'],
    items.map(({ label, measures, against: before, change: { [by]: change } }) => [valueButtons(dataset.label, label, actions),
      ...[measures[by], before[by], change?.absolute].map((value) => number(value, unit(by), true)), relative(change)]))],
};

/** @type {PanelKind<Item[]>} */
export const week = {
  id: 'week',
  title: () => 'Hours of the week',
  unavailable: (view) => (view.granularity === '' ? NOT_INDEXED : view.stored.some((name) => seconds(name) <= 3_600) ? ''
    : 'None of the granularities that can be read is an hour or shorter.'),
  load: async (ask, view) => (await ask('busiest', ['profile', 'hour-of-week'], ['by', view.by], ...period(view))).items,
  isEmpty: (slots) => slots.every(isNothing),
  draw: (slots, view, { actions }) => {
    const values = new Map(slots.map((slot) => [(slot.day - 1) * 24 + slot.hour, slot.measures[view.by]]));
    const latest = latestHours(view);
    return [heatMap(`${view.title(view.by)} by hour of the week, ${view.zone}`, DAYS, HOURS, (row, column) => {
      const hour = latest.get(row * 24 + column);
      return { value: values.get(row * 24 + column) ?? null, name: `${DAYS[row]} ${HOURS[column]}:00`,
        outside: hour === undefined && view.seconds > 0, open: () => hour !== undefined && actions.zoom(hour, hour + HOUR) };
    })];
  },
};

/** The latest hour of the range for each hour of the week, in milliseconds. @param {View} view */
function latestHours(view) {
  /** @type {Map<number, number>} */
  const hours = new Map();
  const first = Math.max(view.seconds > 0 ? view.from - HOUR : -Infinity, view.to - 8 * 24 * HOUR);
  for (let hour = Math.floor((view.to - 1) / HOUR) * HOUR; hour > first; hour -= HOUR) {
    const clock = local(hour, view.zone);
    const slot = ((clock.getUTCDay() + 6) % 7) * 24 + clock.getUTCHours();
    hours.set(slot, hours.get(slot) ?? hour);
  }
  return hours;
}
