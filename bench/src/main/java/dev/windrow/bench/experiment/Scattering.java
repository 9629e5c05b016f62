package dev.windrow.bench.experiment;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.partition.CapacityLimits;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.Meter;
import dev.windrow.table.AwsLimits;

/** How many upserts of one event time the index takes, by width. */
final class Scattering implements Experiment {

    /** The load, over width × limit: before throttling, but hardly. */
    private static final double OFFERED = 0.97;
    private static final double OVERLOAD = 10;
    private static final Duration INDEX_QUEUE = Duration.ofSeconds(1);
    private static final int EVENTS_OF_EACH = 10;
    private static final Duration SLICE = Duration.ofMillis(50);
    private static final Duration STORM = Duration.ofSeconds(5);
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(50);
    /** Model seconds per wall second: a hundred partitions take more than this machine can write. */
    private static final List<Width> WIDTHS = List.of(new Width(1, 0.5), new Width(10, 0.1), new Width(100, 0.03));

    private record Width(int width, double speed) {

        double limit() {
            return (double) width * AwsLimits.PARTITION_WRITE_UNITS;
        }
    }

    @Override
    public String id() {
        return "scattering";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        for (Width width : WIDTHS) {
            String name = "width " + width.width();
            DatasetFile datasets = new DatasetFile(List.of(width.width()), List.of("minute"));
            try (MeasuredConsumer writer = MeasuredConsumer.writers(lab, Service.WRITER, name, datasets, table(lab, width),
                    List.of("-Dwindrow.writer.aggregate.max-age=100ms"), 1)) {
                rows.add(row(lab, writer, name, width, OFFERED, targets));
            }
        }
        Width one = WIDTHS.get(0);
        try (MeasuredConsumer plain = MeasuredConsumer.baseline(lab, "unscattered", "unscattered", table(lab, one),
                List.of("minute"), Duration.ofSeconds(1))) {
            rows.add(row(lab, plain, "unscattered, plain SDK, 10 times the limit", one, OVERLOAD, new ArrayList<>()));
        }
        return new Section(id(), "Scattering", """
                Events of one event time, each of a referrer not seen before, so that every event is an upsert of one write
                unit in the table and one in the index. Each partition key of table and index has a token bucket of 1,000
                write units a second, without burst; a write is admitted if its table key and every index key it touches have
                the units, so an index out of capacity throttles its table. The index may lag by up to a second before it
                does. The writer is offered 97% of width × 1,000 a second for a second of the model's time or
                more, after half as long a warm-up. The model's clock runs at half, a tenth and 3% of the wall's speed for
                width 1, 10 and 100. Unscattered, the index's key is the event time alone: the same limit as width 1, whatever
                is offered. "Recovery" is the wall time from the end of a 5 s storm, in which every write is throttled, to 90%
                of the rate before it.
                """, List.of(new Table("Upserts of one event time", List.of("load", "offered/s", "applied/s",
                "applied / limit", "throttled", "maximum index lag, ms", "hottest shard / mean", "recovery, s"), rows)),
                targets);
    }

    private static DynamoDbServer table(Lab lab, Width width) {
        long start = System.nanoTime();
        return DynamoDbServer.start(lab.vertx(), CapacityLimits.STRICT.withIndexQueue(INDEX_QUEUE),
                () -> Math.round((System.nanoTime() - start) * width.speed()));
    }

    private static List<Object> row(Lab lab, MeasuredConsumer consumer, String name, Width width, double load,
            List<Target> targets) {
        double perSecond = load * width.limit() * width.speed();
        double wallSeconds = Math.max(lab.quick() ? 5 : 10, (lab.quick() ? 0.3 : 1) / width.speed());
        Feeder feeder = new Feeder(lab, consumer, perSecond);
        feeder.feed(Duration.ofMillis((long) (wallSeconds * 500)));
        Meter.Reading before = consumer.table();
        long start = System.nanoTime();
        feeder.feed(Duration.ofMillis((long) (wallSeconds * 1_000)));
        double modelSeconds = (System.nanoTime() - start) / 1e9 * width.speed();
        Meter.Reading found = consumer.table().since(before);
        double ofLimit = found.upserts() / modelSeconds / width.limit();
        double throttled = (double) found.throttled() / Math.max(1, found.throttled() + found.upserts());
        double hottest = found.indexed().values().stream().mapToLong(Long::longValue).max().orElse(0);
        double recovery = load > 1 ? Double.NaN : recovery(consumer, feeder, perSecond);
        targets.add(
                Target.atLeast("scattering.rate", "upserts/s before throttling over width × 1,000, " + name, ofLimit, 0.95));
        targets.add(Target.atMost("scattering.throttled", "throttled share of requests, " + name, throttled, 0.02));
        targets.add(Target.atMost("scattering.recovery", "seconds to recover from a storm, " + name, recovery, 2));
        lab.progress("%s: %.3f of the limit", name, ofLimit);
        return List.of(name, perSecond / width.speed(), found.upserts() / modelSeconds, ofLimit,
                String.format(Locale.ROOT, "%.2f%%", 100 * throttled), found.maxLag().toMillis(),
                hottest * width.width() / Math.max(1, found.upserts()), Double.isNaN(recovery) ? "" : (Object) recovery);
    }

    /** Seconds from the end of a storm to the first half second at 90% of the rate. */
    private static double recovery(MeasuredConsumer consumer, Feeder feeder, double perSecond) {
        consumer.dynamoDb().setStorm(true);
        feeder.feed(STORM);
        consumer.dynamoDb().setStorm(false);
        long end = System.nanoTime();
        while (true) {
            Meter.Reading before = consumer.table();
            long start = System.nanoTime();
            feeder.feed(Duration.ofMillis(500));
            double rate = consumer.table().since(before).upserts() / ((System.nanoTime() - start) / 1e9);
            if (rate >= 0.9 * perSecond || start - end > RECOVERY_LIMIT.toNanos()) {
                return (start - end) / 1e9;
            }
        }
    }

    /** Feeds new referrers at a steady rate. */
    private static final class Feeder {

        private final MeasuredConsumer consumer;
        private final double perSecond;
        private final Events events;
        private double due;
        private int referrer;

        Feeder(Lab lab, MeasuredConsumer consumer, double perSecond) {
            this.consumer = consumer;
            this.perSecond = perSecond;
            this.events = new Events(lab.random("scattering"), Instant.parse("2026-11-20T10:31:00Z"),
                    () -> "visitor-" + referrer++);
        }

        void feed(Duration span) {
            long start = System.nanoTime();
            long last = start;
            while (last - start < span.toNanos()) {
                Wait.pause(SLICE);
                long now = System.nanoTime();
                due += (now - last) / 1e9 * perSecond;
                last = now;
                List<Body> bodies = events.messages((int) (due / EVENTS_OF_EACH), EVENTS_OF_EACH);
                due -= (double) bodies.size() * EVENTS_OF_EACH;
                consumer.queue().send(bodies);
            }
        }
    }
}
