package dev.windrow.writer.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.aws.AwsErrorException;
import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Reason;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Translates DynamoDB's failures to the store's, with the reasons of {@link AwsErrors}. */
final class DynamoFailures {

    private static final String CONDITION_FAILED = "ConditionalCheckFailed";
    private static final String NONE = "None";
    private static final int BAD_REQUEST = 400;

    private DynamoFailures() {
    }

    static RuntimeException classified(Throwable failure) {
        Throwable cause = AwsErrors.cause(failure);
        if (cause instanceof WriteFailedException || cause instanceof ConditionFailedException) {
            return (RuntimeException) cause;
        }
        if (cause instanceof TransactionCanceledException cancelled) {
            return cancelled(cancelled.cancellationReasons(), String.valueOf(cancelled.getMessage()));
        }
        if (cause instanceof ConditionalCheckFailedException failed) {
            return new ConditionFailedException(Map.of(0, failed.hasItem() ? failed.item() : Map.of()));
        }
        boolean answered = cause instanceof SdkServiceException || cause instanceof AwsErrorException;
        return new WriteFailedException(AwsErrors.reason(cause), answered ? String.valueOf(cause.getMessage())
                : cause.toString());
    }

    /**
     * Why a transaction was cancelled. Its first update is its fence: unless that one's condition is known to hold or not, a
     * failed condition of another may be the doing of the same transaction, whose answer was lost and which is not committed
     * to all its items yet. So it is to be repeated until the fence's state is known.
     *
     * @param reasons one for each of its updates
     * @param message if they have none
     */
    static RuntimeException cancelled(List<CancellationReason> reasons, String message) {
        Map<Integer, Map<String, AttributeValue>> items = new HashMap<>();
        WriteFailedException failed = null;
        for (int i = 0; i < reasons.size(); i++) {
            CancellationReason reason = reasons.get(i);
            if (CONDITION_FAILED.equals(reason.code())) {
                items.put(i, reason.item());
            } else if (failed == null && reason.code() != null && !reason.code().isEmpty() && !NONE.equals(reason.code())) {
                failed = new WriteFailedException(AwsErrors.reason(reason.code(), BAD_REQUEST, reason.message()),
                        reason.code() + ": " + reason.message(), i);
            }
        }
        if (failed != null && (items.isEmpty() || failed.position() == 0)) {
            return failed;
        }
        return items.isEmpty() ? new WriteFailedException(Reason.UNAVAILABLE, message) : new ConditionFailedException(items);
    }
}
