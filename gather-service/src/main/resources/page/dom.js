// Builds elements. Text only ever becomes text nodes and attribute values: labels are whatever producers wrote. What would
// change the direction of the text around it is shown as what it is.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 */

/**
 * An HTML element. Attributes that are null, undefined or false are left out; functions are listeners of the event named.
 * @param {string} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
 * @param {string} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function s(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : name === 'value' ? String(value) : visible(String(value)));
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : visible(String(child)))));
  return element;
}

/**
 * A text in which characters that control its direction are spelled out (Unicode Standard Annex 9, section 2): a label with
 * one could look like another.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(/\p{Bidi_Control}/gu, (control) =>
    `[U+${control.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`);
}

/**
 * A select element.
 * @param {string} name
 * @param {{ value: string, text: string, disabled?: boolean }[]} options
 * @param {string} selected
 * @param {(value: string) => void} changed
 */
export function select(name, options, selected, changed) {
  const element = h('select', { name, change: () => changed(element.value) }, options.map((option) =>
    h('option', { value: option.value, disabled: option.disabled, selected: option.value === selected }, option.text)));
  return element;
}

/**
 * A control below its name.
 * @param {string} text
 * @param {Element} control
 */
export function field(text, control) {
  return h('label', { class: 'field' }, h('span', {}, text), control);
}
