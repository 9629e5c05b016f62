package dev.windrow.bench.experiment;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Line;
import dev.windrow.bench.page.Section.Plot;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.partition.CapacityLimits;
import dev.windrow.bench.partition.Formulas;
import dev.windrow.bench.partition.ModelTime;
import dev.windrow.bench.queue.Body;
import dev.windrow.bench.table.Meter;
import dev.windrow.bench.wire.DynamoDbServer;

/** How many upserts of one event time the index takes, by width. */
final class Scattering implements Experiment {

    /** The load, over width × limit: before throttling, but hardly. */
    private static final double OFFERED = 0.97;
    private static final Duration INDEX_QUEUE = Duration.ofSeconds(1);
    private static final int EVENTS_OF_A_MESSAGE = 10;
    private static final int SLICE_MILLIS = 50;

    /** A width, and model seconds per wall second: a hundred partitions take more than this machine can write. */
    private record Width(int width, double speed) {
    }

    /** What one run found; rates are per model second. */
    private record Outcome(double offered, double applied, double throttledShare, Duration lag, double skew,
            double recoverySeconds) {
    }

    @Override
    public String id() {
        return "scattering";
    }

    @Override
    public Section run(Lab lab) {
        List<Width> widths = List.of(new Width(1, 0.5), new Width(10, 0.1), new Width(100, 0.03));
        List<List<Object>> rows = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        Line hash = new Line("writer, hash", new ArrayList<>(), new ArrayList<>());
        Line limit = new Line("width × 1,000", new ArrayList<>(), new ArrayList<>());
        for (Width width : widths) {
            for (String strategy : List.of("hash", "random")) {
                try (Consumer writer = writer(lab, width, strategy)) {
                    Outcome found = measure(lab, writer, width, OFFERED, strategy.equals("hash"));
                    rows.add(row("width " + width.width() + ", " + strategy, width, found));
                    lab.tell("%s", rows.get(rows.size() - 1));
                    if (strategy.equals("hash")) {
                        targets.addAll(targets(width, found));
                        hash.x().add((double) width.width());
                        hash.y().add(Math.max(1, found.applied()));
                        limit.x().add((double) width.width());
                        limit.y().add(Formulas.scatteredWrites(width.width()));
                    }
                }
            }
        }
        Width one = widths.get(0);
        try (Consumer plain = Consumer.baseline(lab, "unscattered", "unscattered", options(one))) {
            rows.add(row("unscattered, plain SDK, offered 10 × 1,000", one, measure(lab, plain, one, 10, false)));
        }
        return new Section(id(), "Headline: scattering", """
                Events of one event time, each of a referrer not seen before, so that every event is an upsert of one write
                unit in the table and one in the index. The writer (at least once) is offered 97% of width × 1,000 a second
                for a second of the model's time or more, after half as long a warm-up; the model has no burst and lets the
                index lag by up to a second before it throttles. The model's clock runs at half, a tenth and 3% of
                the wall's speed for width 1, 10 and 100. Unscattered, the index's key is the event time alone, as in the
                article's first design: the same limit as width 1, whatever is offered. "Recovery" is the wall time from the
                end of a 5 s storm, in which every write is throttled, to 90% of the rate before it.
                """, List.of(new Table("Upserts of one event time",
                List.of("load", "offered/s", "applied/s", "applied / limit", "throttled", "longest index lag, ms",
                        "hottest shard / mean", "recovery, s"),
                rows)), List.of(
                        new Plot("scattering",
                                "Upserts a second of one event time", "width", "upserts/s of the model's time",
                                List.of(limit, hash))),
                targets);
    }

    private static DynamoDbServer.Options options(Width width) {
        return DynamoDbServer.Options.modelled(CapacityLimits.STRICT.withIndexQueue(INDEX_QUEUE),
                new ModelTime(System::nanoTime, width.speed()), 1_000_000);
    }

    private static Consumer writer(Lab lab, Width width, String strategy) {
        DatasetFile datasets = new DatasetFile(List.of("clicks"), List.of("minute"), List.of(width.width()), strategy,
                "at-least-once", 1);
        return Consumer.writer(lab, Service.WRITER, "scattering-" + width.width() + "-" + strategy, datasets, options(width), 1,
                List.of("-Dwindrow.writer.aggregate.max-age=100ms"));
    }

    private static Outcome measure(Lab lab, Consumer consumer, Width width, double offered, boolean storm) {
        double perSecond = offered * Formulas.scatteredWrites(width.width()) * width.speed();
        double wallSeconds = Math.max(lab.quick() ? 5 : 10, (lab.quick() ? 0.3 : 1) / width.speed());
        Feeder feeder = new Feeder(lab, consumer, perSecond);
        feeder.feed(Duration.ofMillis((long) (wallSeconds * 500)));
        consumer.dynamoDb().audit().clear();
        Meter.Reading before = consumer.dynamoDb().meter().read();
        long begin = System.nanoTime();
        feeder.feed(Duration.ofMillis((long) (wallSeconds * 1_000)));
        double modelSeconds = (System.nanoTime() - begin) / 1e9 * width.speed();
        Meter.Reading found = consumer.dynamoDb().meter().read().since(before);
        double skew = ShardCounts.skew(consumer.dynamoDb().audit().entries(), width.width());
        double recovery = storm ? recovery(consumer, feeder, perSecond) : Double.NaN;
        return new Outcome(perSecond / width.speed(), found.indexedWrites() / modelSeconds,
                (double) found.throttled() / Math.max(1, found.throttled() + found.indexedWrites()), found.maxLag(), skew,
                recovery);
    }

    /** Seconds from the end of a storm to the first half second at 90% of the rate. */
    private static double recovery(Consumer consumer, Feeder feeder, double perSecond) {
        consumer.dynamoDb().setStorm(true);
        feeder.feed(Duration.ofSeconds(5));
        consumer.dynamoDb().setStorm(false);
        long end = System.nanoTime();
        for (int i = 0; i < 100; i++) {
            long before = consumer.dynamoDb().meter().read().indexedWrites();
            long begin = System.nanoTime();
            feeder.feed(Duration.ofMillis(500));
            double rate = (consumer.dynamoDb().meter().read().indexedWrites() - before) / ((System.nanoTime() - begin) / 1e9);
            if (rate >= 0.9 * perSecond) {
                return (begin - end) / 1e9;
            }
        }
        return (System.nanoTime() - end) / 1e9;
    }

    private static List<Object> row(String name, Width width, Outcome found) {
        Object recovery = Double.isNaN(found.recoverySeconds()) ? "" : (Object) found.recoverySeconds();
        return List.of(name, found.offered(), found.applied(), found.applied() / Formulas.scatteredWrites(width.width()),
                String.format(Locale.ROOT, "%.2f%%", 100 * found.throttledShare()), found.lag().toMillis(), found.skew(),
                recovery);
    }

    private static List<Target> targets(Width width, Outcome found) {
        String of = ", width " + width.width();
        return List.of(
                Target.atLeast("scattering.rate", "upserts/s before throttling over width × 1,000" + of,
                        found.applied() / Formulas.scatteredWrites(width.width()), 0.95),
                Target.atMost("scattering.throttled", "throttled share of requests" + of, found.throttledShare(), 0.02),
                Target.atMost("scattering.recovery", "seconds to recover from a storm" + of, found.recoverySeconds(), 2));
    }

    /** Feeds new referrers at a steady rate. */
    private static final class Feeder {
        private final Consumer consumer;
        private final double perSecond;
        private final Events events;
        private double owed;
        private int referrer;

        Feeder(Lab lab, Consumer consumer, double perSecond) {
            this.consumer = consumer;
            this.perSecond = perSecond;
            this.events = new Events(lab.random("scattering"), Instant.parse("2026-11-20T10:31:00Z"), Duration.ofMinutes(1),
                    n -> "visitor-" + referrer++);
        }

        void feed(Duration span) {
            long begin = System.nanoTime();
            long last = begin;
            while (last - begin < span.toNanos()) {
                Wait.pause(Duration.ofMillis(SLICE_MILLIS));
                long now = System.nanoTime();
                owed += (now - last) / 1e9 * perSecond;
                last = now;
                List<Body> bodies = events.messages((int) (owed / EVENTS_OF_A_MESSAGE), EVENTS_OF_A_MESSAGE);
                owed -= (double) bodies.size() * EVENTS_OF_A_MESSAGE;
                consumer.queue().send(bodies);
            }
        }
    }
}
