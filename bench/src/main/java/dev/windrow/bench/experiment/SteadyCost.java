package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
        for (Load load : List.of(new Load(1, MINUTE, seconds, 0.5, 1.3), new Load(Events.BATCHED, MINUTE, seconds, 0.5, 1.15),
                new Load(Events.BATCHED, THREE, 480, 4, 0.5))) {
            double ratio = writer(rows, lab, load);
            lab.progress("%s: %.3f", load.name(), ratio);
            targets.add(Target.atMost("steady." + load.eventsOfEach() + "." + load.granularities().size(),
                    "write units over aggregation at least once at the same flush age, steady stream, " + load.name(), ratio,
                    load.bound()));
            if (load.granularities().equals(MINUTE)) {
                units(rows, lab, load, MeasuredConsumer.baseline(lab, "windows, at least once", "window",
                        DynamoDbServer.start(lab.vertx()), load.granularities(), load.scaled(Duration.ofSeconds(1))));
            }
        }
        return Section.of(id(), List.of(new Table("", List.of("load", "consumer", "events per update of a minute",
                "write units per event", "ratio", "buckets and index, %", "lane, %", "records, %", "slots and cuts, %"), rows)),
                targets);
    }

    private static double writer(List<List<Object>> rows, Lab lab, Load load) {
        List<String> waits = List.of("-Dwindrow.writer.aggregate.max-age=" + load.scaled(Duration.ofSeconds(1)),
                "-Dwindrow.writer.journal.write-every.minute="
                        + (load.granularities().equals(MINUTE) ? AT_ONCE : load.scaled(Duration.ofSeconds(1))),
                "-Dwindrow.writer.journal.write-every.hour=" + load.scaled(Duration.ofSeconds(30)),
                "-Dwindrow.writer.journal.write-every.day=" + load.scaled(Duration.ofMinutes(5)));
        return units(rows, lab, load, MeasuredConsumer.writers(lab, "writer", DatasetFile.clicks(load.granularities()),
                DynamoDbServer.start(lab.vertx()), waits, 1));
    }

    private static double units(List<List<Object>> rows, Lab lab, Load load, MeasuredConsumer consumer) {
        int events = load.seconds() * EVENTS_PER_SECOND;
        List<Body> pool = Events.clicks(lab.random("steady" + load.name()))
                .messages(Math.min(events, 200_000) / load.eventsOfEach(), load.eventsOfEach());
        List<Body> bodies = Stream.generate(() -> pool).flatMap(List::stream).limit(events / load.eventsOfEach()).toList();
        try (consumer) {
            double perSecond = EVENTS_PER_SECOND * load.speed() / load.eventsOfEach();
            List<Body> first = pool.subList(0, (int) Math.min(pool.size(), WARM_UP_SECONDS * perSecond));
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
            double minutes = written.indexed().entrySet().stream().filter(shard -> shard.getKey().contains("#minute#"))
                    .mapToDouble(Map.Entry::getValue).sum();
            double ratio = written.units() / (2.0 * load.granularities().size() * minutes);
            rows.add(List.of(load.name(), consumer.name(), events / minutes, written.units() / events, ratio,
                    percent(written, "bucket", "index"), percent(written, "~lane"), percent(written, "~record"),
                    percent(written, "~slot", "~cut")));
            return ratio;
        }
    }

    private static double percent(Meter.Reading written, String... kinds) {
        return 100 * Stream.of(kinds).mapToDouble(kind -> written.unitsOf().getOrDefault(kind, 0.0)).sum() / written.units();
    }
}
