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
 * The one mapping of AWS's errors to reasons, for DynamoDB, SQS and STS alike (DynamoDB developer guide, "Error handling";
 * SQS API reference, "Common errors"). Only what AWS says of a request's content is {@link Reason#REFUSED}. Missing tables,
 * other keys, missing permissions and credentials need the operator; a missing permission may concern one label only, and
 * so may a client error that is unknown here.
 */
public final class AwsErrors {

    /** DynamoDB's messages when table or index have other keys than the request. */
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
                    // The key of an encrypted queue.
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
     * The reason of an answer.
     *
     * @param code the error's name, with or without a namespace before its last dot; empty if there is none, as with a
     *        proxy's answer
     * @param message for people; DynamoDB reports errors of keys and schema by it alone
     */
    public static Reason reason(String code, int status, @Nullable String message) {
        // The older names of SQS's errors, which the SDK reports, are such as AWS.SimpleQueueService.NonExistentQueue.
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
     * Blocks until there is an answer, for commands: for no longer than the SDK's client tries. Throws the failure itself,
     * without what futures wrap it in.
     */
    public static <T> T join(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException failure) {
            throw cause(failure) instanceof RuntimeException known ? known : failure;
        }
    }

    /** The failure itself, without the wrappers that futures put around it. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** A request failed; the message says what it was about, which AWS often does not. */
    public static class RequestFailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Reason reason;

        /**
         * @param subject what the request was about, or what was expected, before AWS's own message
         * @param failure of the request; its reason is that of this exception
         */
        public RequestFailedException(String subject, Throwable failure) {
            super(subject + ": " + AwsErrors.cause(failure).getMessage(), failure);
            this.reason = AwsErrors.reason(failure);
        }

        /** Without a stack trace: the fault is in the service, not in the program, and failures come in storms. */
        protected RequestFailedException(Reason reason, String message) {
            super(message, null, false, false);
            this.reason = reason;
        }

        /** Why the request failed. */
        public Reason reason() {
            return reason;
        }
    }
}
