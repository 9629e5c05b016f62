package dev.windrow.writer.queue;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.Reason.Of;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.DeadLetters.DeadLetter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Metrics of the outcomes of messages, and of the number and memory of those in flight. */
public final class QueueMetrics {

    private final Counter redelivered;
    private final Counter deleted;
    private final Counter deleteFailures;
    private final ReasonCounters deadLetters;
    private final ReasonCounters returned;

    public QueueMetrics(MeterRegistry registry, InFlightLimiter limiter) {
        Gauge.builder("windrow.writer.messages.in.flight", limiter, InFlightLimiter::messages)
                .description("Messages in memory").register(registry);
        Gauge.builder("windrow.writer.bytes.in.flight", limiter, InFlightLimiter::bytes)
                .description("Estimated memory of messages and of what they add").register(registry);
        this.redelivered = counter(registry, "windrow.writer.messages.redelivered",
                "Messages delivered again while they were in memory, which go on under their new receipt");
        this.deleted = counter(registry, "windrow.writer.messages.deleted", "Messages deleted after they were applied");
        this.deleteFailures = counter(registry, "windrow.writer.messages.delete.failures",
                "Messages that could not be deleted");
        this.deadLetters = new ReasonCounters(registry, "windrow.writer.dead.letters",
                "Events or messages sent to the dead-letter queue", Of.EVENT, Of.WORLD);
        this.returned = new ReasonCounters(registry, "windrow.writer.messages.returned",
                "Messages returned to their queue, to be received again after a pause", Of.WORLD);
    }

    public static Counter counter(MeterRegistry registry, String name, String description, String... tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    void redelivered() {
        redelivered.increment();
    }

    void deadLetter(DeadLetter letter) {
        deadLetters.increment(letter.reason());
    }

    void returnedToQueue(Reason reason) {
        returned.increment(reason);
    }

    void deleted(boolean done) {
        (done ? deleted : deleteFailures).increment();
    }

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

    /**
     * A counter for each expected reason, registered at 0 from the start: Prometheus sees an increase only between two
     * samples, so a counter that appears with its first event hides that event from alerts. Thread-safe.
     */
    public static final class ReasonCounters {

        private final Map<Reason, Counter> counters = new ConcurrentHashMap<>();
        private final Function<Reason, Counter> counter;

        /** @param doing the causes whose reasons are registered from the start */
        public ReasonCounters(MeterRegistry registry, String name, String description, Of... doing) {
            this.counter = reason -> counter(registry, name, description, "reason", reason.word());
            Reason.of(doing).forEach(reason -> counters.put(reason, counter.apply(reason)));
        }

        public void increment(Reason reason) {
            counters.computeIfAbsent(reason, counter).increment();
        }
    }
}
