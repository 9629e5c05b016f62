package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.Meter;
import dev.windrow.bench.table.Outcome;

/** How often claims of several writers meet, and whether all is counted once. */
final class ManyWriters implements Experiment {

    private static final int WRITERS = 8;
    private static final int EVENTS_PER_SECOND = 2_000;
    private static final String TRANSACTION = "TransactWriteItems";

    @Override
    public String id() {
        return "writers";
    }

    /** Answers after 4 to 10 ms, as a table does. */
    static Supplier<Duration> tableLatency(Lab lab) {
        RandomGenerator random = lab.random("latency");
        return () -> Duration.ofMillis(random.nextInt(4, 11));
    }

    @Override
    public Section run(Lab lab) {
        int warmUp = (lab.quick() ? 20 : 90) * EVENTS_PER_SECOND;
        int counted = (lab.quick() ? 20 : 60) * EVENTS_PER_SECOND;
        int events = warmUp + counted;
        List<Body> bodies = Events.clicks(lab.random("writers"), WriterCost.LABELS).messages(events, 1);
        DynamoDbServer table = DynamoDbServer.start(lab.vertx());
        try (MeasuredConsumer writers = MeasuredConsumer.writers(lab, Service.WRITER, "writers", DatasetFile.clicks(), table,
                List.of(), WRITERS)) {
            table.setLatency(tableLatency(lab));
            // Eight processes that compile what they run, all at once, do not claim when they mean to.
            writers.follow(bodies.subList(0, warmUp), EVENTS_PER_SECOND);
            Meter.Reading before = writers.table();
            writers.follow(bodies.subList(warmUp, events), EVENTS_PER_SECOND);
            Meter.Reading found = writers.table().since(before);
            writers.stopped(before);
            long failed = found.failed(TRANSACTION, Outcome.CONFLICT);
            long claims = found.requests().getOrDefault(TRANSACTION, 0L) - failed;
            long refused = found.failed(TRANSACTION, Outcome.CONDITION_FAILED);
            double share = (double) failed / claims;
            return new Section(id(), "Writer: eight of them", """
                    2,000 events a second of the same 200 referrers, one event per message, consumed by 8 writers; a table that
                    answers after 4 to 10 ms and cancels transactions that meet on an item. Measured after a warm-up of the same
                    stream (90 s; 20 s if quick).
                    """, List.of(new Table("", List.of("claims", "conflicts retried", "share", "conditions failed",
                    "events sent", "events counted", "write units per event"),
                    List.of(List.of(claims, failed, String.format(Locale.ROOT, "%.2f%%", 100 * share), refused, events,
                            writers.sum("minute", "events"), found.units() / counted)))),
                    List.of(Target.atMost("writers.conflicts", "conflicts retried over claims, 8 writers", share, 0.02),
                            Target.atMost("writers.exact", "events counted wrong, 8 writers",
                                    Math.abs(writers.sum("minute", "events") - (double) events), 0)));
        }
    }
}
