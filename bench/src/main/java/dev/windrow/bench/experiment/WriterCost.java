package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.windrow.bench.page.Found;
import dev.windrow.bench.page.Target;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.QueuedBody;

/** Processor time per event, for the writer and for the consumers one would write without it. */
final class WriterCost implements Experiment {

    /** Processor time: after half of it, the JIT compiler still takes a seventh of the time that a JVM service uses. */
    private static final int WARM_UP_SECONDS = 10;
    private static final int WARM_UPS = 6;
    private static final String WRITER = "writer";
    private static final String IDLE = "receive and delete only";
    private static final String WINDOW = "windows of a second, at least once";
    private static final String PLAIN = "one UpdateItem per event, at least once";
    private static final List<String> COLUMNS = List.of("consumer", "load", "µs of CPU per event", "events/s",
            "write units per event");

    /** A consumer, with the number of messages per round, for single events and for batches. */
    private record Load(MeasuredConsumer consumer, int singles, int batches) {

        int messages(int eventsOfEach) {
            return eventsOfEach == 1 ? singles : batches;
        }

        List<QueuedBody> bodies(List<QueuedBody> pool, int eventsOfEach) {
            return IntStream.range(0, messages(eventsOfEach)).mapToObj(i -> pool.get(i % pool.size())).toList();
        }
    }

    /** Result of a consumer's rounds: microseconds of processor time and write units per event, and events per second. */
    private record Cost(double micros, double units, double rate) {

        static Cost of(List<Round> rounds, int events) {
            return new Cost(Lab.median(rounds.stream().map(round -> round.usage().processorMillis() * 1e3 / events).toList()),
                    rounds.stream().mapToDouble(round -> round.table().writeUnits()).sum() / ((double) events * rounds.size()),
                    Lab.median(rounds.stream().map(round -> events * 1e9 / round.usage().wall().toNanos()).toList()));
        }
    }

    static String load(int eventsOfEach) {
        return eventsOfEach == 1 ? "1 event per message" : eventsOfEach + " events per message";
    }

    @Override
    public Found run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        List<Load> loads = List.of(
                load(lab, MeasuredConsumer.writers(lab, WRITER, List.of("minute"), table(lab), List.of(), 1)),
                load(lab, baseline(lab, WINDOW, "window")), load(lab, baseline(lab, IDLE, "idle")),
                new Load(baseline(lab, PLAIN, "plain"), lab.amount(20_000), lab.amount(400)));
        try {
            for (int eventsOfEach : new int[] { 1, Events.BATCHED }) {
                Map<String, Cost> costs = measure(lab, loads, eventsOfEach);
                costs.forEach((name, cost) -> rows.add(List.of(name, load(eventsOfEach), cost.micros(), cost.rate(),
                        cost.units())));
                targets.addAll(targets(costs, eventsOfEach));
            }
        } finally {
            loads.forEach(load -> load.consumer().close());
        }
        return new Found(COLUMNS, rows, targets);
    }

    private static DynamoDbServer table(Lab lab) {
        DynamoDbServer table = new DynamoDbServer(lab.vertx());
        table.setLatency(lab.tableLatency());
        return table;
    }

    private static MeasuredConsumer baseline(Lab lab, String name, String kind) {
        return MeasuredConsumer.baseline(lab, name, kind, table(lab), List.of("minute"), Duration.ofSeconds(1));
    }

    /** Rounds of more than 5 s, as in a backlog the writer writes a bucket that often. */
    private static Load load(Lab lab, MeasuredConsumer consumer) {
        return new Load(consumer, lab.amount(300_000), lab.amount(60_000));
    }

    private static Map<String, Cost> measure(Lab lab, List<Load> loads, int eventsOfEach) {
        List<QueuedBody> pool = Events.clicks(lab.random("writer" + eventsOfEach), Events.LABELS)
                .messages(eventsOfEach == 1 ? 5_000 : 1_000, eventsOfEach);
        Lab.inTurn(WARM_UPS, loads, load -> load.consumer().consumeFor(lab.seconds(WARM_UP_SECONDS),
                load.bodies(pool, eventsOfEach), eventsOfEach));
        Map<Load, List<Round>> rounds = new LinkedHashMap<>();
        Lab.inTurn(lab.rounds(), loads, load -> {
            lab.progress("%s, %s", load.consumer().name(), load(eventsOfEach));
            rounds.computeIfAbsent(load, key -> new ArrayList<>())
                    .add(load.consumer().consume(load.bodies(pool, eventsOfEach), eventsOfEach));
        });
        Map<String, Cost> costs = new LinkedHashMap<>();
        loads.forEach(load -> costs.put(load.consumer().name(),
                Cost.of(Lab.named(rounds, load), eventsOfEach * load.messages(eventsOfEach))));
        return costs;
    }

    private static List<Target> targets(Map<String, Cost> costs, int eventsOfEach) {
        String load = ", " + load(eventsOfEach);
        Cost writer = Lab.named(costs, WRITER);
        boolean single = eventsOfEach == 1;
        List<Target> targets = new ArrayList<>(List.of(
                Target.atLeast("writer.plain." + eventsOfEach, "events per CPU second over one UpdateItem per event" + load,
                        Lab.named(costs, PLAIN).micros() / writer.micros(), single ? 5.75 : 60),
                Target.atMost("writer.window." + eventsOfEach, "CPU of the writer over that of windows at least once" + load,
                        writer.micros() / Lab.named(costs, WINDOW).micros(), 1),
                Target.atMost("writer.units." + eventsOfEach, "write units over windows at least once, backlog" + load,
                        writer.units() / Lab.named(costs, WINDOW).units(), single ? 2 : 1.2)));
        if (!single) {
            targets.add(0, Target.atMost("writer.idle", "CPU of the writer over that of receive-and-delete" + load,
                    writer.micros() / Lab.named(costs, IDLE).micros(), 1.5));
        }
        return targets;
    }
}
