package dev.windrow.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.Reason;
import io.vertx.core.VertxException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

class AwsErrorsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "AccessDeniedException | 400 | not authorized | ACCESS_DENIED",
            "AccessDenied | 403 | not authorized | ACCESS_DENIED",
            "SomethingNewException | 400 | what | UNKNOWN_ERROR",
            "SomethingNewException | 500 | what | UNAVAILABLE",
            "'' | 403 | an answer that is no JSON | UNKNOWN_ERROR",
            "'' | 407 | an answer that is no JSON | UNKNOWN_ERROR",
            "'' | 408 | slow | TIMED_OUT",
            "'' | 413 | large | REFUSED",
            "'' | 429 | slow down | THROTTLED",
            "'' | 502 | bad gateway | UNAVAILABLE",
            "InternalServerError | 500 | what | UNAVAILABLE",
            "InternalServerError | 400 | in a transaction | UNAVAILABLE",
            "ResourceNotFoundException | 400 | no table | UNAVAILABLE",
            "AWS.SimpleQueueService.NonExistentQueue | 400 | no queue | UNAVAILABLE",
            "ExpiredTokenException | 400 | expired | UNAVAILABLE",
            "UnrecognizedClientException | 400 | unknown | UNAVAILABLE",
            "InvalidIdentityToken | 400 | wrong | UNAVAILABLE",
            "ThrottlingError | 400 | slow down | THROTTLED",
            "ProvisionedThroughputExceeded | 400 | slow down | THROTTLED",
            "RequestThrottled | 403 | slow down | THROTTLED",
            "OverLimit | 403 | too many in flight | THROTTLED",
            "KmsThrottled | 400 | slow down | THROTTLED",
            "KMS.ThrottlingException | 400 | slow down | THROTTLED",
            "KmsAccessDenied | 400 | not allowed to use the key | ACCESS_DENIED",
            "KMS.AccessDeniedException | 400 | not allowed to use the key | ACCESS_DENIED",
            "KmsDisabled | 400 | no key | UNAVAILABLE",
            "KMS.NotFoundException | 400 | no key | UNAVAILABLE",
            "AWS.SimpleQueueService.BatchRequestTooLong | 400 | large | REFUSED",
            "TransactionConflict | 400 | at once | CONTENTION",
            "ValidationException | 400 | Number overflow. Attempting to store a number with magnitude larger | REFUSED",
            "ValidationException | 400 | Size of hashkey has exceeded the maximum size limit of2048 bytes | REFUSED",
            "ValidationException | 400 | The provided key element does not match the schema | SCHEMA_MISMATCH",
            "ValidationError | 400 | Type mismatch for key pk expected: N actual: S | SCHEMA_MISMATCH",
            "ValidationException | 400 | Cannot update attribute ipk. This attribute is part of the key | SCHEMA_MISMATCH",
            "ValidationException | 400 | One of the required keys was not given a value | SCHEMA_MISMATCH",
    })
    void anAnswerHasOneReasonThroughEitherClient(String code, int status, String message, Reason reason) {
        AwsServiceException sdk = DynamoDbException.builder().statusCode(status).message(message)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage(message).build()).build();
        AwsResponse wire = new AwsResponse(status,
                ("{\"__type\":\"" + code + "\",\"message\":\"" + message + "\"}").getBytes(UTF_8));

        assertThat(AwsErrors.reason(code, status, message)).isEqualTo(reason);
        assertThat(AwsErrors.reason(catchThrowable(wire::requireOk))).isEqualTo(reason);
        assertThat(AwsErrors.reason(new CompletionException(sdk))).isEqualTo(reason);
    }

    @Test
    void anAnswerWithoutDetailsHasTheReasonOfItsStatus() {
        assertThat(AwsErrors.reason(DynamoDbException.builder().statusCode(503).build())).isEqualTo(Reason.UNAVAILABLE);
    }

    @Test
    void whatBringsNoAnswerIsUnavailableOrTimedOut() {
        assertThat(AwsErrors.reason(new IOException("cut"))).isEqualTo(Reason.UNAVAILABLE);
        assertThat(AwsErrors.reason(new VertxException("closed"))).isEqualTo(Reason.UNAVAILABLE);
        assertThat(AwsErrors.reason(SdkClientException.create("cut"))).isEqualTo(Reason.UNAVAILABLE);
        assertThat(AwsErrors.reason(new TimeoutException())).isEqualTo(Reason.TIMED_OUT);
        assertThat(AwsErrors.reason(new io.smallrye.mutiny.TimeoutException())).isEqualTo(Reason.TIMED_OUT);
        assertThat(AwsErrors.reason(ApiCallTimeoutException.create(1))).isEqualTo(Reason.TIMED_OUT);
    }

    @Test
    void aFaultOfTheProgramIsInternal() {
        assertThat(AwsErrors.reason(new IllegalStateException("a bug"))).isEqualTo(Reason.INTERNAL);
    }
}
