package dev.windrow.aws;

import dev.windrow.base.Reason;

/** A failed request; the message says what it was about, which AWS's own message often does not. */
public class RequestFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /**
     * @param subject what the request was about, or what was expected, before AWS's own message
     * @param failure the request's failure; its reason is that of this exception
     */
    public RequestFailedException(String subject, Throwable failure) {
        super(subject + ": " + AwsErrors.cause(failure).getMessage(), failure);
        this.reason = AwsErrors.reason(failure);
    }

    /** Has no stack trace: the fault is in the service, not in the program, and failures come in bursts. */
    protected RequestFailedException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
