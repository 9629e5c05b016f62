import { h } from './dom.js';
import { amount, digits } from './exact.js';

const SHADES = 8;

/**
 * A cell: text, a number with its unit, or an element.
 * @typedef {{ text: string } | { number: any, unit?: string, short?: boolean } | { element: Element }} Cell
 * @typedef {string | { text: string, sorted: boolean, sort: () => void }} Column a title; with what a click on it does
 */

/** @param {string} value */
export const text = (value) => ({ text: value });

/**
 * @param {any} value null where there is none
 * @param {string} [unit]
 * @param {boolean} [short] to show a few digits of a long one, and all of them as a hint
 */
export const number = (value, unit, short) => ({ number: value, unit, short });

/** @param {Element} value */
export const element = (value) => ({ element: value });

/**
 * A table whose first column names its rows.
 * @param {string} caption
 * @param {Column[]} columns
 * @param {Cell[][]} rows
 */
export function dataTable(caption, columns, rows) {
  return h('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': caption }, h('table', { class: 'data' },
    h('caption', { class: 'hidden' }, caption),
    h('thead', {}, h('tr', {}, columns.map((column, i) => heading(column, rows.length > 0 && 'number' in rows[0][i])))),
    h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, i) => drawn(cell, i === 0)))))));
}

/**
 * The same numbers as a chart, for those who want them as text.
 * @param {string} caption
 * @param {string[]} columns
 * @param {() => Cell[][]} rows made when the table is opened: it may be long
 */
export function foldedTable(caption, columns, rows) {
  const details = h('details', { class: 'folded' }, h('summary', {}, 'As a table'));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) {
      details.append(dataTable(caption, columns, rows()));
    }
  });
  return details;
}

/**
 * @param {Column} column
 * @param {boolean} isNumber
 */
function heading(column, isNumber) {
  const attributes = { scope: 'col', class: isNumber && 'number' };
  return typeof column === 'string' ? h('th', attributes, column)
    : h('th', { ...attributes, 'aria-sort': column.sorted && 'descending' },
      h('button', { type: 'button', class: 'sort', click: column.sort }, `${column.text}${column.sorted ? ' ↓' : ''}`));
}

/**
 * @param {Cell} cell
 * @param {boolean} names whether it names its row
 */
function drawn(cell, names) {
  if ('number' in cell) {
    const all = digits(cell.number, cell.unit);
    const short = cell.short && all.length > 11;
    return h('td', { class: 'number' }, h('data', { value: String(cell.number ?? ''), title: short && all },
      short ? amount(cell.number, cell.unit) : all));
  }
  const content = 'text' in cell ? cell.text : cell.element;
  return names ? h('th', { scope: 'row' }, content) : h('td', {}, content);
}

/**
 * What a cell of a heat map stands for.
 * @typedef {{ value: any, name: string, outside: boolean, open: () => void }} Heat value null where there is no data; outside
 *   of the range there can be none
 */

/**
 * A table whose cells are shaded by their value, and say it to those who do not see shades. Negative values have a color of
 * their own; a cell without data is empty, one outside of the range is crossed out.
 * @param {string} caption
 * @param {string[]} rows
 * @param {string[]} columns
 * @param {(row: number, column: number) => Heat} cell
 */
export function heatMap(caption, rows, columns, cell) {
  const cells = rows.map((_row, r) => columns.map((_column, c) => cell(r, c)));
  const most = Math.max(...cells.flat().map(({ value }) => Math.abs(Number(value ?? 0))));
  /** @param {Heat} of */
  const look = ({ value, outside }) => {
    const share = Number(value ?? 0) / (most || 1);
    return outside ? 'outside' : value === null ? 'missing' : `shade-${Math.ceil(Math.abs(share) * SHADES)}${share < 0 ? ' negative' : ''}`;
  };
  return h('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': caption }, h('table', { class: 'heat' },
    h('caption', { class: 'hidden' }, caption),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, h('span', { class: 'hidden' }, 'day')),
      columns.map((column) => h('th', { scope: 'col' }, column)))),
    h('tbody', {}, rows.map((row, r) => h('tr', {}, h('th', { scope: 'row' }, row), cells[r].map((of) => {
      const said = `${of.name} – ${of.outside ? 'outside of the range' : of.value === null ? 'no data' : digits(of.value)}`;
      return h('td', { class: look(of), title: said }, h('button', { type: 'button', tabindex: '-1', disabled: of.outside,
        'aria-label': said, click: of.open }, h('data', { class: 'hidden', value: String(of.value ?? '') }, digits(of.value))));
    }))))));
}
