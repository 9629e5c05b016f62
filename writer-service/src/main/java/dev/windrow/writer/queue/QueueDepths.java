package dev.windrow.writer.queue;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.decode.SourceQueue;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Gauges of the messages that can be received from each source queue and its dead-letter queue, as reported by SQS:
 * approximate, and up to a minute old. NaN while SQS does not answer.
 */
public record QueueDepths(SqsAsyncClient sqs, MeterRegistry registry) {

    private static final StructuredLogger LOG = StructuredLogger.of(QueueDepths.class);

    /** Reads the depths now and periodically, with one request per queue, until the timer is shut down. */
    public void start(List<SourceQueue> queues, ScheduledExecutorService timer, Duration period) {
        Set<String> deadLetterUrls = new LinkedHashSet<>();
        for (SourceQueue queue : queues) {
            show("windrow.writer.queue.depth", "Approximate number of messages that can be received from the queue",
                    queue.url(), timer, period);
            String deadLetters = queue.deadLetterUrl();
            if (deadLetters != null && deadLetterUrls.add(deadLetters)) {
                show("windrow.writer.dead.letter.queue.depth", "Approximate number of messages in the dead-letter queue",
                        deadLetters, timer, period);
            }
        }
    }

    private void show(String gauge, String description, String url, ScheduledExecutorService timer, Duration period) {
        AtomicReference<Double> depth = new AtomicReference<>(Double.NaN);
        Gauge.builder(gauge, depth, AtomicReference::get).description(description)
                .tag("queue", name(url)).register(registry);
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                () -> read(url, depth), 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static String name(String url) {
        return url.substring(url.lastIndexOf('/') + 1);
    }

    /** Never throws: otherwise the timer would not run it again, and the gauge would keep its last value. */
    private void read(String url, AtomicReference<Double> depth) {
        try {
            depth(url).onFailure().recoverWithItem(Double.NaN).subscribe().with(depth::set);
        } catch (Throwable thrown) {
            depth.set(Double.NaN);
            LOG.error(thrown, "depth of a queue not read; it is read again shortly",
                    LogKey.REASON.of(Reason.INTERNAL.word()), LogKey.QUEUE.of(name(url)));
        }
    }

    private Uni<Double> depth(String url) {
        return Uni.createFrom().completionStage(() -> sqs.getQueueAttributes(request -> request.queueUrl(url)
                .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)))
                // The SDK may wait for credentials before it returns.
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool())
                .map(response -> Double.valueOf(
                        response.attributes().getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "NaN")));
    }
}
