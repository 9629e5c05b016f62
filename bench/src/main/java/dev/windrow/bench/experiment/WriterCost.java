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
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.stats.Numbers;

/** Processor time per event of the writer and of what one would write without it. */
final class WriterCost implements Experiment {

    static final int LABELS = 200;
    static final int BATCHED = 100;

    private static final String EXACTLY_ONCE = "writer, exactly once";
    private static final String AT_LEAST_ONCE = "writer, at least once";
    private static final String IDLE = "receive and delete only";
    private static final String PLAIN = "one UpdateItem per event, async SDK";

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
                        "events per CPU second", "events/s", "upserts per event", "write units per event", "busier"),
                        costs.values().stream().map(Cost::row).toList()));
                targets.addAll(targets(costs, eventsOfEach));
            }
            return new Section(id(), "Writer: cost per event", """
                    Every consumer has a queue of its own (200 referrers, one minute's buckets, width 10) and a table of its
                    own, both in memory; 4 pollers and 64 concurrent writes; all but the writer use the AWS SDK with its CRT
                    client. All have 512 MB of heap and the garbage collector of the writer's image. The messages of a round
                    were sent at 100,000 events a second, and the dataset has 4 ledger slots a second, as it should for 400 to
                    500 messages a second and label. "Spread" is the middle half of the rounds over their median. "Busier" says
                    whose CPU was used more while the round ran: the consumer's own process or the harness with the servers.
                    """, tables, targets);
        } finally {
            loads.forEach(load -> load.consumer().close());
        }
    }

    private static List<Load> start(Lab lab) {
        List<Load> loads = new ArrayList<>();
        for (Service service : new Service[] { Service.WRITER, Service.NATIVE_WRITER }) {
            if (service.isThere(lab.root())) {
                String suffix = service == Service.WRITER ? "" : " (native)";
                loads.add(writer(lab, service, EXACTLY_ONCE + suffix, DatasetFile.EXACTLY_ONCE));
                loads.add(writer(lab, service, AT_LEAST_ONCE + suffix, DatasetFile.AT_LEAST_ONCE));
            }
        }
        loads.add(new Load(MeasuredConsumer.baseline(lab, IDLE, "idle", DynamoDbServer.start(lab.vertx())),
                lab.amount(20_000), lab.amount(4_000)));
        loads.add(new Load(MeasuredConsumer.baseline(lab, PLAIN, "plain", DynamoDbServer.start(lab.vertx())),
                lab.amount(6_000), lab.amount(60)));
        return loads;
    }

    private static Load writer(Lab lab, Service service, String name, String delivery) {
        return new Load(MeasuredConsumer.writer(lab, service, name, DatasetFile.clicks(delivery)), lab.amount(50_000),
                lab.amount(10_000));
    }

    private static Map<String, Cost> measure(Lab lab, List<Load> loads, int eventsOfEach) {
        List<Body> pool = Events.clicks(lab.random("writer" + eventsOfEach), LABELS)
                .messages(eventsOfEach == 1 ? 5_000 : 1_000, eventsOfEach);
        for (Load load : loads) {
            load.consumer().consumeFor(Duration.ofSeconds(lab.amount(eventsOfEach == 1 ? 40 : 15)),
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
        double own = rounds.stream().mapToDouble(round -> micros(round.processor())).sum();
        double harness = rounds.stream().mapToDouble(round -> micros(round.harness())).sum();
        return new Cost(median, units, List.of(name, median, String.format(Locale.ROOT, "%.0f%%", 100 * Numbers.spread(micros)),
                1e6 / median, perSecond, upserts, units, own >= harness ? "consumer" : "servers"));
    }

    private static List<Target> targets(Map<String, Cost> costs, int eventsOfEach) {
        String load = ", " + load(eventsOfEach);
        Cost writer = cost(costs, EXACTLY_ONCE);
        Cost atLeastOnce = cost(costs, AT_LEAST_ONCE);
        List<Target> targets = new ArrayList<>();
        if (eventsOfEach > 1) {
            targets.add(Target.atMost("writer.idle", "CPU of the writer over that of receive-and-delete" + load,
                    writer.micros() / cost(costs, IDLE).micros(), 1.3));
        }
        targets.add(Target.atLeast("writer.plain." + eventsOfEach, "events per CPU second over one UpdateItem per event" + load,
                cost(costs, PLAIN).micros() / writer.micros(), eventsOfEach == 1 ? 4 : 50));
        targets.add(Target.atMost("writer.once.cpu." + eventsOfEach, "CPU of exactly once over at least once" + load,
                writer.micros() / atLeastOnce.micros(), 1.5));
        targets.add(Target.atMost("writer.once.units." + eventsOfEach,
                "write units of exactly once over at least once, backlog" + load, writer.units() / atLeastOnce.units(), 3));
        return targets;
    }

    private static Cost cost(Map<String, Cost> costs, String name) {
        return Objects.requireNonNull(costs.get(name), name);
    }

    private static double micros(Duration duration) {
        return duration.toNanos() / 1e3;
    }
}
