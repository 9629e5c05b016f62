package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.Reason;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Patience;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.MessageSource.ReceiveListener;
import dev.windrow.writer.queue.MessageSource.SqsReceiver;
import dev.windrow.writer.testing.TestQueue;
import io.vertx.core.Vertx;

/** Receives from real queues, one of which is not there. */
class MessageSourceTest {

    private static final Duration ERROR_BACKOFF = Duration.ofMillis(10);

    private static LocalAws aws;
    private static Vertx vertx;
    private static SqsReceiver receiver;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
        vertx = Vertx.vertx();
        receiver = new SqsReceiver(
                new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC()).sqs(aws.sqs(), 4),
                Duration.ZERO, Runnable::run);
    }

    @AfterAll
    static void stopServers() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    @Test
    void saysForEachQueueHowItsReceivesEnd() {
        // Given
        SourceQueue queue = queue(aws.queueUrl());
        SourceQueue missing = queue(aws.queueUrl() + "-missing");
        Ends ends = new Ends();
        MessageSource source = new MessageSource(receiver, new InFlightLimiter(100, 1_000_000, () -> 0), 1, ERROR_BACKOFF, ends,
                () -> true);
        new TestQueue(aws.sqs(), aws.queueUrl()).send("body");

        // When
        source.batches(List.of(queue, missing)).subscribe().with(batch -> {
        });

        // Then
        await().atMost(Patience.LIMIT).untilAsserted(() -> {
            assertThat(ends.received).contains(queue.url() + " 1");
            assertThat(ends.failed).contains(missing.url() + " " + Reason.UNAVAILABLE.word());
        });
        source.stop();
        assertThat(ends.starts).hasValueGreaterThanOrEqualTo(2);
        assertThat(ends.received).allMatch(end -> end.startsWith(queue.url() + " "));
        assertThat(ends.failed).containsOnly(missing.url() + " " + Reason.UNAVAILABLE.word());
    }

    /** What is received without a lane is hidden from the writers that have one. */
    @Test
    void receivesNothingUntilItMay() {
        // Given
        SourceQueue queue = queue(aws.queueUrl());
        Ends ends = new Ends();
        AtomicBoolean lane = new AtomicBoolean();
        AtomicInteger asked = new AtomicInteger();
        MessageSource source = new MessageSource(receiver, new InFlightLimiter(100, 1_000_000, () -> 0), 1, ERROR_BACKOFF, ends,
                () -> {
                    asked.incrementAndGet();
                    return lane.get();
                });
        new TestQueue(aws.sqs(), aws.queueUrl()).send("body");

        // When
        source.batches(List.of(queue)).subscribe().with(batch -> {
        });

        // Then
        await().atMost(Patience.LIMIT).until(() -> asked.get() >= 3);
        assertThat(ends.starts).hasValue(0);
        assertThat(ends.passed).hasValueGreaterThanOrEqualTo(2);
        lane.set(true);
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(ends.received).contains(queue.url() + " 1"));
        source.stop();
    }

    /** A poll may wait for its turn while the lane is lost. */
    @Test
    void asksAgainWhenItIsItsTurn() {
        Ends ends = new Ends();
        AtomicInteger asked = new AtomicInteger();
        MessageSource source = new MessageSource(receiver, new InFlightLimiter(100, 1_000_000, () -> 0), 1, ERROR_BACKOFF, ends,
                () -> asked.getAndIncrement() % 2 == 0);

        source.batches(List.of(queue(aws.queueUrl()))).subscribe().with(batch -> {
        });

        await().atMost(Patience.LIMIT).until(() -> asked.get() >= 6);
        source.stop();
        assertThat(ends.starts).hasValue(0);
    }

    private static SourceQueue queue(String url) {
        return new SourceQueue("test", url, false, Duration.ofSeconds(30), Duration.ofDays(4), null);
    }

    /** The ends of receives, by queue. */
    private static final class Ends implements ReceiveListener {

        private final Queue<String> received = new ConcurrentLinkedQueue<>();
        private final Queue<String> failed = new ConcurrentLinkedQueue<>();
        private final AtomicInteger starts = new AtomicInteger();
        private final AtomicInteger passed = new AtomicInteger();

        @Override
        public void started() {
            starts.incrementAndGet();
        }

        @Override
        public void received(SourceQueue queue, List<Message> batch) {
            received.add(queue.url() + " " + batch.size());
        }

        @Override
        public void failed(SourceQueue queue, Reason reason) {
            failed.add(queue.url() + " " + reason.word());
        }

        @Override
        public void passed() {
            passed.incrementAndGet();
        }
    }
}
