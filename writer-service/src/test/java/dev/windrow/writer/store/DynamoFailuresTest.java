package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.reason.Reason;

class DynamoFailuresTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "AccessDeniedException | 400 | not authorized | ACCESS_DENIED",
            "SomethingNewException | 400 | what | UNKNOWN_ERROR",
            "'' | 403 | an answer that is no JSON | UNKNOWN_ERROR",
            "'' | 408 | slow | TIMED_OUT",
            "'' | 413 | large | REFUSED",
            "'' | 429 | slow down | THROTTLED",
            "'' | 502 | bad gateway | UNAVAILABLE",
            "InternalServerError | 500 | what | UNAVAILABLE",
            "ResourceNotFoundException | 400 | no table | UNAVAILABLE",
            "ExpiredTokenException | 400 | expired | UNAVAILABLE",
            "UnrecognizedClientException | 400 | expired | UNAVAILABLE",
            "ValidationException | 400 | Number overflow. Attempting to store a number with magnitude larger | REFUSED",
            "ValidationException | 400 | Size of hashkey has exceeded the maximum size limit of2048 bytes | REFUSED",
            "ValidationException | 400 | The provided key element does not match the schema | SCHEMA_MISMATCH",
            "ValidationError | 400 | Type mismatch for key pk expected: N actual: S | SCHEMA_MISMATCH",
            "ValidationException | 400 | Cannot update attribute ipk. This attribute is part of the key | SCHEMA_MISMATCH",
            "ValidationException | 400 | One of the required keys was not given a value | SCHEMA_MISMATCH",
    })
    void givesEachErrorItsReason(String code, int status, String message, Reason reason) {
        assertThat(DynamoFailures.reason(code, status, message)).isEqualTo(reason);
    }
}
