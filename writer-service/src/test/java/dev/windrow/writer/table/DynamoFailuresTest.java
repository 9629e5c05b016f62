package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.Reason;
import dev.windrow.writer.table.DynamoTable.DynamoFailures;
import dev.windrow.writer.table.TableWrites.ConditionFailedException;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;

/** What is known of a cancelled transaction, by the reasons of its items. */
class DynamoFailuresTest {

    private static final Map<String, AttributeValue> ITEM = Map.of("n", AttributeValue.fromN("1"));

    @ParameterizedTest
    @CsvSource({ "TransactionConflict,CONTENTION", "ThrottlingError,THROTTLED", "ProvisionedThroughputExceeded,THROTTLED",
            "ValidationError,REFUSED", "SomethingNew,UNKNOWN_ERROR" })
    void aFailedConditionSaysNothingWhileTheFirstItemIsUndecided(String code, Reason expected) {
        // Given
        List<CancellationReason> reasons = List.of(reason(code), reason("None"), conditionFailed());

        // When
        RuntimeException failure = DynamoFailures.cancelled(reasons, "cancelled");

        // Then
        assertThat(failure).isInstanceOfSatisfying(WriteFailedException.class, failed -> {
            assertThat(failed.reason()).isEqualTo(expected);
            assertThat(failed.position()).isZero();
        });
    }

    @Test
    void aFailedConditionCountsBesideAConflictOfAnotherItem() {
        assertThat(DynamoFailures.cancelled(List.of(reason("None"), reason("TransactionConflict"), conditionFailed()),
                "cancelled")).isInstanceOfSatisfying(ConditionFailedException.class,
                        failed -> assertThat(failed.items()).isEqualTo(Map.of(2, ITEM)));
    }

    @Test
    void aFailedConditionOfTheFirstItemCountsWhateverTheOthersMeet() {
        assertThat(DynamoFailures.cancelled(List.of(conditionFailed(), reason("TransactionConflict"), conditionFailed()),
                "cancelled")).isInstanceOfSatisfying(ConditionFailedException.class,
                        failed -> assertThat(failed.items()).isEqualTo(Map.of(0, ITEM, 2, ITEM)));
    }

    @Test
    void withoutAFailedConditionTheFirstOtherReasonCounts() {
        assertThat(DynamoFailures.cancelled(List.of(reason("None"), reason("ThrottlingError"), reason("ValidationError")),
                "cancelled")).isInstanceOfSatisfying(WriteFailedException.class, failed -> {
                    assertThat(failed.reason()).isEqualTo(Reason.THROTTLED);
                    assertThat(failed.position()).isEqualTo(1);
                });
    }

    @Test
    void withoutReasonsTheTableIsUnavailable() {
        assertThat(DynamoFailures.cancelled(List.of(), "cancelled")).isInstanceOfSatisfying(WriteFailedException.class,
                failed -> {
                    assertThat(failed.reason()).isEqualTo(Reason.UNAVAILABLE);
                    assertThat(failed.detail()).isEqualTo("cancelled");
                });
    }

    private static CancellationReason reason(String code) {
        return CancellationReason.builder().code(code).message("as DynamoDB says it").build();
    }

    private static CancellationReason conditionFailed() {
        return CancellationReason.builder().code("ConditionalCheckFailed").item(ITEM).build();
    }
}
