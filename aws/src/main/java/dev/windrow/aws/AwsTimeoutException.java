package dev.windrow.aws;

/** No answer came in time; the request may have been carried out. */
public final class AwsTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AwsTimeoutException(String message) {
        super(message, null, false, false);
    }
}
