package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.MemoryShortage;
import dev.windrow.writer.journal.Now;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.testing.Answering;
import dev.windrow.writer.testing.UsualSettings;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class JournalRunTest {

    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();

    @Test
    void whatIsUnderWayIsCancelledWhenItIsStopped() {
        // Given lane reads that are never answered
        JournalRun run = run((partitionKey, sortKey) -> {
            reads.incrementAndGet();
            return Uni.createFrom().<Map<String, AttributeValue>> nothing().onCancellation().invoke(cancelled::incrementAndGet);
        });
        run.tick(MemoryShortage.NONE);
        assertThat(reads).hasPositiveValue();

        // When
        run.stop();

        // Then
        assertThat(cancelled.get()).isEqualTo(reads.get());
    }

    /** Otherwise the journal would hang unnoticed, with everything it holds. */
    @Test
    void anErrorBreaksItLikeAnException() {
        // Given
        JournalRun run = run(Answering.table(request -> {
            throw new StackOverflowError();
        }), Runnable::run);

        // When
        run.tick(MemoryShortage.NONE);

        // Then
        assertThat(run.isBroken()).isTrue();
        assertThat(run.isDrained()).as("whether a drain waits for it").isTrue();
    }

    @Test
    void anExecutorThatRefusesWorkBreaksIt() {
        // Given
        JournalRun run = run(Answering.table(request -> Uni.createFrom().nothing()), work -> {
            throw new RejectedExecutionException();
        });

        // When
        run.tick(MemoryShortage.NONE);

        // Then
        assertThat(run.isBroken()).isTrue();
    }

    @Test
    void aRequestThatFailsForNoKnownReasonStopsTheJournal() {
        // Given
        AtomicInteger requests = new AtomicInteger();
        JournalRun run = run(Answering.table(request -> {
            requests.incrementAndGet();
            return Uni.createFrom().failure(new IllegalStateException("expected an answer that can be read"));
        }), Runnable::run);

        // When
        run.tick(MemoryShortage.NONE);

        // Then
        assertThat(run.isBroken()).isTrue();
        run.tick(MemoryShortage.NONE);
        assertThat(requests).hasValue(1);
        assertThat(run.isDrained()).isTrue();
    }

    @Test
    void aRequestThatFailsOnceItIsStoppedIsNoFault() {
        // Given
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        JournalRun run = run(Answering.table(request -> Uni.createFrom().completionStage(answer)), Runnable::run);
        run.tick(MemoryShortage.NONE);

        // When
        run.stop();
        answer.completeExceptionally(new IllegalStateException("the client is closed"));

        // Then
        assertThat(run.isBroken()).isFalse();
    }

    private static JournalRun run(TableReads reads) {
        TableClient none = write -> Uni.createFrom().nothing();
        return run(new JournalTable(none, none, reads, DeclaredAttributes.NONE, Runnable::run, new Random(1)), Runnable::run);
    }

    private static JournalRun run(JournalRequests table, Executor executor) {
        return new JournalRun(new JournalWriter(UsualSettings.of("writer")), table,
                letter -> CompletableFuture.completedFuture(Answer.DONE), reports(),
                () -> new Now(System.nanoTime(), System.currentTimeMillis()), executor);
    }

    private static Request.Reports reports() {
        return new Request.Reports() {

            @Override
            public void deferred(Request.ReportDeferred deferred) {
                // Allowed: items that reject updates are deferred.
            }

            @Override
            public void unreadable(Request.ReportUnreadableClaims claims) {
                // Allowed: messages of this minute wait.
            }

            @Override
            public void unreadable(Request.ReportUnreadable unreadable) {
                throw new AssertionError("expected lanes that can be recovered, found " + unreadable);
            }

            @Override
            public void lane(Request.ReportLane lane) {
                // Allowed: lanes are acquired and lost.
            }
        };
    }
}
