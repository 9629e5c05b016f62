package dev.windrow.writer;

import static dev.windrow.writer.queue.QueueMetrics.counter;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.FailureCause;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Measure;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.metrics.ReasonCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of receiving and decoding. */
public final class FlowMetrics {

    private static final double MILLIS_PER_SECOND = 1_000;
    /** How long the age from the last receive is reported, unless short memory delays the next receive. */
    private static final Duration AGE_LASTS = Duration.ofMinutes(1);

    private final MeterRegistry registry;
    private final Clock clock;
    private final BooleanSupplier heldBack;
    /** By queue URL. A queue whose last receive failed is absent. */
    private final Map<String, Age> ages = new ConcurrentHashMap<>();
    private final Counter received;
    private final ReasonCounters receiveFailures;
    private final Counter events;
    private final Counter ignored;
    private final List<Counter> aggregated;
    private final List<AbsentAttributes> absent;
    /** By the kind of the body and its envelope. */
    private final Map<List<Enum<?>>, Counter> decoded = new ConcurrentHashMap<>();

    /** Age of the oldest message of a queue's last receive, and when that receive ended. */
    private record Age(double seconds, Instant at) {
    }

    /** @param heldBack whether a receive waits for memory */
    public FlowMetrics(MeterRegistry registry, Clock clock, Datasets datasets, BooleanSupplier heldBack) {
        this.registry = registry;
        this.clock = clock;
        this.heldBack = heldBack;
        Gauge.builder("windrow.writer.queue.age", this, FlowMetrics::queueAge).baseUnit("seconds")
                .description("Age of the oldest message of the last receive; 0 if it brought none, NaN if it failed, or if "
                        + "it ended more than a minute ago and memory is free")
                .register(registry);
        this.received = counter(registry, "windrow.writer.messages.received", "Messages received, each delivery counted");
        this.receiveFailures = new ReasonCounters(registry, "windrow.writer.receive.failures", "Receives that failed",
                FailureCause.WORLD);
        this.events = counter(registry, "windrow.writer.events.decoded", "Valid events read from messages");
        this.ignored = counter(registry, "windrow.writer.events.ignored",
                "Events dropped as the datasets' file ignores their type, or all datasets of it exclude them");
        this.aggregated = datasets.all().stream().map(dataset -> counter(registry, "windrow.writer.events.aggregated",
                "Events aggregated, once for each dataset that they count in", "dataset", dataset.name())).toList();
        this.absent = datasets.all().stream().map(dataset -> new AbsentAttributes(dataset, registry, clock.instant()))
                .toList();
    }

    /** Records a successful receive. */
    public void received(SourceQueue queue, List<Message> batch) {
        received.increment(batch.size());
        Instant now = clock.instant();
        absent.forEach(dataset -> dataset.warn(now));
        Instant oldest = batch.stream().map(Message::sent).min(Comparator.naturalOrder()).orElse(now);
        ages.put(queue.url(), new Age(Math.max(0, Duration.between(oldest, now).toMillis() / MILLIS_PER_SECOND), now));
    }

    /** Records a failed receive. The age of the queue's messages is then unknown. */
    void receiveFailed(SourceQueue queue, Reason reason) {
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
                absent.get(i).add(i, count, units);
            }
        }
        // Cached: looking up the counter in the registry for each message took 1% of the writer's time.
        decoded.computeIfAbsent(List.of(result.kind(), result.envelope()),
                form -> counter(registry, "windrow.writer.messages.decoded",
                        "Messages read, by how they hold their events and what those are wrapped in",
                        "kind", word(form.get(0)), "envelope", word(form.get(1))))
                .increment();
    }

    /**
     * Finds measures whose attribute no event has. A name that is misspelled, of another case or nested elsewhere would
     * otherwise silently add nothing forever. Thread-safe.
     */
    private static final class AbsentAttributes {

        private static final Duration PERIOD = Duration.ofMinutes(1);

        private final Dataset dataset;
        /** By measure; null for a measure without an attribute. */
        private final List<@Nullable Counter> counters = new ArrayList<>();
        /** Start of this period. The next two fields count its events. */
        private Instant since;
        private long events;
        private final long[] without;

        AbsentAttributes(Dataset dataset, MeterRegistry registry, Instant now) {
            this.dataset = dataset;
            this.since = now;
            this.without = new long[dataset.measures().size()];
            dataset.measures().forEach(measure -> counters.add(measure.attribute() == null ? null
                    : counter(registry, "windrow.writer.events.without.attribute",
                            "Events of a dataset that lack the attribute of a measure", "dataset", dataset.name(),
                            "measure", measure.name())));
        }

        synchronized void add(int number, int count, ClaimUnitBuilder units) {
            events += count;
            for (int i = 0; i < without.length; i++) {
                Counter counter = counters.get(i);
                int lacking = units.eventsWithout(number, i);
                if (counter != null && lacking > 0) {
                    without[i] += lacking;
                    counter.increment(lacking);
                }
            }
        }

        /** At the end of a period, warns of attributes that none of its events had. */
        synchronized void warn(Instant now) {
            if (now.isBefore(since.plus(PERIOD))) {
                return;
            }
            for (int i = 0; events > 0 && i < without.length; i++) {
                Measure measure = dataset.measures().get(i);
                if (without[i] == events) {
                    DecodeStage.LOG.warn(
                            "no event of dataset " + dataset.name() + " in the last minute has the attribute that measure "
                                    + measure.name() + " reads: check its name, or declare it required",
                            LogKey.REASON.of(Reason.MISSING_FIELD.word()),
                            LogKey.DETAIL.of("attributes." + measure.attribute()));
                }
            }
            since = now;
            events = 0;
            Arrays.fill(without, 0);
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
