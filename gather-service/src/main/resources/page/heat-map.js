import { h } from './dom.js';
import { digits } from './exact.js';

const SHADES = 8;

/**
 * A table whose cells are shaded by their value, and say it to those who do not see shades.
 * @param {{ caption: string, corner: string, rows: string[], columns: string[], value: (row: number, column: number) => any }} map
 */
export function heatMap({ caption, corner, rows, columns, value }) {
  const numbers = rows.flatMap((_row, r) => columns.map((_column, c) => Number(value(r, c) ?? 0)));
  const high = Math.max(...numbers, 0);
  /** @param {any} of */
  const shade = (of) => (of === null || Number(of) <= 0 || high === 0 ? 0 : Math.ceil((Number(of) / high) * SHADES));
  return h('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': caption }, h('table', { class: 'heat' },
    h('caption', { class: 'hidden' }, caption),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, h('span', { class: 'hidden' }, corner)),
      columns.map((column) => h('th', { scope: 'col' }, column)))),
    h('tbody', {}, rows.map((row, r) => h('tr', {}, h('th', { scope: 'row' }, row), columns.map((column, c) =>
      h('td', { class: `shade-${shade(value(r, c))}`, title: `${row} ${column}:00 – ${digits(value(r, c))}` },
        h('data', { class: 'hidden', value: String(value(r, c) ?? '') }, digits(value(r, c))))))))));
}
