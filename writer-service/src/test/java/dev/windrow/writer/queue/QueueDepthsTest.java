package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Patience;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.testing.TestQueue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;

class QueueDepthsTest {

    private static final Duration PERIOD = Duration.ofMillis(20);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    @AutoClose("shutdownNow")
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    @AutoClose
    private final LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());

    @Test
    void showsHowManyMessagesWaitAndHowManyAreDeadLetters() {
        // Given
        SourceQueue queue = new QueueResolver(aws.sqs())
                .find(List.of(aws.queueUrl()), aws.deadLetterQueueUrl()).await().indefinitely().get(0);
        new TestQueue(aws.sqs(), aws.queueUrl()).sendAll(List.of("a", "b", "c"));
        new TestQueue(aws.sqs(), aws.deadLetterQueueUrl()).sendAll(List.of("d"));

        // When
        new QueueDepths(aws.sqs(), registry).start(List.of(queue), timer, PERIOD);

        // Then
        await().atMost(Patience.LIMIT).untilAsserted(() -> {
            assertThat(depth("windrow.writer.queue.depth")).isEqualTo(3);
            assertThat(depth("windrow.writer.dead.letter.queue.depth")).isEqualTo(1);
        });

        // When the queue changes
        new TestQueue(aws.sqs(), aws.queueUrl()).sendAll(List.of("e"));

        // Then
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(depth("windrow.writer.queue.depth")).isEqualTo(4));

        // When the queue is deleted
        aws.sqs().deleteQueue(request -> request.queueUrl(aws.queueUrl())).join();

        // Then only the other queue still has a depth
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(depth("windrow.writer.queue.depth")).isNaN());
        assertThat(depth("windrow.writer.dead.letter.queue.depth")).isEqualTo(1);
    }

    /** The timer does not run a task again that has thrown. */
    @Test
    void isUnknownAfterAnErrorAndThenReadAgain() {
        // Given
        SourceQueue queue = new QueueResolver(aws.sqs())
                .find(List.of(aws.queueUrl()), aws.deadLetterQueueUrl()).await().indefinitely().get(0);
        AtomicBoolean failing = new AtomicBoolean();
        AtomicInteger failed = new AtomicInteger();
        SqsAsyncClient client = (SqsAsyncClient) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] { SqsAsyncClient.class }, (proxy, method, arguments) -> {
                    if (failing.get()) {
                        failed.incrementAndGet();
                        return new OverflowingFuture();
                    }
                    return method.invoke(aws.sqs(), arguments);
                });
        new QueueDepths(client, registry).start(List.of(queue), timer, PERIOD);
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(depth("windrow.writer.queue.depth")).isZero());

        // When
        failing.set(true);

        // Then
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(depth("windrow.writer.queue.depth")).isNaN());
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(failed).hasValueGreaterThan(4));

        // When
        failing.set(false);

        // Then
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(depth("windrow.writer.queue.depth")).isZero());
    }

    /** Throws in the middle of a subscription. */
    private static final class OverflowingFuture extends CompletableFuture<GetQueueAttributesResponse> {

        @Override
        public CompletableFuture<GetQueueAttributesResponse> whenComplete(
                BiConsumer<? super GetQueueAttributesResponse, ? super Throwable> action) {
            throw new StackOverflowError();
        }
    }

    private double depth(String gauge) {
        return registry.get(gauge).gauge().value();
    }
}
