package dev.windrow.writer.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.windrow.aws.AwsTimeoutException;
import dev.windrow.reason.Reason;
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
 * content is {@link Reason#REFUSED}. Missing tables, other keys, missing rights and credentials are the operator's to mend;
 * a missing right may concern one label only, and so may an error of the client's making that is unknown here.
 */
final class DynamoFailures {

    private static final String CONDITION_FAILED = "ConditionalCheckFailed";
    /** What DynamoDB says where table or index have other keys than the request. */
    private static final Pattern OTHER_KEYS = Pattern.compile("does not match the schema|Type mismatch for (Index )?Key"
            + "|part of the key|Missing the key|required keys was not given|conditions on the keys?",
            Pattern.CASE_INSENSITIVE);
    private static final int BAD_REQUEST = 400;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

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
                || cause instanceof ApiCallAttemptTimeoutException || cause instanceof AwsTimeoutException) {
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
        for (int i = 0; i < reasons.size(); i++) {
            CancellationReason reason = reasons.get(i);
            if (reason.code() != null && !reason.code().isEmpty() && !"None".equals(reason.code())) {
                return new WriteFailedException(reason(reason.code(), BAD_REQUEST, reason.message()),
                        reason.code() + ": " + reason.message(), i);
            }
        }
        return new WriteFailedException(Reason.UNAVAILABLE, message);
    }

    private static Reason reason(DynamoDbException answer) {
        String code = answer.awsErrorDetails() == null ? "" : String.valueOf(answer.awsErrorDetails().errorCode());
        return answer.isThrottlingException() ? Reason.THROTTLED
                : reason(code, answer.statusCode(), answer.getMessage());
    }

    /**
     * The reason of an error.
     *
     * @param code its name, or nothing
     * @param status the HTTP status
     * @param message for people; DynamoDB tells errors of keys and schema by it alone
     */
    static Reason reason(String code, int status, @Nullable String message) {
        return switch (code) {
            case "ThrottlingError", "ThrottlingException", "Throttling", "ProvisionedThroughputExceeded",
                    "ProvisionedThroughputExceededException", "RequestLimitExceeded", "LimitExceededException" ->
                Reason.THROTTLED;
            case "TransactionConflict", "TransactionConflictException", "TransactionInProgressException" ->
                Reason.CONTENTION;
            case "ValidationError", "ValidationException" ->
                message != null && OTHER_KEYS.matcher(message).find() ? Reason.SCHEMA_MISMATCH : Reason.REFUSED;
            case "ItemCollectionSizeLimitExceeded", "ItemCollectionSizeLimitExceededException" -> Reason.REFUSED;
            case "AccessDenied", "AccessDeniedException" -> Reason.ACCESS_DENIED;
            case "ResourceNotFoundException", "ResourceInUseException", "ExpiredToken", "ExpiredTokenException",
                    "UnrecognizedClientException", "InvalidClientTokenId", "InvalidSignatureException",
                    "SignatureDoesNotMatch", "IncompleteSignature", "IncompleteSignatureException",
                    "MissingAuthenticationToken", "MissingAuthenticationTokenException", "RequestExpired" ->
                Reason.UNAVAILABLE;
            default -> reason(status);
        };
    }

    private static Reason reason(int status) {
        return switch (status) {
            case REQUEST_TIMEOUT -> Reason.TIMED_OUT;
            case TOO_LARGE -> Reason.REFUSED;
            case TOO_MANY -> Reason.THROTTLED;
            default -> status >= BAD_REQUEST && status < SERVER_ERROR ? Reason.UNKNOWN_ERROR : Reason.UNAVAILABLE;
        };
    }
}
