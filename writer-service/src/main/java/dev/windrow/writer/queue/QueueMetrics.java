package dev.windrow.writer.queue;

import dev.windrow.base.FailureCause;
import dev.windrow.base.Reason;
import dev.windrow.writer.metrics.ReasonCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

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
                "Events or messages sent to the dead-letter queue", FailureCause.EVENT, FailureCause.WORLD);
        this.returned = new ReasonCounters(registry, "windrow.writer.messages.returned",
                "Messages returned to their queue, to be received again after a pause", FailureCause.WORLD);
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

}
