package dev.windrow.gather.fanout.dynamo;

import java.io.IOException;
import java.util.concurrent.CompletionException;

import dev.windrow.aws.AwsTimeoutException;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.reason.Reason;
import io.vertx.core.VertxException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** What went wrong with a Query, in Windrow's words. */
final class QueryFailures {

    private QueryFailures() {
    }

    static Throwable told(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        if (cause instanceof DynamoDbException answered) {
            if (answered.isThrottlingException()) {
                return new GatherException(Reason.THROTTLED, answered);
            }
            return new GatherException(answered.statusCode() >= 500 ? Reason.UNAVAILABLE : Reason.REFUSED, answered);
        }
        if (cause instanceof ApiCallTimeoutException || cause instanceof ApiCallAttemptTimeoutException
                || cause instanceof AwsTimeoutException) {
            return new GatherException(Reason.TIMED_OUT, cause);
        }
        boolean unheard = cause instanceof SdkClientException || cause instanceof IOException
                || cause instanceof VertxException;
        return unheard ? new GatherException(Reason.UNAVAILABLE, cause) : cause;
    }
}
