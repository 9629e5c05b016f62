package dev.windrow.gather.fanout.dynamo;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Reason;
import dev.windrow.gather.fanout.GatherException;

/** Makes failures of a Query the gatherer's, with the reasons of {@link AwsErrors}. */
final class QueryFailures {

    private QueryFailures() {
    }

    static Throwable withReason(Throwable failure) {
        Throwable cause = AwsErrors.cause(failure);
        if (cause instanceof GatherException) {
            return cause;
        }
        Reason reason = AwsErrors.reason(cause);
        return reason == Reason.INTERNAL ? cause : new GatherException(reason, cause);
    }
}
