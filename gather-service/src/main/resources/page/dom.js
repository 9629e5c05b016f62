// Builds elements. Text only ever becomes text nodes and attribute values: labels are whatever producers wrote. What would
// change the direction of the text around it is shown as what it is.
import { amount, digits } from './format.js';

const SVG = 'http://www.w3.org/2000/svg';
const SHADES = 8;

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 * @typedef {(name: string, attributes?: Attributes, ...children: (Child | Child[])[]) => any} Builder
 * @typedef {[value: string, text: string, disabled?: boolean][]} Options
 * @typedef {string | { text: string, sorted: boolean, sort: () => void }} Column a title; with what a click on it does
 * @typedef {{ value: any, name: string, outside: boolean, open: () => void }} Heat what a cell of a heat map stands for: value
 *   is null where there is no data; outside of the range there can be none
 */

/** @type {Builder} An HTML element. Attributes that are null or false are left out; functions listen to the event named. */
export const h = (name, attributes, ...children) => filled(document.createElement(name), attributes, children);

/** @type {Builder} An SVG element. */
export const s = (name, attributes, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

/** @param {Element} element @param {Attributes} attributes @param {(Child | Child[])[]} children */
function filled(element, attributes = {}, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (isThere(value)) {
      element.setAttribute(name, value === true ? '' : name === 'value' ? String(value) : visible(String(value)));
    }
  }
  element.append(...children.flat().filter(isThere).map((child) => (child instanceof Node ? child : visible(String(child)))));
  return element;
}

/** @param {unknown} value */
const isThere = (value) => value !== null && value !== undefined && value !== false;

/**
 * A text in which characters that control its direction are spelled out (Unicode Standard Annex 9, section 2): a label with
 * one could look like another.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(/\p{Bidi_Control}/gu, (control) =>
    `[U+${control.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`);
}

/** @type {(attributes: Attributes, click: () => void, ...children: (Child | Child[])[]) => any} A button that sends no form. */
export const button = (attributes, click, ...children) => h('button', { type: 'button', ...attributes, click }, ...children);

/** A control below its title. @param {string} title @param {Element} control */
export const field = (title, control) => h('label', { class: 'field' }, h('span', {}, title), control);

/** @type {(title: string, name: string, options: Options, selected: string, changed?: (value: string) => void) => any} */
export const choice = (title, name, options, selected, changed) =>
  field(title, h('select', { name, change: ({ target }) => changed?.(target.value) },
    options.map(([value, text, disabled]) => h('option', { value, disabled, selected: value === selected }, text))));

/** @type {(title: string, name: string, checked: boolean, changed: (checked: boolean) => void) => any} */
export const checkbox = (title, name, checked, changed) =>
  field(title, h('input', { type: 'checkbox', name, checked, change: ({ target }) => changed(target.checked) }));

/** Replaces controls; the one with the name of what had the focus gets it. @param {Element} bar @param {() => void} replace */
export function refocused(bar, replace) {
  const name = bar.contains(document.activeElement) ? document.activeElement?.getAttribute('name') : null;
  replace();
  if (name) {
    /** @type {HTMLElement | null} */ (bar.querySelector(`[name="${name}"]`))?.focus();
  }
}

/**
 * A cell with a number and its unit; if short, with a few digits of a long one, and all of them as a hint.
 * @param {any} value null where there is none @param {string} [unit] @param {boolean} [short]
 */
export function number(value, unit, short = false) {
  const all = digits(value, unit);
  const isShort = short && all.length > 11;
  return h('td', { class: 'number' }, h('data', { value: String(value ?? ''), title: isShort && all },
    isShort ? amount(value, unit) : all));
}

/**
 * A table whose first column names its rows. What is not a cell becomes one.
 * @param {string} caption @param {Column[]} columns @param {Child[][]} rows
 */
export function dataTable(caption, columns, rows) {
  const headings = columns.map((column, i) => {
    const attributes = { scope: 'col', class: rows[0]?.[i] instanceof HTMLTableCellElement && 'number' };
    return typeof column === 'string' ? h('th', attributes, column)
      : h('th', { ...attributes, 'aria-sort': column.sorted && 'descending' },
        button({ class: 'sort' }, column.sort, `${column.text}${column.sorted ? ' ↓' : ''}`));
  });
  return table(caption, 'data', headings, rows.map(([name, ...cells]) => [h('th', { scope: 'row' }, name),
    ...cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : h('td', {}, cell)))]));
}

/** @param {string} caption @param {string} kind @param {Node[]} headings @param {Node[][]} rows */
function table(caption, kind, headings, rows) {
  return h('div', { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': caption }, h('table', { class: kind },
    h('caption', { class: 'hidden' }, caption), h('thead', {}, h('tr', {}, headings)),
    h('tbody', {}, rows.map((cells) => h('tr', {}, cells)))));
}

/**
 * The same numbers as a chart, for those who want them as text. The table is made when it is opened: it may be long.
 * @param {string} caption @param {string[]} columns @param {() => Child[][]} rows
 */
export function foldedTable(caption, columns, rows) {
  const details = h('details', { class: 'folded', toggle: () => {
    if (details.open && details.childElementCount === 1) {
      details.append(dataTable(caption, columns, rows()));
    }
  } }, h('summary', {}, 'As a table'));
  return details;
}

/**
 * A table whose cells are shaded by their value, and say it to those who do not see shades. Negative values have a color of
 * their own; a cell without data is empty, one outside of the range is crossed out.
 * @param {string} caption @param {string[]} rows @param {string[]} columns @param {(row: number, column: number) => Heat} cell
 */
export function heatMap(caption, rows, columns, cell) {
  const cells = rows.map((_row, r) => columns.map((_column, c) => cell(r, c)));
  const most = Math.max(...cells.flat().map(({ value }) => Math.abs(Number(value ?? 0)))) || 1;
  const heading = (/** @type {Child} */ content) => h('th', { scope: 'col' }, content);
  return table(caption, 'heat', [heading(h('span', { class: 'hidden' }, 'day')), ...columns.map(heading)],
    rows.map((row, r) => [h('th', { scope: 'row' }, row), ...cells[r].map(({ value, name, outside, open }) => {
      const share = Number(value ?? 0) / most;
      const shade = `shade-${Math.ceil(Math.abs(share) * SHADES)}${share < 0 ? ' negative' : ''}`;
      const said = `${name} – ${outside ? 'outside of the range' : value === null ? 'no data' : digits(value)}`;
      return h('td', { class: outside ? 'outside' : value === null ? 'missing' : shade, title: said },
        button({ tabindex: '-1', disabled: outside, 'aria-label': said }, open,
          h('data', { class: 'hidden', value: String(value ?? '') }, digits(value))));
    })]));
}
