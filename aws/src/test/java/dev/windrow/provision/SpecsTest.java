package dev.windrow.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.windrow.table.TableSchema;

class SpecsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void queueHasTheContractsNamesByDefault() {
        assertThat(QueueSpec.named(QueueSpec.QUEUE).name()).isEqualTo("windrow-events");
        assertThat(QueueSpec.named(QueueSpec.QUEUE).deadLetterName()).isEqualTo("windrow-events-dlq");
        assertThat(QueueSpec.named(QueueSpec.QUEUE).fifo()).isFalse();
        assertThat(TableSpec.named(TableSchema.TABLE)).isEqualTo(new TableSpec("windrow", Set.of()));
    }

    @Test
    void deadLettersOfAFifoQueueAreAFifoQueue() {
        assertThat(QueueSpec.named("orders.fifo").fifo()).isTrue();
        assertThat(QueueSpec.named("orders.fifo").deadLetterName()).isEqualTo("orders-dlq.fifo");
    }

    @Test
    void namesTheSettingThatIsWrong() {
        assertWrong(() -> QueueSpec.named(""), "queue name: expected");
        assertWrong(() -> QueueSpec.named("a".repeat(81)), "queue name: expected");
        assertWrong(() -> QueueSpec.named("a".repeat(77)), "dead-letter queue name: expected");
        assertWrong(() -> QueueSpec.named("a.b"), "queue name: expected");
        assertWrong(() -> queue("a", "b.fifo", MINUTE, MINUTE, MINUTE),
                "dead-letter queue name: expected a queue of the same kind");
        assertWrong(() -> queue("a", "a", MINUTE, MINUTE, MINUTE), "dead-letter queue name: expected another name");
        assertWrong(() -> queue("a", "b", Duration.ofSeconds(-1), MINUTE, MINUTE), "visibility timeout: expected");
        assertWrong(() -> queue("a", "b", Duration.ofMillis(500), MINUTE, MINUTE),
                "visibility timeout: expected whole seconds");
        assertWrong(() -> queue("a", "b", MINUTE, Duration.ofSeconds(59), MINUTE), "retention: expected");
        assertWrong(() -> queue("a", "b", MINUTE, MINUTE, Duration.ofDays(15)), "dead-letter retention: expected");
        assertWrong(() -> new QueueSpec("a", "b", MINUTE, 5, MINUTE, MINUTE, Duration.ofSeconds(21)), "receive wait: expected");
        assertWrong(() -> QueueSpec.named("a").withMaxReceiveCount(1_001), "max receive count: expected from 1 to 1000");
        assertWrong(() -> TableSpec.named("ab"), "table name: expected 3 to 255");
        assertWrong(() -> TableSpec.named("a b c"), "table name: expected");
    }

    private static QueueSpec queue(String name, String deadLetterName, Duration visibility, Duration retention,
            Duration deadLetterRetention) {
        return new QueueSpec(name, deadLetterName, visibility, 5, retention, deadLetterRetention, Duration.ZERO);
    }

    private static void assertWrong(ThrowingCallable construction, String message) {
        assertThatThrownBy(construction).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(message);
    }
}
