package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StructuredLoggerTest {

    private static final String CATEGORY = "dev.windrow.test";

    private final StructuredLogger log = StructuredLogger.named(CATEGORY);
    private final Records records = new Records();
    private final Logger category = Logger.getLogger(CATEGORY);

    @BeforeEach
    void listen() {
        category.setUseParentHandlers(false);
        category.addHandler(records);
    }

    @AfterEach
    void leave() {
        category.removeHandler(records);
    }

    @Test
    void fieldsAreInTheMessageAndInTheContextWhileItIsWritten() {
        // When
        log.warn("receive failed; receiving again in 1s", LogKey.QUEUE.of("events"),
                LogKey.ERROR.of("no answer from 'sqs'\nERROR forged"));

        // Then
        assertThat(records.all).singleElement().satisfies(entry -> {
            assertThat(entry.message()).isEqualTo("receive failed; receiving again in 1s: queue=events"
                    + " error=\"no answer from 'sqs'\\nERROR forged\"");
            assertThat(entry.fields()).containsExactlyInAnyOrderEntriesOf(
                    Map.of("queue", "events", "error", "no answer from 'sqs'\\nERROR forged"));
            assertThat(entry.failure()).isNull();
        });
        assertThat(MDC.getMap()).isEmpty();
    }

    @Test
    void aFailureHasItsStackTraceAndNoLineOfInput() {
        // When
        log.error(new IllegalStateException("a\nERROR forged"), "a flush failed");

        // Then
        assertThat(records.all).singleElement().satisfies(entry -> assertThat(entry.failure())
                .hasToString("java.lang.IllegalStateException: a\\nERROR forged")
                .satisfies(failure -> assertThat(failure.getStackTrace()).isNotEmpty()));
    }

    @Test
    void valuesAreBounded() {
        assertThat(LogKey.PATH.of("x".repeat(5_000)).value()).hasSize(201);
        assertThat(LogKey.DETAIL.of("x".repeat(5_000)).value()).hasSize(1_001);
        assertThat(LogKey.PATH.of("/a b").toString()).isEqualTo("path=\"/a b\"");
        assertThat(LogKey.PATH.of("/a\" reason=\"b").toString()).isEqualTo("path=\"/a\\\" reason=\\\"b\"");
        assertThat(LogKey.PATH.of("/a\\\" reason=\"b").toString()).isEqualTo("path=\"/a\\\\\\\" reason=\\\"b\"");
    }

    @Test
    void nothingIsDoneForALevelThatIsOff() {
        // Given
        category.setLevel(Level.WARNING);

        // When
        log.info("not shown", LogKey.PATH.of("/"));

        // Then
        assertThat(records.all).isEmpty();
        category.setLevel(null);
    }

    @Test
    void operationsListEveryKeyAndNoOther() throws IOException {
        List<String> expected = Arrays.stream(LogKey.values()).map(key -> "| `" + key.word() + "` | " + key.meaning() + " |")
                .toList();

        List<String> lines = Files.readAllLines(Path.of("../docs/operations.md"));

        int table = lines.indexOf("| key | value |");
        assertThat(table).as("the table of log keys in docs/operations.md").isNotNegative();
        assertThat(lines.subList(table + 2, table + 2 + expected.size())).isEqualTo(expected);
        assertThat(lines.get(table + 2 + expected.size())).isEmpty();
    }

    private record Entry(String message, Map<String, Object> fields, @Nullable Throwable failure) {
    }

    private static final class Records extends Handler {

        private final List<Entry> all = new ArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            all.add(new Entry(entry.getMessage(), Map.copyOf(MDC.getMap()), entry.getThrown()));
        }

        @Override
        public void flush() {
        }

        @Override
        public void close() {
        }
    }
}
