package dev.windrow.aws;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import io.vertx.core.VertxException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Maps AWS errors to reasons, for DynamoDB, SQS and STS (DynamoDB developer guide, "Error handling"; SQS API reference, "Common
 * errors"). Only errors about a request's content are {@link Reason#REFUSED}. Missing tables, other keys, missing permissions
 * and credentials need the operator. A missing permission may concern only one label, and so may an unknown client error.
 */
public final class AwsErrors {

    /** DynamoDB's messages if the table or index has other keys than the request. */
    private static final Pattern OTHER_KEYS = Pattern.compile("does not match the schema|Type mismatch for (Index )?Key"
            + "|part of the key|Missing the key|required keys was not given|conditions on the keys?"
            + "|does not have the specified index|backfilling global secondary index", Pattern.CASE_INSENSITIVE);
    private static final int BAD_REQUEST = 400;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    private static final Map<Reason, Set<String>> CODES = Map.of(
            Reason.THROTTLED, Set.of("Throttling", "ThrottlingError", "ThrottlingException", "ThrottledException",
                    "RequestThrottled", "RequestThrottledException", "TooManyRequestsException",
                    "ProvisionedThroughputExceeded", "ProvisionedThroughputExceededException", "RequestLimitExceeded",
                    "LimitExceededException", "BandwidthLimitExceeded", "OverLimit", "SlowDown", "PriorRequestNotComplete",
                    "KmsThrottled"),
            Reason.CONTENTION, Set.of("TransactionConflict", "TransactionConflictException",
                    "TransactionInProgressException", "ReplicatedWriteConflictException"),
            Reason.TIMED_OUT, Set.of("RequestTimeout", "RequestTimeoutException"),
            Reason.ACCESS_DENIED, Set.of("AccessDenied", "AccessDeniedException", "KmsAccessDenied"),
            Reason.UNAVAILABLE, Set.of("InternalServerError", "InternalServerException", "InternalFailure",
                    "InternalError", "ServiceUnavailable", "ServiceUnavailableException", "IDPCommunicationError",
                    "ResourceNotFoundException", "ResourceInUseException", "QueueDoesNotExist", "NonExistentQueue",
                    "ExpiredToken", "ExpiredTokenException", "UnrecognizedClientException", "InvalidClientTokenId",
                    "InvalidIdentityToken", "InvalidSignatureException", "SignatureDoesNotMatch", "IncompleteSignature",
                    "IncompleteSignatureException", "MissingAuthenticationToken", "MissingAuthenticationTokenException",
                    "RequestExpired", "RequestTimeTooSkewed", "RequestInTheFuture", "AuthFailure", "InvalidSecurity",
                    // Errors of an encrypted queue's key.
                    "KmsDisabled", "KmsInvalidKeyUsage", "KmsInvalidState", "KmsNotFound", "KmsOptInRequired",
                    "DisabledException", "InvalidKeyUsageException", "InvalidStateException", "NotFoundException",
                    "OptInRequired"),
            Reason.REFUSED, Set.of("ValidationError", "ValidationException", "ItemCollectionSizeLimitExceeded",
                    "ItemCollectionSizeLimitExceededException", "InvalidParameterValue", "InvalidMessageContents",
                    "ReceiptHandleIsInvalid", "BatchRequestTooLong"));
    private static final Map<String, Reason> REASONS = CODES.entrySet().stream().flatMap(
            known -> known.getValue().stream().map(code -> Map.entry(code, known.getKey())))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private AwsErrors() {
    }

    /** The reason of a failed request, whether it went through {@link AwsJsonClient} or the SDK. */
    public static Reason reason(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof RequestFailedException explained) {
            return explained.reason();
        }
        if (cause instanceof AwsServiceException answer) {
            String code = answer.awsErrorDetails() == null ? null : answer.awsErrorDetails().errorCode();
            return reason(code == null ? "" : code, answer.statusCode(), answer.getMessage());
        }
        if (cause instanceof TimeoutException || cause instanceof io.smallrye.mutiny.TimeoutException
                || cause instanceof ApiCallTimeoutException
                || cause instanceof ApiCallAttemptTimeoutException) {
            return Reason.TIMED_OUT;
        }
        boolean noAnswer = cause instanceof SdkException || cause instanceof VertxException
                || !(cause instanceof RuntimeException || cause instanceof Error);
        return noAnswer ? Reason.UNAVAILABLE : Reason.INTERNAL;
    }

    /**
     * Returns the reason of an error response.
     *
     * @param code the error's name, with or without a namespace before its last dot; empty if there is none, as in a proxy's
     *        response
     * @param message human-readable; only the message identifies DynamoDB's errors of keys and schema
     */
    public static Reason reason(String code, int status, @Nullable String message) {
        // The SDK reports the older names of SQS's errors, such as AWS.SimpleQueueService.NonExistentQueue.
        Reason known = REASONS.get(code.substring(code.lastIndexOf('.') + 1));
        if (known == Reason.REFUSED && code.startsWith("Validation") && message != null && OTHER_KEYS.matcher(message).find()) {
            return Reason.SCHEMA_MISMATCH;
        }
        return known == null ? reason(status) : known;
    }

    private static Reason reason(int status) {
        return switch (status) {
            case REQUEST_TIMEOUT -> Reason.TIMED_OUT;
            case TOO_LARGE -> Reason.REFUSED;
            case TOO_MANY -> Reason.THROTTLED;
            default -> status >= BAD_REQUEST && status < SERVER_ERROR ? Reason.UNKNOWN_ERROR : Reason.UNAVAILABLE;
        };
    }

    /**
     * Blocks until there is a response, at most as long as the SDK's client tries; for commands. Throws the failure itself,
     * without the wrappers of futures.
     */
    public static <T> T join(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException failure) {
            throw cause(failure) instanceof RuntimeException known ? known : failure;
        }
    }

    /** Returns the failure itself, without the wrappers of futures. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

}
