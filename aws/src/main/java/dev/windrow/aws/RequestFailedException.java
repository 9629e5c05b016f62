package dev.windrow.aws;

import dev.windrow.base.Reason;

/** A request failed; the message says what it was about, which AWS often does not. */
public final class RequestFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /**
     * @param subject what the request was about, or what was expected, before AWS's own message
     * @param failure of the request; its reason is that of this exception
     */
    public RequestFailedException(String subject, Throwable failure) {
        super(subject + ": " + AwsErrors.cause(failure).getMessage(), failure);
        this.reason = AwsErrors.reason(failure);
    }

    /** Why the request failed. */
    public Reason reason() {
        return reason;
    }
}
