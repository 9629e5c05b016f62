package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import dev.windrow.bench.experiment.MeasuredConsumer.Round;
import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.SqsServer.MemoryQueue.Body;

/** Processor time per event of the writer and of what one would write without it. */
final class WriterCost implements Experiment {

    /** Of processor time: after half of it, the compiler still takes a seventh of what a service on the JVM uses. */
    private static final int WARM_UP_SECONDS = 60;
    private static final String WRITER = "writer";
    private static final String FORM = "writer, by a form";
    private static final String CONDITIONS = "writer, with three conditional counts";
    private static final String IDLE = "receive and delete only";
    private static final String WINDOW = "windows of a second, at least once";
    private static final String PLAIN = "one UpdateItem per event, at least once";
    private static final List<String> COLUMNS = List.of("consumer", "µs of CPU per event", "spread, %", "kernel, %",
            "garbage collector, %", "KB allocated per event", "events per CPU second", "events/s", "upserts per event",
            "write units per event", "busier");

    /** A consumer and how many messages a round of it has, alone and batched. */
    private record Load(MeasuredConsumer consumer, int singles, int batches) {

        int messages(int eventsOfEach) {
            return eventsOfEach == 1 ? singles : batches;
        }

        List<Body> bodies(List<Body> pool, int eventsOfEach) {
            return IntStream.range(0, messages(eventsOfEach)).mapToObj(i -> pool.get(i % pool.size())).toList();
        }
    }

    /** What the rounds of one consumer measured, per event. */
    private record Cost(double micros, double units, List<Object> row) {

        static Cost of(String name, List<Round> rounds, int events) {
            List<Double> micros = rounds.stream().map(round -> round.usage().processor().millis() * 1e3 / events).toList();
            double median = Numbers.median(micros);
            double all = (double) events * rounds.size();
            double units = rounds.stream().mapToDouble(round -> round.table().units()).sum() / all;
            Usage used = Usage.sum(rounds.stream().map(Round::usage).toList());
            return new Cost(median, units, Table.row(name, median, 100 * Numbers.spread(micros), used.shares(all), 1e6 / median,
                    Numbers.median(rounds.stream().map(round -> events * 1e9 / round.usage().wall().toNanos()).toList()),
                    rounds.stream().mapToDouble(round -> round.table().upserts()).sum() / all, units,
                    used.processor().millis() >= used.harness().millis() ? "consumer" : "servers"));
        }
    }

    static String load(int eventsOfEach) {
        return eventsOfEach == 1 ? "1 event per message" : eventsOfEach + " events per message";
    }

    @Override
    public Found run(Lab lab) {
        List<Table> tables = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        List<Load> loads = List.of(
                load(lab, MeasuredConsumer.writers(lab, WRITER, DatasetFile.clicks(), table(lab), List.of(), 1)),
                load(lab, MeasuredConsumer.writers(lab, FORM, DatasetFile.clicks().readByForm(), table(lab), List.of(), 1)),
                load(lab, MeasuredConsumer.writers(lab, CONDITIONS, DatasetFile.clicksByCondition(), table(lab), List.of(), 1)),
                load(lab, baseline(lab, WINDOW, "window")), load(lab, baseline(lab, IDLE, "idle")),
                new Load(baseline(lab, PLAIN, "plain"), lab.amount(20_000), lab.amount(400)));
        try {
            for (int eventsOfEach : new int[] { 1, Events.BATCHED }) {
                Map<String, Cost> costs = measure(lab, loads, eventsOfEach, lab.seconds(WARM_UP_SECONDS));
                tables.add(new Table(load(eventsOfEach), COLUMNS, costs.values().stream().map(Cost::row).toList()));
                targets.addAll(targets(costs, eventsOfEach));
            }
        } finally {
            loads.forEach(load -> load.consumer().close());
        }
        return new Found(tables, targets);
    }

    private static DynamoDbServer table(Lab lab) {
        DynamoDbServer table = new DynamoDbServer(lab.vertx());
        table.setLatency(lab.tableLatency());
        return table;
    }

    private static MeasuredConsumer baseline(Lab lab, String name, String kind) {
        return MeasuredConsumer.baseline(lab, name, kind, table(lab), List.of("minute"), Duration.ofSeconds(1));
    }

    private static Load load(Lab lab, MeasuredConsumer consumer) {
        return new Load(consumer, lab.amount(100_000), lab.amount(20_000));
    }

    private static Map<String, Cost> measure(Lab lab, List<Load> loads, int eventsOfEach, Duration warmUp) {
        List<Body> pool = Events.clicks(lab.random("writer" + eventsOfEach))
                .messages(eventsOfEach == 1 ? 5_000 : 1_000, eventsOfEach);
        loads.forEach(load -> load.consumer().consumeFor(warmUp, load.bodies(pool, eventsOfEach), eventsOfEach));
        Map<Load, List<Round>> rounds = new LinkedHashMap<>();
        for (int round = 0; round < lab.rounds(); round++) {
            for (Load load : loads) {
                lab.progress("%s, %s, round %d", load.consumer().name(), load(eventsOfEach), round);
                rounds.computeIfAbsent(load, key -> new ArrayList<>())
                        .add(load.consumer().consume(load.bodies(pool, eventsOfEach), eventsOfEach));
            }
        }
        Map<String, Cost> costs = new LinkedHashMap<>();
        rounds.forEach((load, all) -> costs.put(load.consumer().name(),
                Cost.of(load.consumer().name(), all, eventsOfEach * load.messages(eventsOfEach))));
        return costs;
    }

    private static List<Target> targets(Map<String, Cost> costs, int eventsOfEach) {
        String load = ", " + load(eventsOfEach);
        Cost writer = cost(costs, WRITER);
        boolean single = eventsOfEach == 1;
        List<Target> targets = new ArrayList<>(List.of(
                Target.atLeast("writer.plain." + eventsOfEach, "events per CPU second over one UpdateItem per event" + load,
                        cost(costs, PLAIN).micros() / writer.micros(), single ? 5.75 : 60),
                Target.atMost("writer.window." + eventsOfEach, "CPU of the writer over that of windows at least once" + load,
                        writer.micros() / cost(costs, WINDOW).micros(), 1),
                Target.atMost("writer.units." + eventsOfEach, "write units over windows at least once, backlog" + load,
                        writer.units() / cost(costs, WINDOW).units(), single ? 2 : 1.2)));
        if (!single) {
            targets.add(Target.atMost("writer.form", "CPU of the writer with a form over that without" + load,
                    cost(costs, FORM).micros() / writer.micros(), 2));
            targets.add(Target.atMost("writer.conditions",
                    "CPU of the writer with three conditional counts over that without" + load,
                    cost(costs, CONDITIONS).micros() / writer.micros(), 1.1));
            targets.add(0, Target.atMost("writer.idle", "CPU of the writer over that of receive-and-delete" + load,
                    writer.micros() / cost(costs, IDLE).micros(), 1.5));
        }
        return targets;
    }

    private static Cost cost(Map<String, Cost> costs, String name) {
        return Objects.requireNonNull(costs.get(name), name);
    }
}
