package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.Meter;

/** Write units of a steady stream: the writer, and windows that count at least once. */
final class SteadyCost implements Experiment {

    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int WARM_UP_SECONDS = 10;
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final List<String> MINUTE = List.of("minute");
    private static final List<String> THREE = List.of("minute", "hour", "day");

    /** @param speed seconds of the stream in one of the wall: rates are as much higher, and all waits as much shorter */
    private record Load(int eventsOfEach, List<String> granularities, int seconds, double speed, double bound) {

        Duration scaled(Duration wait) {
            return Duration.ofMillis(Math.round(wait.toMillis() / speed));
        }

        String name() {
            return WriterCost.load(eventsOfEach) + ", " + String.join(", ", granularities);
        }
    }

    @Override
    public String id() {
        return "steady";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        int seconds = lab.quick() ? 5 : 30;
        for (Load load : List.of(new Load(1, MINUTE, seconds, 0.5, 1.3),
                new Load(WriterCost.BATCHED, MINUTE, seconds, 0.5, 1.15),
                new Load(WriterCost.BATCHED, THREE, 480, 4, 0.5))) {
            double ratio = writer(rows, lab, load);
            lab.progress("%s: %.3f", load.name(), ratio);
            targets.add(Target.atMost("steady." + load.eventsOfEach() + "." + load.granularities().size(),
                    "write units over aggregation at least once at the same flush age, steady stream, " + load.name(), ratio,
                    load.bound()));
            if (load.granularities().equals(MINUTE)) {
                window(rows, lab, load);
            }
        }
        return new Section(id(), "Writer: write units of a steady stream", """
                2,000 events a second of 200 referrers, consumed as they arrive; all granularities indexed. Counted from the end
                of a warm-up of 10 s until the consumer was stopped and all was written. "Ratio" is over what aggregation at
                least once costs at the same flush age: a unit, and one for the index, for each bucket of each granularity,
                whenever the writer updates the minute's. Streams of minutes alone are applied as soon as they are claimed, each
                second like the windows, which are the plain SDK; by default a claim waits for up to another second, which
                halves the updates.

                So that the machine is no bound, streams of minutes run at half the speed: 1,000 events a second and all waits
                twice as long. The stream with three granularities lasts 8 minutes of its own time and runs at four times the
                speed: 8,000 events a second, a flush each 250 ms, hours written every 7.5 s and days every 75 s, as 2,000
                events a second with waits of a second, 30 s and 5 minutes. Either way, each flush has as many
                events, labels, ids and records.
                """, List.of(new Table("", List.of("load", "consumer", "events per update of a minute",
                "write units per event", "ratio", "buckets and index", "lane", "records", "slots and cuts"), rows)), targets);
    }

    private static double writer(List<List<Object>> rows, Lab lab, Load load) {
        List<String> waits = List.of("-Dwindrow.writer.aggregate.max-age=" + load.scaled(Duration.ofSeconds(1)),
                "-Dwindrow.writer.journal.write-every.minute="
                        + (load.granularities().equals(MINUTE) ? AT_ONCE : load.scaled(Duration.ofSeconds(1))),
                "-Dwindrow.writer.journal.write-every.hour=" + load.scaled(Duration.ofSeconds(30)),
                "-Dwindrow.writer.journal.write-every.day=" + load.scaled(Duration.ofMinutes(5)));
        return units(rows, lab, load, MeasuredConsumer.writers(lab, Service.WRITER, "writer",
                DatasetFile.clicks(load.granularities()), DynamoDbServer.start(lab.vertx()), waits, 1));
    }

    private static void window(List<List<Object>> rows, Lab lab, Load load) {
        units(rows, lab, load, MeasuredConsumer.baseline(lab, "windows, at least once", "window",
                DynamoDbServer.start(lab.vertx()), load.granularities(), load.scaled(Duration.ofSeconds(1))));
    }

    private static double units(List<List<Object>> rows, Lab lab, Load load, MeasuredConsumer consumer) {
        int events = load.seconds() * EVENTS_PER_SECOND;
        List<Body> pool = Events.clicks(lab.random("steady" + load.name()), WriterCost.LABELS)
                .messages(Math.min(events, 200_000) / load.eventsOfEach(), load.eventsOfEach());
        List<Body> bodies = new ArrayList<>();
        while (bodies.size() * load.eventsOfEach() < events) {
            bodies.addAll(pool);
        }
        try (consumer) {
            double perSecond = EVENTS_PER_SECOND * load.speed() / load.eventsOfEach();
            List<Body> first = pool.subList(0, (int) Math.min(pool.size(), WARM_UP_SECONDS * perSecond));
            consumer.follow(first, perSecond);
            Meter.Reading before = consumer.table();
            consumer.follow(bodies, perSecond);
            Meter.Reading written = consumer.stopped(before);
            long measured = (long) bodies.size() * load.eventsOfEach();
            long sent = measured + (long) first.size() * load.eventsOfEach();
            for (String granularity : load.granularities()) {
                if (consumer.sum(granularity, "events") != sent) {
                    throw new IllegalStateException(consumer.name() + ": expected " + sent + " events by " + granularity
                            + ", found " + consumer.sum(granularity, "events"));
                }
            }
            TreeMap<String, Double> of = new TreeMap<>(written.unitsOf());
            double total = written.units();
            long minutes = written.indexed().entrySet().stream().filter(shard -> shard.getKey().contains("#minute#"))
                    .mapToLong(Map.Entry::getValue).sum();
            double ratio = total / (2.0 * load.granularities().size() * minutes);
            rows.add(List.of(load.name(), consumer.name(), (double) measured / minutes, total / measured, ratio,
                    share(total, of, "bucket", "index"), share(total, of, "~lane"), share(total, of, "~record"),
                    share(total, of, "~slot", "~cut")));
            return ratio;
        }
    }

    private static String share(double total, TreeMap<String, Double> of, String... kinds) {
        double sum = 0;
        for (String kind : kinds) {
            sum += of.getOrDefault(kind, 0.0);
        }
        return String.format(Locale.ROOT, "%.1f%%", 100 * sum / total);
    }
}
