package dev.windrow.writer.queue;

import static dev.windrow.writer.testing.TestMessages.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.jboss.logmanager.LogContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.testing.LogLines;
import dev.windrow.testing.Patience;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.queue.Acknowledger.BatchedRequest;
import dev.windrow.writer.queue.Acknowledger.BatchedRequest.Answer;
import dev.windrow.writer.queue.Acknowledger.RequestBatcher;
import dev.windrow.writer.testing.TestMessages;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.subscription.UniEmitter;

class RequestBatcherTest {

    private static final SourceQueue QUEUE = queue("q");
    private static final int MOST = 3;
    private static final Duration PATIENCE = Patience.LIMIT;

    @AutoClose("shutdownNow")
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final Requests requests = new Requests();
    private final RequestBatcher batches = new RequestBatcher("test", requests, MOST, settings(Duration.ofHours(3)), timer,
            () -> {
            });

    @Test
    void sendsTenAtATimeAndTheRestAfterAMoment() {
        // When
        List<Boolean> done = submit(23, QUEUE);

        // Then
        assertThat(done).hasSize(23).containsOnly(true);
        assertThat(requests.sizes).containsExactlyInAnyOrder(10, 10, 3);
    }

    @Test
    void keepsQueuesApart() {
        List<UniAssertSubscriber<Boolean>> done = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            done.add(submit(message(i, i % 2 == 0 ? QUEUE : queue("other"))));
        }
        letTimePass();
        done.forEach(one -> one.assertItem(true));
        assertThat(requests.sizes).containsExactlyInAnyOrder(3, 3);
    }

    @Test
    void triesOnlyTheFailedEntriesAgain() {
        // Given
        requests.answers.add(List.of(Answer.DONE, Answer.RETRY, Answer.REFUSED, Answer.RETRY));

        // When
        List<Boolean> done = submit(4, QUEUE);

        // Then
        assertThat(done).containsExactly(true, true, false, true);
        assertThat(requests.sizes).containsExactly(4, 2);
    }

    @Test
    void sendsAtOnceWhereItDoesNotLinger() {
        // Given
        RequestBatcher hasty = new RequestBatcher("test", requests, MOST, settings(Duration.ZERO), timer, () -> {
        });

        // When
        Boolean done = hasty.submit(message(1, QUEUE)).await().atMost(PATIENCE);

        // Then
        assertThat(done).isTrue();
        assertThat(requests.sizes).containsExactly(1);
    }

    @Test
    void givesUpAfterSoManyTries() {
        // Given
        requests.broken = true;
        try (LogLines lines = LogLines.of(LogContext.getLogContext().getLogger(RequestBatcher.class.getName()))) {

            // When
            UniAssertSubscriber<Boolean> other = submit(message(0, queue("other")));
            List<Boolean> done = submit(40, QUEUE);

            // Then
            assertThat(done).hasSize(40).containsOnly(false);
            other.assertItem(false);
            assertThat(requests.sizes).hasSize(3 * (4 + 1));
            String failed = "WARN batches failed; their messages are retried: operation=test reason=internal queue=";
            assertThat(lines.all()).anyMatch(line -> line.startsWith(failed + "q messages=40"))
                    .anyMatch(line -> line.startsWith(failed + "other messages=1 "));
        }
    }

    /** An extension that never ends would block receives forever. */
    @Test
    void completesWhateverGoesWrong() {
        // Given a response that lacks two of the messages
        requests.answers.add(List.of(Answer.DONE, Answer.DONE));
        try (LogLines lines = LogLines.of(LogContext.getLogContext().getLogger(RequestBatcher.class.getName()))) {

            // When
            List<Boolean> done = submit(4, QUEUE);

            // Then
            assertThat(done).containsExactly(true, true, false, false);
            assertThat(lines.all()).singleElement().asString()
                    .startsWith("ERROR batch failed unexpectedly; SQS will redeliver its messages: reason=internal");
        }
    }

    @Test
    void hasNoMoreUnderWayThanItMay() {
        // Given
        requests.pending = new CopyOnWriteArrayList<>();

        // When
        List<UniAssertSubscriber<Boolean>> done = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            done.add(batches.submit(message(i, QUEUE)).subscribe().withSubscriber(UniAssertSubscriber.create()));
        }

        // Then
        assertThat(requests.sizes).containsExactly(10, 10, 10);
        for (int i = 0; i < 6; i++) {
            requests.pending.get(i).complete(Collections.nCopies(10, Answer.DONE));
        }
        assertThat(requests.sizes).hasSize(6);
        done.forEach(UniAssertSubscriber::assertCompleted);
    }

    @Test
    void leavesOutWhatIsNoLongerWantedWhenItIsItsTurn() {
        // Given
        requests.pending = new CopyOnWriteArrayList<>();
        AtomicBoolean wanted = new AtomicBoolean(true);
        List<UniAssertSubscriber<Boolean>> done = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            BooleanSupplier even = i % 2 == 0 ? () -> true : wanted::get;
            done.add(batches.submit(message(i, QUEUE), even).subscribe().withSubscriber(UniAssertSubscriber.create()));
        }

        // When
        wanted.set(false);
        requests.pending.get(0).complete(Collections.nCopies(10, Answer.DONE));
        requests.pending.get(1).complete(Collections.nCopies(10, Answer.DONE));

        // Then
        assertThat(requests.sizes).containsExactly(10, 10, 10, 5, 5);
        done.get(49).assertItem(false);
    }

    @Test
    void worksOffHoweverManyWaitWhileAnswersComeAtOnce() {
        // Given
        requests.pending = new CopyOnWriteArrayList<>();
        List<UniAssertSubscriber<Boolean>> done = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            done.add(batches.submit(message(i, QUEUE)).subscribe().withSubscriber(UniAssertSubscriber.create()));
        }

        // When
        List<UniEmitter<? super List<Answer>>> first = requests.pending;
        requests.pending = null;
        first.forEach(emitter -> emitter.complete(Collections.nCopies(10, Answer.DONE)));

        // Then
        done.forEach(UniAssertSubscriber::assertCompleted);
        assertThat(requests.sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100_000);
    }

    private List<Boolean> submit(int messages, SourceQueue queue) {
        List<UniAssertSubscriber<Boolean>> done = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            done.add(submit(message(i, queue)));
        }
        letTimePass();
        return done.stream().map(one -> one.assertCompleted().getItem()).toList();
    }

    private UniAssertSubscriber<Boolean> submit(Message message) {
        return batches.submit(message).subscribe().withSubscriber(UniAssertSubscriber.create());
    }

    @ParameterizedTest
    @CsvSource({ "0, 1", "1, 1", "2, 2", "3, 4", "5, 16", "10, 512", "11, 900", "1000, 900", "2147483647, 900" })
    void theOftenerAMessageWasReceivedTheLongerItIsHidden(int receives, int seconds) {
        assertThat(Acknowledger.pauseSeconds(TestMessages.delivery(QUEUE, "id", "receipt", receives, null)))
                .isEqualTo(seconds);
    }

    /** Runs scheduled tasks in order until none is left. */
    private void letTimePass() {
        for (Runnable due = timer.getQueue().peek(); due != null; due = timer.getQueue().peek()) {
            timer.remove(due);
            due.run();
        }
    }

    private static Message message(int number, SourceQueue queue) {
        return TestMessages.delivery(queue, "m" + number, "r" + number, 1, null);
    }

    private static AcknowledgeSettings settings(Duration linger) {
        AcknowledgeSettings usual = AcknowledgeSettings.DEFAULTS;
        return new AcknowledgeSettings(linger, usual.maxConcurrency(), 3, Duration.ofHours(1), usual.timeout());
    }

    private static final class Requests implements BatchedRequest {

        private final List<Integer> sizes = new CopyOnWriteArrayList<>();
        private final List<List<Answer>> answers = Collections.synchronizedList(new ArrayList<>());
        private volatile boolean broken;
        private volatile @Nullable List<UniEmitter<? super List<Answer>>> pending;

        @Override
        public Uni<List<Answer>> send(SourceQueue queue, List<Message> messages) {
            sizes.add(messages.size());
            if (broken) {
                return Uni.createFrom().failure(new IllegalStateException("connection reset"));
            }
            List<UniEmitter<? super List<Answer>>> held = pending;
            if (held != null) {
                return Uni.createFrom().emitter(held::add);
            }
            return Uni.createFrom().item(answers.isEmpty() ? Collections.nCopies(messages.size(), Answer.DONE)
                    : answers.remove(0));
        }
    }
}
