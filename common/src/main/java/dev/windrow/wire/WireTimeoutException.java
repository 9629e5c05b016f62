package dev.windrow.wire;

/** No answer came in time; the request may have been carried out. */
public final class WireTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WireTimeoutException(String message) {
        super(message, null, false, false);
    }
}
