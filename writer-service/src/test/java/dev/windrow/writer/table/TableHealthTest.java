package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.writer.table.TableWriter.TableHealth;
import dev.windrow.writer.table.TableWrites.WriteFailedException;

class TableHealthTest {

    /** A clock that never goes back may start anywhere. */
    private final AtomicLong nanos = new AtomicLong(-Duration.ofHours(1).toNanos());
    private final TableHealth health = new TableHealth(nanos::get);

    @Test
    void aDeniedWriteIsTheTablesProblemWhereNoneSucceeds() {
        // When
        fail(Reason.ACCESS_DENIED);

        // Then
        assertThat(health.takesWrites()).isFalse();
        assertThat(health.problem()).isEqualTo("access-denied: detail");
    }

    @Test
    void aDeniedWriteIsItsLabelsProblemWhileOthersSucceed() {
        // When
        health.succeeded();
        pass(Duration.ofSeconds(30));
        fail(Reason.ACCESS_DENIED);

        // Then
        assertThat(health.takesWrites()).isTrue();
        assertThat(health.problem()).isNull();

        // And when none has succeeded for a while
        pass(Duration.ofSeconds(31));
        assertThat(health.takesWrites()).isFalse();
        assertThat(health.problem()).contains("access-denied");
    }

    @Test
    void otherKeysAreAProblemAtOnceUntilAWriteSucceeds() {
        // Given
        health.succeeded();
        pass(Duration.ofSeconds(1));

        // When
        fail(Reason.SCHEMA_MISMATCH);
        assertThat(health.problem()).isEqualTo("schema-mismatch: detail");
        pass(Duration.ofSeconds(1));
        health.succeeded();

        // Then
        assertThat(health.problem()).isNull();
    }

    @Test
    void anOutageIsNotTheOperatorsToMend() {
        fail(Reason.UNAVAILABLE);
        fail(Reason.THROTTLED);

        assertThat(health.problem()).isNull();
    }

    private void fail(Reason reason) {
        health.failed(new WriteFailedException(reason, "detail"));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
