import { h } from './dom.js';
import { digits } from './exact.js';

/**
 * A cell: text, a number, or an element.
 * @typedef {{ text: string } | { number: any } | { element: Element }} Cell
 */

/** @param {string} value */
export const text = (value) => ({ text: value });

/** @param {any} value null where there is none */
export const number = (value) => ({ number: value });

/** @param {Element} value */
export const element = (value) => ({ element: value });

/**
 * A table whose first column names its rows.
 * @param {string} caption
 * @param {string[]} columns
 * @param {Cell[][]} rows
 */
export function dataTable(caption, columns, rows) {
  return h('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': caption }, h('table', { class: 'data' },
    h('caption', { class: 'hidden' }, caption),
    h('thead', {}, h('tr', {}, columns.map((column, i) => h('th', { scope: 'col', class: rows.length > 0 && 'number' in rows[0][i] && 'number' },
      column)))),
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
 * @param {Cell} cell
 * @param {boolean} names whether it names its row
 */
function drawn(cell, names) {
  if ('number' in cell) {
    return h('td', { class: 'number' }, h('data', { value: String(cell.number ?? '') }, digits(cell.number)));
  }
  const content = 'text' in cell ? cell.text : cell.element;
  return names ? h('th', { scope: 'row' }, content) : h('td', {}, content);
}
