package dev.windrow.aws;

/** AWS answered that it will not do what was requested. */
public final class AwsErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient AwsResponse.Refusal refusal;

    /** Without a stack trace: it is about the service, not about the program. */
    AwsErrorException(AwsResponse.Refusal refusal) {
        super(refusal.toString(), null, false, false);
        this.refusal = refusal;
    }

    /** What AWS said. */
    public AwsResponse.Refusal refusal() {
        return refusal;
    }
}
