import { dataTable, element, foldedTable, number, text } from './data-table.js';
import { field, h, select } from './dom.js';
import { seconds } from './granularity.js';
import { lineChart } from './line-chart.js';
import { valueButtons } from './panel-top.js';
import { isNothing } from './series.js';
import { start, tick } from './times.js';
import { NOT_INDEXED, labelName, titleOf, zoneOf } from './view.js';

const PERIODS = [['previous', 'the period before'], ['day', 'a day earlier'], ['week', 'a week earlier'],
  ['month', 'a month earlier'], ['year', 'a year earlier']];
const MOVERS = '5';
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** @type {import('./panel.js').PanelKind} */
export const compare = {
  id: 'compare',
  title: 'This period against another',
  unavailable: (view) => (view.granularity === '' ? NOT_INDEXED : '')
    || (view.range.some(([name]) => name === 'last' || name === 'from') ? '' : 'All time has no period before it.'),
  controlled: (view) => [view.state.against],
  controls: (view, actions) => field('Compare with', select('against',
    PERIODS.map(([value, name]) => ({ value, text: name })), view.state.against, (against) => actions.change({ against }))),
  load: async (ask, view) => {
    const against = view.state.against;
    const movers = ask('top', [['by', view.by], ['against', against], ['order', 'magnitude'], ['n', MOVERS], ...view.range,
      ...zoneOf(view)]);
    const compared = await ask('compare', [['against', against], ...view.range, ...zoneOf(view)]);
    /** @param {{ from: string, to: string }} period */
    const series = async (period) => (await ask('series', [['granularity', view.granularity], ['from', period.from],
      ['to', period.to], ['fill', 'zero'], ...zoneOf(view)])).items;
    const [now, then, moved] = await Promise.all([series(compared.period), series(compared.against), movers]);
    return { compared, now, then, movers: moved.items };
  },
  isEmpty: (data) => data.now.every(isNothing) && data.then.every(isNothing),
  draw: (data, view, width, actions) => [
    changes(data.compared, view),
    ...overlay(data.now, data.then, view, width),
    data.movers.length === 0 ? null : h('h3', {}, 'Largest changes'),
    data.movers.length === 0 ? null : movers(data.movers, view, actions),
  ],
};

/**
 * @param {any} change
 * @returns {import('./data-table.js').Cell}
 */
function relative(change) {
  return text(change?.relative === null || change?.relative === undefined ? '–' : PERCENT.format(Number(change.relative)));
}

/**
 * @param {any} compared
 * @param {import('./view.js').View} view
 */
function changes(compared, view) {
  return dataTable('This period against the other', ['measure', 'this period', 'the other', 'change', 'relative'],
    view.measures.map((measure) => [text(titleOf(view, measure)), number(compared.period.measures[measure]),
      number(compared.against.measures[measure]), number(compared.change[measure]?.absolute ?? null),
      relative(compared.change[measure])]));
}

/**
 * Both periods over each other, bucket by bucket.
 * @param {any[]} now
 * @param {any[]} then
 * @param {import('./view.js').View} view
 * @param {number} width
 */
function overlay(now, then, view, width) {
  const longer = now.length >= then.length ? now : then;
  const bucket = seconds(view.granularity);
  /** @param {any[]} points */
  const values = (points) => longer.map((_point, i) => points[i]?.measures[view.by] ?? null);
  /** @param {number} i */
  const name = (i) => start(longer[i].start, view.zone, bucket);
  const title = `${titleOf(view, view.by)} per ${view.granularity}, both periods`;
  return [
    lineChart({
      title,
      times: longer.map((point) => Date.parse(point.start)),
      lines: [{ name: 'this period', tone: 0, values: values(now) }, { name: 'the other', tone: 1, values: values(then) }],
      width,
      height: 220,
      zone: view.zone,
      mark: (time, step) => tick(time, view.zone, step),
      text: name,
    }),
    foldedTable(title, ['start', 'this period', 'the other'], () => longer.map((_point, i) => [text(name(i)),
      number(values(now)[i]), number(values(then)[i])])),
  ];
}

/**
 * @param {any[]} items
 * @param {import('./view.js').View} view
 * @param {import('./panel.js').Actions} actions
 */
function movers(items, view, actions) {
  return dataTable(`Labels whose ${titleOf(view, view.by)} changed most`,
    [labelName(view.dataset), 'this period', 'the other', 'change', 'relative'],
    items.map((item) => [element(valueButtons(view.dataset.label, item.label, actions)), number(item.measures[view.by]),
      number(item.against[view.by]), number(item.change[view.by]?.absolute ?? null), relative(item.change[view.by])]));
}
