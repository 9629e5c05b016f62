import { dataTable, number, text } from './tables.js';
import { h } from './dom.js';
import { isAbort } from './problem.js';

/**
 * The queries of a panel: as commands, and how each was answered.
 * @param {string[]} urls
 * @param {import('./api.js').Api} api
 */
export function queryList(urls, api) {
  return urls.map((url) => {
    const command = api.curl(url);
    const explanation = h('div', { class: 'explanation', 'aria-live': 'polite' });
    return h('div', { class: 'query' }, h('pre', { tabindex: '0' }, h('code', {}, command)),
      h('button', { type: 'button', click: (/** @type {any} */ event) => copy(command, event.currentTarget) }, 'Copy'),
      !url.includes('/live?') && h('button', { type: 'button', class: 'explain', click: () => explain(url, api, explanation) },
        'Explain'),
      /\/(series|top|busiest)\?/.test(url) && h('button', { type: 'button', class: 'csv', click: (/** @type {any} */ event) =>
        save(url, api, event.currentTarget) }, 'CSV'), explanation);
  });
}

/**
 * @param {string} command
 * @param {HTMLElement} button
 */
async function copy(command, button) {
  try {
    await navigator.clipboard.writeText(command);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Cannot copy here';
  }
}

/**
 * @param {string} url
 * @param {import('./api.js').Api} api
 * @param {HTMLElement} button
 */
async function save(url, api, button) {
  try {
    const address = URL.createObjectURL(await api.csv(url));
    h('a', { href: address, download: `${new URL(url).pathname.split('/').slice(-2).join('-')}.csv` }).click();
    URL.revokeObjectURL(address);
  } catch (failure) {
    button.textContent = isAbort(failure) ? 'No answer within a minute' : String(/** @type {any} */ (failure).message);
  }
}

/**
 * @param {string} url
 * @param {import('./api.js').Api} api
 * @param {HTMLElement} into
 */
async function explain(url, api, into) {
  into.replaceChildren('…');
  try {
    const answer = await api.get(`${url}${url.includes('?') ? '&' : '?'}explain=true`, AbortSignal.timeout(60_000));
    // A comparison reads two periods.
    into.replaceChildren(...[answer.explain].flat().flatMap(drawn));
  } catch (failure) {
    into.replaceChildren(isAbort(failure) ? 'No answer within a minute.' : String(/** @type {any} */ (failure).message));
  }
}

/** @param {any} plan */
function drawn(plan) {
  return [
    h('p', {}, `${plan.shards} shards, ${plan.pages} pages, ${plan.items} items, ${plan.readUnits} read units; `
      + `waited ${plan.waitedMillis} ms, gathered in ${plan.gatheredMillis} ms; read from ${plan.dataset}: ${plan.choice}`),
    dataTable('Stages of the plan', ['source', 'granularity', 'shards', 'from key', 'to key'],
      plan.plan.map((/** @type {any} */ stage) => [text(stage.source), text(stage.granularity), number(stage.shards),
        text(stage.fromKey), text(stage.toKey)])),
  ];
}
