package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import dev.windrow.bench.experiment.MeasuredConsumer.Round;
import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.stats.Numbers;

/** Processor time per event of the writer and of what one would write without it. */
final class WriterCost implements Experiment {

    static final int LABELS = 200;
    static final int BATCHED = 100;

    private static final String WRITER = "writer";
    private static final String IDLE = "receive and delete only";
    private static final String WINDOW = "windows of a second, at least once";
    private static final String BATCH = "aggregation of each receive, at least once";
    private static final String PLAIN = "one UpdateItem per event, at least once";

    /** A consumer and how many messages a round of it has, alone and batched. */
    private record Load(MeasuredConsumer consumer, int singles, int batches) {

        List<Body> bodies(List<Body> pool, int eventsOfEach) {
            return IntStream.range(0, eventsOfEach == 1 ? singles : batches).mapToObj(i -> pool.get(i % pool.size())).toList();
        }
    }

    /** What the rounds of one consumer measured, per event. */
    private record Cost(double micros, double units, List<Object> row) {
    }

    static String load(int eventsOfEach) {
        return eventsOfEach == 1 ? "1 event per message" : eventsOfEach + " events per message";
    }

    @Override
    public String id() {
        return "writer";
    }

    @Override
    public Section run(Lab lab) {
        List<Load> loads = start(lab);
        try {
            List<Table> tables = new ArrayList<>();
            List<Target> targets = new ArrayList<>();
            for (int eventsOfEach : new int[] { 1, BATCHED }) {
                Map<String, Cost> costs = measure(lab, loads, eventsOfEach);
                tables.add(new Table(load(eventsOfEach), List.of("consumer", "µs of CPU per event", "spread",
                        "kernel", "events per CPU second", "events/s", "upserts per event", "write units per event", "busier"),
                        costs.values().stream().map(Cost::row).toList()));
                targets.addAll(targets(costs, eventsOfEach));
            }
            return new Section(id(), "Writer: cost per event",
                    """
                            Every consumer has a queue of its own (200 referrers, one minute's buckets, width 10) and a table of its
                            own, both in memory; 4 pollers and 64 concurrent writes; all but the writer use the AWS SDK's asynchronous
                            clients with its CRT HTTP client, without checksums of message bodies. All have 512 MB of heap and the
                            garbage collector of the writer's image. The messages of a round were sent at 100,000 events a second. The
                            writer and the windows flush once a second, and the windows hold at most 40,000 messages. "Spread" is the middle
                            half of the rounds over their median; "kernel" is the share of the processor time. "Busier" says whose
                            CPU was used more while the round ran: the consumer's own process or the harness with the servers.
                            """,
                    tables, targets);
        } finally {
            loads.forEach(load -> load.consumer().close());
        }
    }

    private static List<Load> start(Lab lab) {
        List<Load> loads = new ArrayList<>();
        for (Service service : new Service[] { Service.WRITER, Service.NATIVE_WRITER }) {
            if (service.isThere(lab.root())) {
                loads.add(load(lab, MeasuredConsumer.writer(lab, service,
                        service == Service.WRITER ? WRITER : WRITER + " (native)", DatasetFile.clicks()), 100_000));
            }
        }
        loads.add(load(lab, MeasuredConsumer.baseline(lab, WINDOW, "window"), 100_000));
        loads.add(load(lab, MeasuredConsumer.baseline(lab, BATCH, "batch"), 40_000));
        loads.add(load(lab, MeasuredConsumer.baseline(lab, IDLE, "idle"), 100_000));
        loads.add(new Load(MeasuredConsumer.baseline(lab, PLAIN, "plain"), lab.amount(20_000), lab.amount(400)));
        return loads;
    }

    private static Load load(Lab lab, MeasuredConsumer consumer, int singles) {
        return new Load(consumer, lab.amount(singles), lab.amount(singles / 5));
    }

    private static Map<String, Cost> measure(Lab lab, List<Load> loads, int eventsOfEach) {
        List<Body> pool = Events.clicks(lab.random("writer" + eventsOfEach), LABELS)
                .messages(eventsOfEach == 1 ? 5_000 : 1_000, eventsOfEach);
        for (Load load : loads) {
            load.consumer().consumeFor(Duration.ofSeconds(lab.amount(eventsOfEach == 1 ? 30 : 15)),
                    load.bodies(pool, eventsOfEach), eventsOfEach);
        }
        Map<Load, List<Round>> rounds = new LinkedHashMap<>();
        for (int round = 0; round < lab.rounds(); round++) {
            for (Load load : loads) {
                lab.progress("%s, %s, round %d", load.consumer().name(), load(eventsOfEach), round);
                rounds.computeIfAbsent(load, key -> new ArrayList<>())
                        .add(load.consumer().consume(load.bodies(pool, eventsOfEach), eventsOfEach));
            }
        }
        Map<String, Cost> costs = new LinkedHashMap<>();
        rounds.forEach((load, all) -> costs.put(load.consumer().name(), cost(load.consumer().name(), all,
                eventsOfEach * (eventsOfEach == 1 ? load.singles() : load.batches()))));
        return costs;
    }

    private static Cost cost(String name, List<Round> rounds, int events) {
        List<Double> micros = rounds.stream().map(round -> micros(round.processor()) / events).toList();
        double median = Numbers.median(micros);
        double perSecond = Numbers.median(rounds.stream().map(round -> events * 1e6 / micros(round.wall())).toList());
        double upserts = Numbers.median(rounds.stream().map(round -> (double) round.table().upserts() / events).toList());
        double units = rounds.stream().mapToDouble(round -> round.table().units()).sum() / rounds.size() / events;
        double kernel = rounds.stream().mapToDouble(round -> micros(round.kernel())).sum();
        double own = rounds.stream().mapToDouble(round -> micros(round.processor())).sum();
        double harness = rounds.stream().mapToDouble(round -> micros(round.harness())).sum();
        return new Cost(median, units,
                List.of(name, median, percent(Numbers.spread(micros)), percent(kernel / own), 1e6 / median,
                        perSecond, upserts, units, own >= harness ? "consumer" : "servers"));
    }

    private static List<Target> targets(Map<String, Cost> costs, int eventsOfEach) {
        String load = ", " + load(eventsOfEach);
        Cost writer = cost(costs, WRITER);
        boolean single = eventsOfEach == 1;
        List<Target> targets = new ArrayList<>();
        if (!single) {
            targets.add(Target.atMost("writer.idle", "CPU of the writer over that of receive-and-delete" + load,
                    writer.micros() / cost(costs, IDLE).micros(), 1.5));
        }
        targets.add(Target.atLeast("writer.plain." + eventsOfEach, "events per CPU second over one UpdateItem per event" + load,
                cost(costs, PLAIN).micros() / writer.micros(), single ? 5.75 : 60));
        targets.add(
                Target.atMost("writer.window." + eventsOfEach, "CPU of the writer over that of windows at least once" + load,
                        writer.micros() / cost(costs, WINDOW).micros(), 1));
        targets.add(Target.atMost("writer.units." + eventsOfEach, "write units over windows at least once, backlog" + load,
                writer.units() / cost(costs, WINDOW).units(), single ? 2 : 1.2));
        return targets;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", 100 * share);
    }

    private static Cost cost(Map<String, Cost> costs, String name) {
        return Objects.requireNonNull(costs.get(name), name);
    }

    private static double micros(Duration duration) {
        return duration.toNanos() / 1e3;
    }
}
