// Signs in with a credential that is typed, or at an OpenID Connect provider: the authorization code flow with PKCE (RFC 7636),
// for a client without a secret.
import { Problem } from './api.js';
import { button, field, h } from './dom.js';

/** What is kept while the browser is at the provider: no credential, and only in this tab. */
const KEY = 'windrow-sign-in';

/** @typedef {{ issuer: string, clientId: string, scope: string }} Provider */

/**
 * A dialog for an API key or a token, which is handed over once, and kept nowhere else; or to leave for the provider, if any.
 * @param {(credential: string) => void} entered @param {(() => void)?} leave
 */
export function signInDialog(entered, leave) {
  const input = h('input', { type: 'password', name: 'credential', autocomplete: 'off', spellcheck: 'false', required: true });
  /** @type {HTMLDialogElement} */
  const dialog = h('dialog', { class: 'sign-in', 'aria-labelledby': 'sign-in-title' }, h('form', {
    method: 'dialog',
    submit: () => {
      const credential = input.value.trim();
      input.value = '';
      entered(credential);
    },
  }, h('h2', { id: 'sign-in-title' }, 'Sign in'),
  h('p', {}, 'This service requires a credential. It is kept in this page’s memory only, ',
    'until the page is closed or loaded again.'),
  leave && h('p', {}, button({ name: 'provider', class: 'primary' }, () => {
    dialog.close();
    leave();
  }, 'Sign in with your account')),
  field(leave ? 'Or an access token' : 'API key or access token', input),
  h('div', { class: 'buttons' }, h('button', { class: 'primary' }, 'Sign in'), button({}, () => dialog.close(), 'Cancel'))));
  document.body.append(dialog);
  return () => {
    if (!dialog.open) {
      dialog.showModal();
      input.focus();
    }
  };
}

/** The provider that the service names in the page, or null. @returns {Provider | null} */
export function provider() {
  /** @type {any} */
  const meta = document.querySelector('meta[name="oidc"]');
  return meta && { ...meta.dataset };
}

/** Leaves for the provider, which sends the browser back to this page. @param {Provider} provider @throws {Problem} */
export async function leaveFor(provider) {
  if (!crypto.subtle) {
    throw failed('browsers allow this on pages with https, or on localhost, only');
  }
  const { authorization_endpoint: endpoint } = await metadata(provider);
  const [verifier, state] = [crypto.randomUUID() + crypto.randomUUID(), crypto.randomUUID()];
  sessionStorage.setItem(KEY, JSON.stringify({ verifier, state, fragment: location.hash }));
  const url = new URL(endpoint);
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  for (const [name, value] of Object.entries({
    response_type: 'code', client_id: provider.clientId, redirect_uri: pageAddress(), scope: provider.scope, state,
    code_challenge: btoa(String.fromCharCode(...new Uint8Array(challenge))).replaceAll('+', '-').replaceAll('/', '_')
      .replace('=', ''), code_challenge_method: 'S256',
  })) {
    url.searchParams.set(name, value);
  }
  location.assign(url);
}

/**
 * The access token, if the browser has come back from the provider with a code for one; else empty. The page's address is
 * then what it was before.
 * @param {Provider} provider @throws {Problem}
 */
export async function comeBack(provider) {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('state')) {
    return '';
  }
  const { verifier, state, fragment } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
  sessionStorage.removeItem(KEY);
  history.replaceState(null, '', pageAddress() + (fragment ?? location.hash));
  if (answer.get('state') !== state) {
    throw failed('the provider answers a sign-in that this tab did not start');
  }
  const code = answer.get('code');
  if (!code) {
    throw failed(`the provider says ${answer.get('error') ?? 'nothing'}: ${answer.get('error_description') ?? ''}`);
  }
  const { token_endpoint: endpoint } = await metadata(provider);
  const { access_token: token } = await json(endpoint, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: pageAddress(),
      client_id: provider.clientId, code_verifier: verifier }),
  });
  if (typeof token !== 'string') {
    throw failed('the provider gives no access token');
  }
  return token;
}

/** @param {Provider} provider */
async function metadata(provider) {
  const issuer = provider.issuer.replace(/\/$/, '');
  const found = await json(`${issuer}/.well-known/openid-configuration`);
  if (String(found.issuer).replace(/\/$/, '') !== issuer) {
    throw failed(`expected the issuer ${issuer}, found ${found.issuer}`);
  }
  return found;
}

/** @param {string} url @param {RequestInit} [request] @returns {Promise<any>} */
async function json(url, request = {}) {
  try {
    const response = await fetch(url, { ...request, credentials: 'omit', signal: AbortSignal.timeout(30_000) });
    if (response.ok) {
      return await response.json();
    }
    throw failed(`${url} answers with status ${response.status}`);
  } catch (failure) {
    throw failure instanceof Problem ? failure : failed(`${url}: ${failure}`);
  }
}

/** @param {string} detail */
const failed = (detail) => new Problem(0, { type: 'unauthenticated', title: 'Sign-in failed', detail });

/** Where the provider sends the browser: registered there as the client's redirect URI. */
const pageAddress = () => location.origin + location.pathname;
