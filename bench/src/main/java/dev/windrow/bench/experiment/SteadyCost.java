package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.windrow.bench.page.Found;
import dev.windrow.bench.page.Target;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.Meter;
import dev.windrow.bench.server.QueuedBody;

/** Write units of a steady stream, for the writer and for windows that count at least once. */
final class SteadyCost implements Experiment {

    private static final long MINUTE_MILLIS = 60_000;
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final List<String> COLUMNS = List.of("consumer", "load", "events per update of a minute",
            "write units per event", "write units per second", "ratio");
    private static final List<String> MINUTE = List.of("minute");
    private static final List<String> THREE = List.of("minute", "hour", "day");

    /**
     * A stream on its own timescale.
     *
     * @param speed stream seconds per wall-clock second: rates are higher and all waits shorter by this factor
     */
    private record Load(int eventsPerSecond, int labels, int eventsOfEach, List<String> granularities, int writers, int seconds,
            double speed) {

        Duration scaled(Duration wait) {
            return Duration.ofMillis(Math.round(wait.toMillis() / speed));
        }

        String name() {
            return (writers == 1 ? ""
                    : String.format(Locale.ROOT, "%,d events/s, %,d labels, %d writers, ", eventsPerSecond, labels, writers))
                    + WriterCost.load(eventsOfEach) + ", " + String.join(", ", granularities);
        }

        /** Returns the writers' settings: the defaults on the stream's timescale, but minutes alone are written at once. */
        List<String> waits() {
            return List.of("-Dwindrow.writer.aggregate.max-age=" + scaled(Duration.ofSeconds(1)),
                    "-Dwindrow.writer.journal.write-every.minute="
                            + (granularities.equals(MINUTE) ? AT_ONCE : scaled(Duration.ofSeconds(1))),
                    "-Dwindrow.writer.journal.write-every.hour=" + scaled(Duration.ofSeconds(30)),
                    "-Dwindrow.writer.journal.write-every.day=" + scaled(Duration.ofMinutes(5)));
        }
    }

    @Override
    public Found run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        int seconds = lab.quick() ? 5 : 30;
        Load single = new Load(2_000, Events.LABELS, 1, MINUTE, 1, seconds, 0.5);
        Load batched = new Load(2_000, Events.LABELS, Events.BATCHED, MINUTE, 1, seconds, 0.5);
        for (Load load : List.of(single, batched)) {
            targets.add(target(load, writer(rows, lab, load), load.equals(single) ? 1.3 : 1.15));
            units(rows, lab, load, MeasuredConsumer.baseline(lab, "windows, at least once", "window",
                    new DynamoDbServer(lab.vertx()), load.granularities(), load.scaled(Duration.ofSeconds(1))));
        }
        Load three = new Load(2_000, Events.LABELS, Events.BATCHED, THREE, 1, 480, 4);
        targets.add(target(three, writer(rows, lab, three), 0.5));
        writer(rows, lab, new Load(10_000, 1_000, Events.BATCHED, THREE, 2, lab.quick() ? 320 : 600, 4));
        return new Found(COLUMNS, rows, targets);
    }

    private static Target target(Load load, double ratio, double bound) {
        return Target.atMost("steady." + load.eventsOfEach() + "." + load.granularities().size(),
                "write units over aggregation at least once at the same flush age, steady stream, " + load.name(), ratio,
                bound);
    }

    private static double writer(List<List<Object>> rows, Lab lab, Load load) {
        double ratio = units(rows, lab, load, MeasuredConsumer.writers(lab, "writer", load.granularities(),
                new DynamoDbServer(lab.vertx()), load.waits(), load.writers()));
        lab.progress("%s: %.3f", load.name(), ratio);
        return ratio;
    }

    private static double units(List<List<Object>> rows, Lab lab, Load load, MeasuredConsumer consumer) {
        int events = load.seconds() * load.eventsPerSecond();
        List<QueuedBody> pool = Events.clicks(lab.random("steady" + load.name()), load.labels())
                .messages(Math.min(events, 200_000) / load.eventsOfEach(), load.eventsOfEach());
        double perSecond = load.eventsPerSecond() * load.speed() / load.eventsOfEach();
        // Ends with a minute: the writer sets the cut of its first minute by the first messages, so claims may cost more.
        long warmUp = load.scaled(Duration.ofSeconds(10)).toMillis();
        warmUp += MINUTE_MILLIS - (System.currentTimeMillis() + warmUp) % MINUTE_MILLIS;
        List<QueuedBody> first = repeated(pool, warmUp / 1e3 * perSecond);
        List<QueuedBody> bodies = repeated(pool, (double) events / load.eventsOfEach());
        try (consumer) {
            consumer.follow(first, perSecond);
            Meter.Reading before = consumer.table();
            consumer.follow(bodies, perSecond);
            Meter.Reading written = consumer.stopped(before);
            long sent = (long) (bodies.size() + first.size()) * load.eventsOfEach();
            for (String granularity : load.granularities()) {
                if (consumer.events(granularity) != sent) {
                    throw new IllegalStateException(consumer.name() + ": expected " + sent + " events by " + granularity
                            + ", found " + consumer.events(granularity));
                }
            }
            double ratio = written.writeUnits() / (2.0 * load.granularities().size() * written.minutes());
            rows.add(List.of(consumer.name(), load.name(), events / (double) written.minutes(),
                    written.writeUnits() / events, written.writeUnits() / load.seconds(), ratio));
            return ratio;
        }
    }

    private static List<QueuedBody> repeated(List<QueuedBody> pool, double count) {
        return Stream.generate(() -> pool).flatMap(List::stream).limit((long) count).toList();
    }
}
