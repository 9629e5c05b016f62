package dev.windrow.aws;

/** AWS answered that it will not do what was asked. */
public final class AwsErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Without a stack trace: it tells of the service, not of the program. */
    public AwsErrorException(AwsResponse.Refusal refusal) {
        super(refusal.toString(), null, false, false);
    }
}
