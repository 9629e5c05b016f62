import { field, h } from './dom.js';

/**
 * A dialog for an API key or a token. What is typed is handed over once, and kept nowhere else.
 * @param {(credential: string) => void} entered
 * @param {(() => void) | null} leave goes to the provider of tokens, if the service names one
 */
export function signInDialog(entered, leave) {
  const input = h('input', { type: 'password', name: 'credential', autocomplete: 'off', spellcheck: 'false', required: true });
  const dialog = h('dialog', { class: 'sign-in', 'aria-labelledby': 'sign-in-title' }, h('form', {
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const credential = input.value.trim();
      input.value = '';
      dialog.close();
      entered(credential);
    },
  }, h('h2', { id: 'sign-in-title' }, 'Sign in'),
  h('p', {}, 'This service requires a credential. It is kept in this page’s memory only, until the page is closed or loaded again.'),
  leave && h('p', {}, h('button', { type: 'button', name: 'provider', class: 'primary', click: () => {
    dialog.close();
    leave();
  } }, 'Sign in with your account')),
  field(leave ? 'Or an access token' : 'API key or access token', input),
  h('div', { class: 'buttons' }, h('button', { class: 'primary' }, 'Sign in'),
    h('button', { type: 'button', click: () => dialog.close() }, 'Cancel'))));
  document.body.append(dialog);
  return {
    open() {
      if (!dialog.open) {
        dialog.showModal();
        input.focus();
      }
    },
  };
}
