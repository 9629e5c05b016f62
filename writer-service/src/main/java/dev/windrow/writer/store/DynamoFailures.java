package dev.windrow.writer.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

import dev.windrow.reason.Reason;
import dev.windrow.wire.WireTimeoutException;
import io.vertx.core.VertxException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Gives each failure of DynamoDB its reason (developer guide, "Error handling"). Only what DynamoDB says of the request's
 * content is {@link Reason#REFUSED}; missing tables and rights are the operator's to mend, and the write waits for it.
 */
final class DynamoFailures {

    private static final String CONDITION_FAILED = "ConditionalCheckFailed";

    private DynamoFailures() {
    }

    static RuntimeException classified(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause()
                : failure;
        if (cause instanceof WriteFailedException || cause instanceof ConditionFailedException) {
            return (RuntimeException) cause;
        }
        if (cause instanceof TransactionCanceledException cancelled) {
            return cancelled(cancelled.cancellationReasons(), String.valueOf(cancelled.getMessage()));
        }
        if (cause instanceof ConditionalCheckFailedException failed) {
            return new ConditionFailedException(Map.of(0, failed.hasItem() ? failed.item() : Map.of()));
        }
        if (cause instanceof DynamoDbException answer) {
            return new WriteFailedException(reason(answer), String.valueOf(answer.getMessage()));
        }
        if (cause instanceof TimeoutException || cause instanceof ApiCallTimeoutException
                || cause instanceof ApiCallAttemptTimeoutException || cause instanceof WireTimeoutException) {
            return new WriteFailedException(Reason.TIMED_OUT, String.valueOf(cause.getMessage()));
        }
        boolean unheard = cause instanceof SdkException || cause instanceof VertxException
                || !(cause instanceof RuntimeException || cause instanceof Error);
        Reason reason = unheard ? Reason.UNAVAILABLE : Reason.INTERNAL;
        return new WriteFailedException(reason, cause.toString());
    }

    /**
     * Why a transaction was cancelled.
     *
     * @param reasons one for each of its updates
     * @param message if they do not tell
     */
    static RuntimeException cancelled(List<CancellationReason> reasons, String message) {
        Map<Integer, Map<String, AttributeValue>> items = new HashMap<>();
        for (int i = 0; i < reasons.size(); i++) {
            if (CONDITION_FAILED.equals(reasons.get(i).code())) {
                items.put(i, reasons.get(i).item());
            }
        }
        if (!items.isEmpty()) {
            return new ConditionFailedException(items);
        }
        for (CancellationReason reason : reasons) {
            if (reason.code() != null && !reason.code().isEmpty() && !"None".equals(reason.code())) {
                return new WriteFailedException(reason(reason.code(), 400), reason.code() + ": " + reason.message());
            }
        }
        return new WriteFailedException(Reason.UNAVAILABLE, message);
    }

    private static Reason reason(DynamoDbException answer) {
        String code = answer.awsErrorDetails() == null ? "" : String.valueOf(answer.awsErrorDetails().errorCode());
        return answer.isThrottlingException() ? Reason.THROTTLED : reason(code, answer.statusCode());
    }

    static Reason reason(String code, int status) {
        return switch (code) {
            case "ThrottlingError", "ThrottlingException", "Throttling", "ProvisionedThroughputExceeded",
                    "ProvisionedThroughputExceededException", "RequestLimitExceeded", "LimitExceededException" ->
                Reason.THROTTLED;
            case "TransactionConflict", "TransactionConflictException", "TransactionInProgressException" ->
                Reason.CONTENTION;
            case "ValidationError", "ValidationException", "ItemCollectionSizeLimitExceeded",
                    "ItemCollectionSizeLimitExceededException" ->
                Reason.REFUSED;
            default -> switch (status) {
                case 413 -> Reason.REFUSED;
                case 429 -> Reason.THROTTLED;
                default -> Reason.UNAVAILABLE;
            };
        };
    }
}
