package dev.windrow.writer.flow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.decode.BodyKind;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.Envelope;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.metrics.ReasonCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of receiving and decoding. */
public final class FlowMetrics {

    private static final double MILLIS_PER_SECOND = 1_000;
    /** How long the last receive says how old messages are, unless memory holds the next one back. */
    private static final Duration AGE_LASTS = Duration.ofMinutes(1);

    private final MeterRegistry registry;
    private final Clock clock;
    private final BooleanSupplier heldBack;
    /** By the URL of the queue, unless its last receive failed. */
    private final Map<String, Age> ages = new ConcurrentHashMap<>();
    private final Counter received;
    private final ReasonCounters receiveFailures;
    private final Counter events;
    private final Counter ignored;
    private final List<Counter> aggregated;
    private final Map<Form, Counter> decoded = new ConcurrentHashMap<>();

    /**
     * Of the oldest message of a queue's last receive.
     *
     * @param at when that receive ended
     */
    private record Age(double seconds, Instant at) {
    }

    /** How a message holds its events, and what those are wrapped in. */
    private record Form(BodyKind kind, Envelope envelope) {
    }

    /**
     * @param datasets all that are declared; each has a counter from the start
     * @param heldBack whether a receive waits for memory
     */
    public FlowMetrics(MeterRegistry registry, Clock clock, Datasets datasets, BooleanSupplier heldBack) {
        this.registry = registry;
        this.clock = clock;
        this.heldBack = heldBack;
        Gauge.builder("windrow.writer.queue.age", this, FlowMetrics::queueAge).baseUnit("seconds")
                .description("Age of the oldest message of the last receive; 0 if it brought none, NaN if it failed, or if "
                        + "it ended more than a minute ago and memory is free")
                .register(registry);
        this.received = counter("windrow.writer.messages.received", "Messages received, each delivery counted");
        this.receiveFailures = new ReasonCounters(registry, "windrow.writer.receive.failures", "Receives that failed");
        this.events = counter("windrow.writer.events.decoded", "Valid events read from messages");
        this.ignored = counter("windrow.writer.events.ignored",
                "Events dropped as the datasets' file says to ignore their type");
        this.aggregated = datasets.all().stream().map(dataset -> Counter.builder("windrow.writer.events.aggregated")
                .description("Events aggregated, once for each dataset that they count in").tag("dataset", dataset.name())
                .register(registry)).toList();
    }

    /** Notes a receive that succeeded. */
    public void received(SourceQueue queue, List<Message> batch) {
        received.increment(batch.size());
        Instant now = clock.instant();
        Instant oldest = batch.stream().map(Message::sent).min(Comparator.naturalOrder()).orElse(now);
        ages.put(queue.url(),
                new Age(Math.max(0, Duration.between(oldest, now).toMillis() / MILLIS_PER_SECOND), now));
    }

    /** Notes a receive that failed: how old the queue's messages are is not known any more. */
    public void receiveFailed(SourceQueue queue, Reason reason) {
        receiveFailures.increment(reason);
        ages.remove(queue.url());
    }

    private double queueAge() {
        Instant since = heldBack.getAsBoolean() ? Instant.MIN : clock.instant().minus(AGE_LASTS);
        return ages.values().stream().filter(age -> !age.at.isBefore(since)).mapToDouble(Age::seconds).max()
                .orElse(Double.NaN);
    }

    void decoded(DecodeResult result, ClaimUnitBuilder units) {
        events.increment(result.events());
        ignored.increment(result.ignored());
        for (int i = 0; i < aggregated.size(); i++) {
            int count = units.events(i);
            if (count > 0) {
                aggregated.get(i).increment(count);
            }
        }
        decoded.computeIfAbsent(new Form(result.kind(), result.envelope()), this::counter).increment();
    }

    private Counter counter(Form form) {
        return Counter.builder("windrow.writer.messages.decoded")
                .description("Messages read, by how they hold their events and what those are wrapped in")
                .tag("kind", form.kind.word()).tag("envelope", form.envelope.word()).register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }
}
