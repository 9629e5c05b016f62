package dev.windrow.local.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.windrow.base.Reason;

/**
 * AWS's errors with the reason that each must get: the contract of everything that talks to DynamoDB or SQS (DynamoDB
 * developer guide, "Error handling"; SQS API reference, "Common errors").
 */
public final class ErrorCases {

    private ErrorCases() {
    }

    /**
     * One error.
     *
     * @param fault the error on the wire
     * @param reason what it must be reported as
     */
    public record ErrorCase(Fault fault, Reason reason) {

        /** Timeout of a request that meets the error: short if it gets no answer at all, else enough for a busy machine. */
        public Duration requestTimeout() {
            return reason == Reason.TIMED_OUT ? Duration.ofMillis(300) : Duration.ofMinutes(2);
        }

        @Override
        public String toString() {
            return fault.kind() + " is " + reason.word();
        }
    }

    /** Errors of DynamoDB, of its connections, and of what is between. */
    public static List<ErrorCase> dynamoDb() {
        return List.of(
                dynamoDb(400, "AccessDeniedException", Reason.ACCESS_DENIED),
                dynamoDb(400, "ExpiredTokenException", Reason.UNAVAILABLE),
                dynamoDb(400, "UnrecognizedClientException", Reason.UNAVAILABLE),
                dynamoDb(400, "InvalidSignatureException", Reason.UNAVAILABLE),
                dynamoDb(400, "MissingAuthenticationTokenException", Reason.UNAVAILABLE),
                dynamoDb(400, "ResourceNotFoundException", Reason.UNAVAILABLE),
                dynamoDb(400, "ValidationException", Reason.REFUSED),
                new ErrorCase(DynamoDbFaults.error(400, DynamoDbFaults.CORAL_PREFIX, "ValidationException",
                        "The provided key element does not match the schema"), Reason.SCHEMA_MISMATCH),
                dynamoDb(400, "ItemCollectionSizeLimitExceededException", Reason.REFUSED),
                dynamoDb(400, "SomethingNewException", Reason.UNKNOWN_ERROR),
                dynamoDb(400, "ProvisionedThroughputExceededException", Reason.THROTTLED),
                dynamoDb(400, "ThrottlingException", Reason.THROTTLED),
                dynamoDb(400, "RequestLimitExceeded", Reason.THROTTLED),
                dynamoDb(400, "LimitExceededException", Reason.THROTTLED),
                dynamoDb(400, "TransactionConflictException", Reason.CONTENTION),
                dynamoDb(500, "InternalServerError", Reason.UNAVAILABLE),
                dynamoDb(503, "ServiceUnavailable", Reason.UNAVAILABLE),
                between(403, Reason.UNKNOWN_ERROR),
                between(404, Reason.UNKNOWN_ERROR),
                between(413, Reason.REFUSED),
                between(429, Reason.THROTTLED),
                between(502, Reason.UNAVAILABLE),
                new ErrorCase(new Fault.CutBefore(), Reason.UNAVAILABLE),
                new ErrorCase(new Fault.CutAfter(), Reason.UNAVAILABLE),
                new ErrorCase(new Fault.Hang(new CompletableFuture<>()), Reason.TIMED_OUT));
    }

    /** Errors of SQS, of its connections, and of what is between. */
    public static List<ErrorCase> sqs() {
        return List.of(
                new ErrorCase(SqsFaults.error(403, "AccessDenied", "AccessDenied;Sender", "denied"), Reason.ACCESS_DENIED),
                new ErrorCase(SqsFaults.expiredToken(), Reason.UNAVAILABLE),
                new ErrorCase(SqsFaults.error(403, "InvalidClientTokenId", "InvalidClientTokenId;Sender", "unknown"),
                        Reason.UNAVAILABLE),
                new ErrorCase(SqsFaults.error(400, "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue;Sender",
                        "no such queue"), Reason.UNAVAILABLE),
                new ErrorCase(SqsFaults.error(400, "InvalidParameterValue", "InvalidParameterValue;Sender", "wrong"),
                        Reason.REFUSED),
                new ErrorCase(SqsFaults.throttled(), Reason.THROTTLED),
                new ErrorCase(SqsFaults.error(403, "OverLimit", "OverLimit;Sender", "too many in flight"), Reason.THROTTLED),
                new ErrorCase(SqsFaults.error(400, "KmsThrottled", "KMS.ThrottlingException;Sender", "slow down"),
                        Reason.THROTTLED),
                new ErrorCase(SqsFaults.error(400, "KmsAccessDenied", "KMS.AccessDeniedException;Sender", "no permission"),
                        Reason.ACCESS_DENIED),
                new ErrorCase(SqsFaults.error(400, "KmsDisabled", "KMS.DisabledException;Sender", "no key"),
                        Reason.UNAVAILABLE),
                new ErrorCase(SqsFaults.internalError(), Reason.UNAVAILABLE),
                between(503, Reason.UNAVAILABLE),
                new ErrorCase(new Fault.CutBefore(), Reason.UNAVAILABLE),
                new ErrorCase(new Fault.CutAfter(), Reason.UNAVAILABLE),
                new ErrorCase(new Fault.Hang(new CompletableFuture<>()), Reason.TIMED_OUT));
    }

    private static ErrorCase dynamoDb(int status, String type, Reason reason) {
        return new ErrorCase(DynamoDbFaults.error(status, DynamoDbFaults.PREFIX, type, "as DynamoDB says it"), reason);
    }

    /** What a load balancer or proxy on the way sends instead of AWS. */
    private static ErrorCase between(int status, Reason reason) {
        return new ErrorCase(new Fault.Answer("status-" + status, status, Map.of(),
                ProxiedRequest.JSON.createObjectNode().put("error", "as a proxy says it")), reason);
    }
}
