package dev.windrow.writer.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.Urgency;
import dev.windrow.writer.store.RankKeys;
import dev.windrow.writer.store.TableReads;
import dev.windrow.writer.store.TableWrites;
import dev.windrow.writer.testing.LogLines;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class JournalRunTest {

    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();

    @Test
    void whatIsUnderWayIsCancelledWhenItIsStopped() {
        // Given reads of lanes that nobody answers
        JournalRun run = run((partitionKey, sortKey) -> {
            reads.incrementAndGet();
            return Uni.createFrom().<Map<String, AttributeValue>> nothing().onCancellation().invoke(cancelled::incrementAndGet);
        });
        run.tick(Urgency.NONE);
        assertThat(reads).hasPositiveValue();

        // When
        run.stop();

        // Then
        assertThat(cancelled.get()).isEqualTo(reads.get());
    }

    @Test
    void saysWhatFollowsWhenARequestFailsUnexpectedly() {
        // Given
        try (LogLines lines = LogLines.of(JournalRun.class)) {
            JournalRun run = run((partitionKey, sortKey) -> {
                throw new IllegalStateException("a fault");
            });

            // When
            run.tick(Urgency.NONE);

            // Then
            assertThat(lines.all()).isNotEmpty().allSatisfy(line -> assertThat(line).startsWith(
                    "ERROR journal request failed and is not sent again; what waits for it does so until the writer restarts:"
                            + " reason=internal operation=ReadLanes"));
        }
    }

    private static JournalRun run(TableReads reads) {
        TableWrites none = write -> Uni.createFrom().nothing();
        return new JournalRun(new JournalWriter(JournalProcess.settings("writer")),
                new JournalTable(none, none, reads, RankKeys.NONE),
                new DeliveredAgain(new Random(1), null).queues(Runnable::run), Clock.systemUTC(), System::nanoTime,
                Runnable::run);
    }
}
