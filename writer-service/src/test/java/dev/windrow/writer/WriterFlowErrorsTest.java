package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.Reason;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Patience;
import dev.windrow.writer.WriterFlow.MemoryPressure;
import dev.windrow.writer.WriterFlow.QueueLag;
import dev.windrow.writer.WriterJournal.JournalMetrics;
import dev.windrow.writer.WriterJournal.JournalQueues;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.queue.Acknowledger;
import dev.windrow.writer.queue.Acknowledger.AcknowledgeSettings;
import dev.windrow.writer.queue.DeadLetters;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.queue.InFlightMessages;
import dev.windrow.writer.queue.InFlightMessages.FifoGroupTracker;
import dev.windrow.writer.queue.MessageCompletion;
import dev.windrow.writer.queue.MessageCompletion.InFlightDrain;
import dev.windrow.writer.queue.MessageSource;
import dev.windrow.writer.queue.MessageSource.ReceiveListener;
import dev.windrow.writer.queue.MessageSource.SqsReceiver;
import dev.windrow.writer.queue.QueueMetrics;
import dev.windrow.writer.queue.QueueResolver;
import dev.windrow.writer.queue.Visibility;
import dev.windrow.writer.queue.Visibility.VisibilityDeadlines;
import dev.windrow.writer.table.JournalRun;
import dev.windrow.writer.testing.Answering;
import dev.windrow.writer.testing.TestQueue;
import dev.windrow.writer.testing.UsualSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;

/** An error in the flow's own loops, on a real queue: none of them may end unnoticed. */
class WriterFlowErrorsTest {

    private static final Duration TICK = Duration.ofMillis(5);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final AtomicBoolean broken = new AtomicBoolean();
    private final AtomicInteger receives = new AtomicInteger();
    private final AtomicInteger decoded = new AtomicInteger();
    private LocalAws aws;
    private Vertx vertx;

    @BeforeEach
    void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        timer.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    @Test
    void anErrorInPeriodicWorkBreaksTheFlowAndTheWorkGoesOn() {
        // Given a clock that fails once, when the heartbeat looks at it
        AtomicInteger looks = new AtomicInteger();
        WriterFlow flow = flow(Runnable::run, () -> {
            if (looks.incrementAndGet() == 2) {
                throw new StackOverflowError();
            }
            return System.nanoTime();
        });

        // When
        flow.start(queues(), timer);

        // Then
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(looks).hasValueGreaterThan(5));
        assertThat(broken).isTrue();
        flow.drain(Patience.LIMIT).await().atMost(Patience.LIMIT);
    }

    @Test
    void aMessageThatCannotBeTakenBreaksTheFlowAndReceivingGoesOn() {
        // Given workers that refuse the first message
        AtomicBoolean refused = new AtomicBoolean();
        WriterFlow flow = flow(work -> {
            if (refused.compareAndSet(false, true)) {
                throw new StackOverflowError();
            }
            work.run();
        }, System::nanoTime);
        TestQueue queue = new TestQueue(aws.sqs(), aws.queueUrl());
        flow.start(queues(), timer);

        // When
        queue.send("refused");

        // Then
        await().atMost(Patience.LIMIT).untilTrue(broken);
        queue.send("taken");
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(decoded).hasPositiveValue());
        int before = receives.get();
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(receives).hasValueGreaterThan(before));
        flow.drain(Duration.ofMillis(1)).await().atMost(Patience.LIMIT);
    }

    private List<SourceQueue> queues() {
        return new QueueResolver(aws.sqs()).find(List.of(aws.queueUrl()), aws.deadLetterQueueUrl()).await()
                .atMost(Patience.LIMIT);
    }

    /** A flow whose journal gets no answers, and whose messages stay where they were decoded. */
    private WriterFlow flow(Executor workers, LongSupplier heartbeatNanos) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        AwsJsonClient client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC())
                .sqs(aws.sqs(), 4);
        InFlightLimiter limiter = new InFlightLimiter(100, 1_000_000, () -> 0);
        VisibilityDeadlines deadlines = new VisibilityDeadlines(heartbeatNanos);
        FifoGroupTracker groups = new FifoGroupTracker();
        Acknowledger acknowledger = new Acknowledger(client, AcknowledgeSettings.DEFAULTS, timer, () -> {
        });
        QueueMetrics metrics = new QueueMetrics(registry, limiter);
        InFlightMessages messages = new InFlightMessages(limiter, deadlines, groups, metrics);
        DeadLetters deadLetters = new DeadLetters(aws.sqs(), () -> {
        });
        MessageCompletion completion = new MessageCompletion(messages, deadlines, groups, acknowledger, deadLetters, metrics);
        Visibility heartbeat = new Visibility(deadlines, limiter, acknowledger);
        JournalQueues queues = new JournalQueues(deadLetters, new JournalMetrics(registry),
                Clock.systemUTC());
        JournalRun run = new JournalRun(new JournalWriter(UsualSettings.of("writer")),
                Answering.table(request -> Uni.createFrom().nothing()), queues, queues,
                Runnable::run);
        return new WriterFlow(new MessageSource(new SqsReceiver(client, Duration.ZERO, Runnable::run), limiter,
                1, Duration.ofSeconds(1), new Receives(receives), () -> true),
                messages, heartbeat, new InFlightDrain(messages, heartbeat, acknowledger, Patience.LIMIT),
                new DecodeQueue(limiter, workers, 2, 1_000, System::nanoTime,
                        (message, allowance) -> decoded.incrementAndGet()),
                new WriterJournal(run, queues, messages, completion, System::nanoTime), run,
                new MemoryPressure(limiter, 1_000_000, new QueueLag(Clock.systemUTC()), Duration.ofSeconds(4)),
                TICK, () -> broken.set(true));
    }

    /** Counts receives. */
    private record Receives(AtomicInteger count) implements ReceiveListener {

        @Override
        public void started() {
            // Only ends count here.
        }

        @Override
        public void received(SourceQueue queue, List<Message> batch) {
            count.incrementAndGet();
        }

        @Override
        public void failed(SourceQueue queue, Reason reason) {
            // None fails here.
        }

        @Override
        public void passed() {
            // Nothing is paused here.
        }
    }
}
