/** Why a query was not answered: a problem document of the API, or no answer at all. */
export class Problem extends Error {
  /**
   * @param {number} status the HTTP status; 0 if there was no response
   * @param {{ type?: string, title?: string, detail?: string }} document
   * @param {string | null} [retryAfter] seconds
   */
  constructor(status, document, retryAfter = null) {
    super(document.detail || document.title || `HTTP status ${status}`);
    this.status = status;
    this.title = document.title || 'No answer';
    /** The last segment of the type: one stable word. */
    this.reason = (document.type || '').split('/').pop() || 'unavailable';
    this.retryAfter = retryAfter;
  }

  /** Whether there was no response, so that the service may be there again in a moment. */
  get isLost() {
    return this.status === 0 && this.reason === 'unavailable';
  }

  /** @param {Response} response */
  static async of(response) {
    let document = {};
    try {
      document = await response.json();
    } catch {
      // A proxy's page: the status is all there is.
    }
    return new Problem(response.status, document, response.headers.get('Retry-After'));
  }

  /** @param {unknown} failure */
  static unreachable(failure) {
    return new Problem(0, { title: 'The service cannot be reached', detail: String(failure) });
  }
}

/** @param {unknown} failure */
export function isAbort(failure) {
  return failure instanceof DOMException && failure.name === 'AbortError';
}
