import { sparkLine, timeChart } from './chart.js';
import { field, h, select } from './dom.js';
import { amount } from './exact.js';
import { automatic, fits, seconds } from './granularity.js';
import { dataTable, element, foldedTable, heatMap, number, text } from './tables.js';
import { endOf, offset, start } from './times.js';
import { NOT_INDEXED, labelText, scopeOf, titleOf, unitOf, zoneOf } from './view.js';

/** @typedef {import('./panel.js').PanelKind} PanelKind @typedef {import('./view.js').View} View */

const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const PERIODS = [['', 'nothing'], ['previous', 'the period before'], ['day', 'a day earlier'], ['week', 'a week earlier'],
  ['month', 'a month earlier'], ['year', 'a year earlier']];
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
const HOUR = 3_600_000;
const ROWS = '10';
const LINES = '5';

/** Measures that add up, so that parts of them can be stacked. */
const ADDITIVE = ['count', 'sum'];

/** @param {View} view */
const notIndexed = (view) => (view.stored.length === 0 ? NOT_INDEXED : '');

/**
 * Whether nothing was counted: filled buckets have sums of 0.
 * @param {{ measures: Record<string, any> }} item
 */
const isNothing = (item) => Object.values(item.measures).every((value) => value === null || Number(value) === 0);

/**
 * How a value changed, in percent of the value before; as a multiple of it where percents say little.
 * @param {any} change
 */
function relative(change) {
  const part = Number(change?.relative ?? NaN);
  return Number.isNaN(part) ? '–' : part < 10 ? PERCENT.format(part) : `× ${amount(part + 1)}`;
}

/** @param {View} view */
const isBounded = (view) => view.range.some(([name]) => name === 'last' || name === 'from');

/** The sums of the range, and how they changed. @type {PanelKind} */
export const summary = {
  id: 'summary',
  title: (view) => `Totals of ${scopeOf(view)}`,
  unavailable: notIndexed,
  load: async (ask, view) => {
    if (isBounded(view)) {
      try {
        const { period, change } = await ask('compare', [['against', view.state.against || 'previous'], ...view.range, ...zoneOf(view)]);
        return { measures: period.measures, change, extent: isNothing(period) ? await extentOf(ask, view) : null };
      } catch (/** @type {any} */ problem) {
        // There may be nothing to compare with, or a sum may lack something: the sums are still worth a look.
        if (problem.reason !== 'invalid-parameter' && problem.status !== 503) {
          throw problem;
        }
      }
    }
    return { ...await ask('totals', [...view.range, ...zoneOf(view), ['partial', 'true']]), change: {} };
  },
  isEmpty: isNothing,
  instead: (data, view, { zoom }) => data.extent && h('button', { type: 'button', class: 'extent', click: () => zoom(data.extent[0], data.extent[1]) },
    `Show all, from ${start(data.extent[0], view.zone, 3_600)} to ${start(data.extent[1], view.zone, 3_600)}`),
  draw: (data, view, { actions }) => [h('div', { class: 'cards' }, view.measures.map((measure) => h('button', { type: 'button', class: 'card',
    'aria-pressed': String(measure === view.by), title: view.dataset.measures[measure].description,
    click: () => actions.change({ by: measure }) },
  h('span', { class: 'name' }, titleOf(view, measure)),
  h('data', { value: String(data.measures[measure] ?? '') }, amount(data.measures[measure], unitOf(view, measure))),
  (data.change[measure]?.relative ?? null) !== null && h('span', { class: 'change' }, relative(data.change[measure])))))],
};

/**
 * From when to when there is data, in the finest granularity that all time may have.
 * @param {import('./panel.js').Ask} ask
 * @param {View} view
 * @returns {Promise<[number, number] | null>}
 */
async function extentOf(ask, view) {
  const granularity = view.granularities[view.granularities.length - 1];
  if (granularity === undefined) {
    return null;
  }
  const [first, last] = (await Promise.all(['asc', 'desc'].map((order) => ask('series', [['granularity', granularity], ['order', order],
    ['limit', '1'], ...zoneOf(view)])))).map(({ items }) => items[0] && Date.parse(items[0].start));
  return first === undefined ? null : [first, Math.min(Date.now(), endOf(last, granularity, seconds(granularity), view.zone))];
}

/** One measure over time: of all labels, of the largest, or of two periods. @type {PanelKind} */
export const overTime = {
  id: 'over-time',
  title: (view) => `${titleOf(view, view.by)} over time`,
  unavailable: (view) => (view.granularity === '' ? NOT_INDEXED : ''),
  controlled: ({ state, by }) => [state.against, state.lines, state.stacked, by],
  controls: (view, { change }) => h('div', { class: 'fields' },
    field('Compared with', select('against', PERIODS.map(([value, name]) => ({ value, text: name })), view.state.against,
      (against) => change({ against, lines: '' }))),
    view.dataset.label.length > 0 && field('Lines', select('lines', [{ value: '', text: 'one for all' },
      ...view.dataset.label.map((value) => ({ value, text: `by ${value}` }))], view.state.lines, (lines) => change({ lines, against: '' }))),
    view.state.lines !== '' && ADDITIVE.includes(view.dataset.measures[view.by].type) && field('Stacked', h('input', { type: 'checkbox', name: 'stacked',
      checked: view.state.stacked !== '', change: (/** @type {any} */ event) => change({ stacked: event.target.checked ? 'on' : '' }) }))),
  load: async (ask, view) => {
    const granularity = await granularityOf(ask, view);
    /** @type {import('./api.js').Parameters} */
    const asked = [['granularity', granularity], ['fill', 'zero'], ...zoneOf(view)];
    if (view.state.lines !== '') {
      const { items } = await ask('series', [...asked, ['group', 'top'], ['other', 'true'], ['n', LINES], ['by', view.by],
        ['groupBy', view.state.lines], ...view.range]);
      return { granularity, lines: byLabel(items).filter((line, i) => i === 0 || !line.points.every(isNothing)) };
    }
    if (view.state.against === '' || !isBounded(view)) {
      const { items } = await ask('series', [...asked, ...view.range]);
      return { granularity, lines: [{ name: titleOf(view, view.by), points: items }] };
    }
    const { period, against } = await ask('compare', [['against', view.state.against], ...view.range, ...zoneOf(view)]);
    const [now, then] = await Promise.all([period, against].map(({ from, to }) => ask('series', [...asked, ['from', from], ['to', to]])));
    return { granularity, lines: [{ name: 'this period', points: now.items }, { name: 'the other', points: then.items, dashed: true }] };
  },
  isEmpty: (data) => data.lines.every((/** @type {any} */ line) => line.points.every(isNothing)),
  draw: ({ granularity, lines }, view, { actions, width }) => {
    const longest = lines.reduce((/** @type {any} */ a, /** @type {any} */ b) => (b.points.length > a.points.length ? b : a)).points;
    const bucket = seconds(granularity);
    const times = longest.map((/** @type {any} */ point) => Date.parse(point.start));
    const unit = unitOf(view, view.by);
    /** @param {number} i */
    const name = (i) => start(longest[i].start, view.zone, bucket);
    const title = `${titleOf(view, view.by)} of ${scopeOf(view)} per ${granularity}`;
    const values = lines.map((/** @type {any} */ line) => ({ ...line, values: longest.map((/** @type {any} */ _point, /** @type {number} */ i) =>
      line.points[i]?.measures[view.by] ?? null) }));
    return [
      timeChart({ title, times, end: endOf(times[times.length - 1], granularity, bucket, view.zone), bucket, now: Date.now(), lines: values,
        stacked: view.state.lines !== '' && view.state.stacked !== '', zone: view.zone, unit, width, text: name,
        zoom: actions.zoom, back: actions.back }),
      foldedTable(title, lines.length === 1 ? ['start', ...view.measures.map((one) => titleOf(view, one))] : ['start', ...lines.map((/** @type {any} */ line) => line.name)],
        () => longest.map((/** @type {any} */ point, /** @type {number} */ i) => [text(name(i)), ...(lines.length === 1
          ? view.measures.map((measure) => number(point.measures[measure] ?? null, unitOf(view, measure)))
          : values.map((/** @type {any} */ line) => number(line.values[i], unit)))])),
    ];
  },
};

/**
 * The granularity chosen. For all time, one that fits the data: the first bucket of the coarsest says how old that is.
 * @param {import('./panel.js').Ask} ask
 * @param {View} view
 */
async function granularityOf(ask, view) {
  if (view.seconds > 0 || view.range.length > 0) {
    return view.granularity;
  }
  const coarsest = view.granularities[view.granularities.length - 1];
  const { items } = await ask('series', [['granularity', coarsest], ['limit', '1'], ...zoneOf(view)]);
  const age = items.length === 0 ? 1 : (Date.now() - Date.parse(items[0].start)) / 1_000;
  return fits(view.granularity, age) && view.state.granularity !== '' ? view.granularity : automatic(view.granularities, Math.max(1, age));
}

/**
 * The series of an answer with several, largest first.
 * @param {any[]} items
 */
function byLabel(items) {
  /** @type {Map<string, { name: string, label: string[], points: any[] }>} */
  const lines = new Map();
  for (const item of items) {
    const key = item.other ? '' : JSON.stringify(item.label);
    if (!lines.has(key)) {
      lines.set(key, { name: item.other ? 'other' : labelText(item.label), label: item.label, points: [] });
    }
    lines.get(key)?.points.push(item);
  }
  return [...lines.values()];
}

/**
 * The values of a label, each a button that filters by it.
 * @param {string[]} attributes
 * @param {string[]} label
 * @param {import('./panel.js').Actions} actions
 */
export function valueButtons(attributes, label, actions) {
  return h('span', {}, label.length === 0 ? labelText(label) : label.flatMap((value, i) => [i === 0 ? null : ' · ',
    h('button', { type: 'button', class: 'label', title: `Only ${attributes[i]} ${labelText([value])}`,
      click: () => actions.filter({ attribute: attributes[i], value }, true) }, labelText([value]))]));
}

/**
 * The largest values of some attributes, with their own lines.
 * @param {string[]} attributes none if labels have none
 * @returns {PanelKind}
 */
export function top(attributes) {
  let wanted = '';
  let n = Number(ROWS);
  return {
    id: `top-${attributes.join('-').replace(/[^\w-]/g, '_') || 'all'}`,
    title: () => attributes.join(' · ') || 'All events',
    unavailable: notIndexed,
    controlled: () => [],
    controls: (_view, _actions, redraw) => h('input', { type: 'search', name: 'search', placeholder: `Search ${attributes.join(', ')}`, value: wanted,
      'aria-label': `Search ${attributes.join(', ')}`, input: (/** @type {any} */ event) => {
        wanted = event.target.value.trim().toLowerCase();
        redraw();
      } }),
    load: async (ask, view) => {
      /** @type {import('./api.js').Parameters} */
      const asked = [['by', view.by], ...attributes.map((attribute) => /** @type {[string, string]} */ (['groupBy', attribute])),
        ...view.range, ...zoneOf(view)];
      const [list, series] = await Promise.all([ask('top', [...asked, ['n', String(n)]]), view.seconds === 0 ? { items: [] }
        : ask('series', [['granularity', automatic(view.granularities.filter((one) => seconds(one) >= seconds(view.granularity)), view.seconds, 200)], ['group', 'top'], ...asked, ['n', ROWS], ['fill', 'zero']])]);
      return { items: list.items, more: list.next !== undefined && list.next !== null,
        lines: new Map(byLabel(series.items).map((line) => [JSON.stringify(line.label), line.points])) };
    },
    isEmpty: (data) => data.items.length === 0,
    draw: (data, view, { actions, reload }) => {
      const found = data.items.filter((/** @type {any} */ item) => labelText(item.label).toLowerCase().includes(wanted));
      const isLined = data.lines.size > 0;
      return [dataTable(`${attributes.join(' · ')} with the most ${titleOf(view, view.by)}`, [attributes.join(' · ') || 'label', ...(isLined ? ['over time'] : []),
        ...view.measures.map((measure) => ({ text: titleOf(view, measure), sorted: measure === view.by, sort: () => actions.change({ by: measure }) }))],
      found.map((/** @type {any} */ item) => [element(valueButtons(attributes, item.label, actions)),
        ...(isLined ? [element(line(data.lines.get(JSON.stringify(item.label)) ?? [], view))] : []),
        ...view.measures.map((measure) => number(item.measures[measure] ?? null, unitOf(view, measure), true))])),
      found.length === 0 ? h('p', { class: 'nothing' }, `None of the ${data.items.length} listed has “${wanted}”.`) : null,
      data.more ? h('button', { type: 'button', class: 'more', click: () => {
        n = Math.min(1_000, n * 4);
        reload();
      } }, n < 1_000 ? 'More' : 'The first 1,000 are listed: filter, or export the list.') : null];
    },
  };
}

/**
 * @param {any[]} points
 * @param {View} view
 */
function line(points, view) {
  return sparkLine(points.map((point) => point.measures[view.by] ?? null), `${titleOf(view, view.by)} over time`);
}

/** The labels that changed most. @type {PanelKind} */
export const movers = {
  id: 'movers',
  title: (view) => `Largest changes of ${titleOf(view, view.by)}`,
  unavailable: (view) => notIndexed(view) || (isBounded(view) ? '' : 'All time has no period before it.'),
  load: async (ask, view) => (await ask('top', [['by', view.by], ['against', view.state.against || 'previous'], ['order', 'magnitude'],
    ['n', '5'], ...view.range, ...zoneOf(view)])).items,
  isEmpty: (items) => items.length === 0,
  draw: (items, view, { actions }) => [dataTable(`Labels whose ${titleOf(view, view.by)} changed most`,
    [view.dataset.label.join(' · ') || 'label', 'now', 'before', 'change', 'relative'],
    items.map((/** @type {any} */ item) => [element(valueButtons(view.dataset.label, item.label, actions)),
      ...[item.measures, item.against].map((measures) => number(measures[view.by], unitOf(view, view.by), true)),
      number(item.change[view.by]?.absolute ?? null, unitOf(view, view.by), true), text(relative(item.change[view.by]))]))],
};

/** @type {PanelKind} */
export const week = {
  id: 'week',
  title: () => 'Hours of the week',
  unavailable: (view) => (view.granularity === '' ? NOT_INDEXED : '')
    || (view.stored.some((name) => seconds(name) <= 3_600) ? '' : 'None of the granularities that can be read is an hour or shorter.'),
  load: async (ask, view) => (await ask('busiest', [['profile', 'hour-of-week'], ['by', view.by], ...view.range, ...zoneOf(view)])).items,
  isEmpty: (slots) => slots.every(isNothing),
  draw: (slots, view, { actions }) => {
    /** @type {Map<number, any>} */
    const values = new Map(slots.map((/** @type {any} */ slot) => [(slot.day - 1) * 24 + slot.hour, slot.measures[view.by]]));
    const latest = latestHours(view);
    return [heatMap(`${titleOf(view, view.by)} by hour of the week, ${view.zone}`, DAYS, HOURS, (row, column) => {
      const hour = latest.get(row * 24 + column);
      return { value: values.get(row * 24 + column) ?? null, name: `${DAYS[row]} ${HOURS[column]}:00`, outside: hour === undefined && view.seconds > 0,
        open: () => {
        if (hour !== undefined) {
          actions.zoom(hour, hour + HOUR);
        }
      } };
    })];
  },
};

/**
 * The latest hour of the range for each hour of the week, in milliseconds.
 * @param {View} view
 * @returns {Map<number, number>}
 */
function latestHours(view) {
  /** @type {Map<number, number>} */
  const hours = new Map();
  const first = view.seconds > 0 ? view.from : view.to - 7 * 24 * HOUR;
  for (let hour = Math.floor((view.to - 1) / HOUR) * HOUR; hour > first - HOUR && hour > view.to - 8 * 24 * HOUR; hour -= HOUR) {
    const local = new Date(hour + offset(hour, view.zone));
    const slot = ((local.getUTCDay() + 6) % 7) * 24 + local.getUTCHours();
    hours.set(slot, hours.get(slot) ?? hour);
  }
  return hours;
}
