package dev.windrow.writer.inflight;

import dev.windrow.base.Reason;
import dev.windrow.writer.deadletter.DeadLetter;
import dev.windrow.writer.metrics.ReasonCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of how messages end, and of what those in memory take. */
public final class InFlightMetrics {

    private final Counter redelivered;
    private final Counter deleted;
    private final Counter deleteFailures;
    private final ReasonCounters deadLetters;
    private final ReasonCounters returned;

    public InFlightMetrics(MeterRegistry registry, InFlightLimiter limiter) {
        Gauge.builder("windrow.writer.messages.in.flight", limiter, InFlightLimiter::messages)
                .description("Messages in memory").register(registry);
        Gauge.builder("windrow.writer.bytes.in.flight", limiter, InFlightLimiter::bytes)
                .description("Estimated memory of messages and of what they add").register(registry);
        this.redelivered = Counter.builder("windrow.writer.messages.redelivered")
                .description("Messages delivered again while they were in memory, which go on under their new receipt")
                .register(registry);
        this.deleted = Counter.builder("windrow.writer.messages.deleted")
                .description("Messages deleted after they were applied").register(registry);
        this.deleteFailures = Counter.builder("windrow.writer.messages.delete.failures")
                .description("Messages that could not be deleted").register(registry);
        this.deadLetters = new ReasonCounters(registry, "windrow.writer.dead.letters",
                "Events or messages sent to the dead-letter queue");
        this.returned = new ReasonCounters(registry, "windrow.writer.messages.returned",
                "Messages returned to their queue, to be received again after a pause");
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
