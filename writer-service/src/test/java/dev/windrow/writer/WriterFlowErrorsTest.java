package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Patience;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.Now;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.queue.AcknowledgeSettings;
import dev.windrow.writer.queue.InFlightDrain;
import dev.windrow.writer.queue.MessageSource;
import dev.windrow.writer.queue.QueueResolver;
import dev.windrow.writer.queue.SqsReceiver;
import dev.windrow.writer.table.JournalRun;
import dev.windrow.writer.testing.Answering;
import dev.windrow.writer.testing.QueueParts;
import dev.windrow.writer.testing.Receives;
import dev.windrow.writer.testing.TestQueue;
import dev.windrow.writer.testing.UsualSettings;
import io.smallrye.mutiny.Uni;

/** An error in the flow's own loops, on a real queue: none of them may end unnoticed. */
class WriterFlowErrorsTest {

    private static final Duration TICK = Duration.ofMillis(5);

    private Function<Request, Uni<? extends Request.Answer>> table = request -> Uni.createFrom().nothing();
    private final AtomicBoolean broken = new AtomicBoolean();
    private final Receives receives = new Receives();
    private final AtomicInteger decoded = new AtomicInteger();
    @AutoClose
    private final LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
    @AutoClose
    private QueueParts parts;

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
        flow.start(queues(), parts.timer);

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
        flow.start(queues(), parts.timer);

        // When
        queue.send("refused");

        // Then
        await().atMost(Patience.LIMIT).untilTrue(broken);
        queue.send("taken");
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(decoded).hasPositiveValue());
        int before = receives.received.size();
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(receives.received).hasSizeGreaterThan(before));
        flow.drain(Duration.ofMillis(1)).await().atMost(Patience.LIMIT);
    }

    /** Nothing would ever end them, and other writers can count them. */
    @ParameterizedTest(name = "stops before the drain: {0}")
    @ValueSource(booleans = { true, false })
    void messagesOfAStoppedJournalAreReturnedAtOnce(boolean before) {
        // Given
        CompletableFuture<Request.Answer> answer = new CompletableFuture<>();
        table = request -> Uni.createFrom().completionStage(answer);
        WriterFlow flow = flow(Runnable::run, System::nanoTime);
        TestQueue queue = new TestQueue(aws.sqs(), aws.queueUrl());
        queue.send("held");
        flow.start(queues(), parts.timer);
        await().atMost(Patience.LIMIT).until(() -> queue.hidden() == 1);
        parts.limiter.shrink(-Long.MAX_VALUE / 8);
        await("memory is full").atMost(Patience.LIMIT).until(parts.limiter::isFull);
        IllegalStateException fault = new IllegalStateException("a fault of the journal");
        if (before) {
            answer.completeExceptionally(fault);
            await().atMost(Patience.LIMIT).untilTrue(broken);
        }

        // When
        CompletableFuture<Integer> drained = flow.drain(Duration.ofHours(1)).subscribeAsCompletionStage();
        answer.completeExceptionally(fault);
        assertThat(drained).succeedsWithin(Patience.LIMIT);

        // Then
        await().atMost(Patience.LIMIT).until(() -> queue.visible() == 1);
    }

    private List<SourceQueue> queues() {
        return new QueueResolver(aws.sqs()).find(List.of(aws.queueUrl()), aws.deadLetterQueueUrl()).await()
                .atMost(Patience.LIMIT);
    }

    /** A flow whose journal gets no answers, and whose messages stay where they were decoded. */
    private WriterFlow flow(Executor workers, LongSupplier heartbeatNanos) {
        parts = new QueueParts(aws.sqs(), AcknowledgeSettings.DEFAULTS, heartbeatNanos);
        JournalQueues queues = new JournalQueues(parts.deadLetters, new JournalMetrics(parts.registry), Clock.systemUTC());
        JournalRun run = new JournalRun(new JournalWriter(UsualSettings.of("writer")),
                Answering.table(request -> table.apply(request)), queues, queues,
                () -> new Now(System.nanoTime(), System.currentTimeMillis()), Runnable::run);
        return new WriterFlow(new MessageSource(new SqsReceiver(parts.client, Duration.ZERO, Runnable::run), parts.limiter,
                1, Duration.ofSeconds(1), receives, () -> true), parts.messages, parts.heartbeat,
                new InFlightDrain(parts.messages, parts.heartbeat, parts.acknowledger, Patience.LIMIT),
                new DecodeQueue(parts.limiter, workers, 2, System::nanoTime,
                        (message, allowance) -> decoded.incrementAndGet()),
                new JournalStage(run, null, queues, parts.messages, parts.completion, System::nanoTime), run,
                new MemoryPressure(parts.limiter, 1_000_000, new QueueLag(Clock.systemUTC()), Duration.ofSeconds(4)),
                TICK, () -> broken.set(true));
    }
}
