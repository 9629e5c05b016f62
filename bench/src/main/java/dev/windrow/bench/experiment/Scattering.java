package dev.windrow.bench.experiment;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.Meter;
import dev.windrow.bench.table.CapacityLimits;

/** How many upserts of one event time the index takes, by width. */
final class Scattering implements Experiment {

    /** The load, over width × limit: before throttling, but hardly. */
    private static final double OFFERED = 0.97;
    private static final double OVERLOAD = 10;
    private static final Duration INDEX_QUEUE = Duration.ofSeconds(1);
    private static final int EVENTS_OF_EACH = 10;
    private static final Duration SLICE = Duration.ofMillis(50);
    private static final double STORM_SECONDS = 5;
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(50);
    /** Model seconds per wall second: a hundred partitions take more than this machine can write. */
    private static final List<Width> WIDTHS = List.of(new Width(1, 0.5), new Width(10, 0.1), new Width(100, 0.03));

    private record Width(int width, double speed) {

        double limit() {
            return (double) width * CapacityLimits.PARTITION_WRITE_UNITS;
        }
    }

    @Override
    public Found run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        for (Width width : WIDTHS) {
            String name = "width " + width.width();
            try (MeasuredConsumer writer = MeasuredConsumer.writers(lab, name,
                    DatasetFile.clicks(List.of(width.width()), List.of("minute")), table(lab, width),
                    List.of("-Dwindrow.writer.aggregate.max-age=100ms"), 1)) {
                rows.add(row(lab, writer, name, width, OFFERED, targets));
            }
        }
        Width one = WIDTHS.get(0);
        try (MeasuredConsumer plain = MeasuredConsumer.baseline(lab, "unscattered", "unscattered", table(lab, one),
                List.of("minute"), Duration.ofSeconds(1))) {
            rows.add(row(lab, plain, "unscattered, plain SDK, 10 times the limit", one, OVERLOAD, new ArrayList<>()));
        }
        return new Found(List.of(new Table("Upserts of one event time", List.of("load", "offered/s", "applied/s",
                "applied / limit", "throttled, %", "maximum index lag, ms", "hottest shard / mean", "recovery, s"), rows)),
                targets);
    }

    private static DynamoDbServer table(Lab lab, Width width) {
        long start = System.nanoTime();
        return DynamoDbServer.start(lab.vertx(), new CapacityLimits(CapacityLimits.PARTITION_WRITE_UNITS, INDEX_QUEUE),
                () -> Math.round((System.nanoTime() - start) * width.speed()));
    }

    private static List<Object> row(Lab lab, MeasuredConsumer consumer, String name, Width width, double load,
            List<Target> targets) {
        double perSecond = load * width.limit() * width.speed();
        double wallSeconds = Math.max(lab.quick() ? 5 : 10, (lab.quick() ? 0.3 : 1) / width.speed());
        AtomicInteger referrer = new AtomicInteger();
        Events events = new Events(lab.random("scattering"), Instant.parse("2026-11-20T10:31:00Z"),
                () -> "visitor-" + referrer.getAndIncrement());
        feed(consumer, events, perSecond, wallSeconds / 2);
        Meter.Reading before = consumer.table();
        double modelSeconds = feed(consumer, events, perSecond, wallSeconds) * width.speed();
        Meter.Reading found = consumer.table().since(before);
        double ofLimit = found.upserts() / modelSeconds / width.limit();
        double throttled = found.throttled() / Math.max(1, found.throttled() + found.upserts());
        double hottest = found.indexed().values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        double recovery = load > 1 ? Double.NaN : recovery(consumer, events, perSecond);
        targets.add(
                Target.atLeast("scattering.rate", "upserts/s before throttling over width × 1,000, " + name, ofLimit, 0.95));
        targets.add(Target.atMost("scattering.throttled", "throttled share of requests, " + name, throttled, 0.02));
        targets.add(Target.atMost("scattering.recovery", "seconds to recover from a storm, " + name, recovery, 2));
        lab.progress("%s: %.3f of the limit", name, ofLimit);
        return List.of(name, perSecond / width.speed(), found.upserts() / modelSeconds, ofLimit, 100 * throttled,
                found.maxLag().toMillis(), hottest * width.width() / Math.max(1, found.upserts()),
                Double.isNaN(recovery) ? "" : (Object) recovery);
    }

    /** Seconds from the end of a storm to the first half second at 90% of the rate. */
    private static double recovery(MeasuredConsumer consumer, Events events, double perSecond) {
        consumer.dynamoDb().setStorm(true);
        feed(consumer, events, perSecond, STORM_SECONDS);
        consumer.dynamoDb().setStorm(false);
        long end = System.nanoTime();
        while (true) {
            Meter.Reading before = consumer.table();
            long start = System.nanoTime();
            double took = feed(consumer, events, perSecond, 0.5);
            double rate = consumer.table().since(before).upserts() / took;
            if (rate >= 0.9 * perSecond || start - end > RECOVERY_LIMIT.toNanos()) {
                return (start - end) / 1e9;
            }
        }
    }

    /** Sends new referrers at a steady rate; returns the seconds that it took. */
    private static double feed(MeasuredConsumer consumer, Events events, double perSecond, double seconds) {
        long start = System.nanoTime();
        double took = 0;
        for (double sent = 0; took < seconds;) {
            Wait.pause(SLICE);
            took = (System.nanoTime() - start) / 1e9;
            int messages = (int) ((took * perSecond - sent) / EVENTS_OF_EACH);
            consumer.queue().send(events.messages(messages, EVENTS_OF_EACH));
            sent += (double) messages * EVENTS_OF_EACH;
        }
        return took;
    }
}
