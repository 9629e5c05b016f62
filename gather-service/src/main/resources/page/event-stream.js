// Server-sent events by fetch, as EventSource cannot send a credential.

/**
 * @typedef {{ type: string, data: string, id: string | null }} StreamEvent
 */

/**
 * The events of a stream (WHATWG HTML, section 9.2.6), without comments.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncGenerator<StreamEvent>}
 */
export async function* events(stream) {
  const reader = stream.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  let rest = '';
  /** @type {StreamEvent} */
  let event = { type: 'message', data: '', id: null };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      const lines = (rest + value).split('\n');
      rest = /** @type {string} */ (lines.pop());
      for (const line of lines) {
        if (line.trimEnd() !== '') {
          field(event, line.replace(/\r$/, ''));
        } else if (event.data !== '') {
          yield { ...event, data: event.data.slice(0, -1) };
          event = { type: 'message', data: '', id: event.id };
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/**
 * @param {StreamEvent} event
 * @param {string} line
 */
function field(event, line) {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'event') {
    event.type = value;
  } else if (name === 'data') {
    event.data += `${value}\n`;
  } else if (name === 'id') {
    event.id = value;
  }
}
