package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.queue.Body;
import dev.windrow.bench.stats.Numbers;
import dev.windrow.bench.wire.DynamoDbServer;

/** Processor time per event of the writer and of what one would write without it. */
final class WriterCost implements Experiment {

    private static final int LABELS = 200;
    private static final int BATCHED = 100;
    private static final String EXACTLY_ONCE = "writer, exactly once";
    private static final String AT_LEAST_ONCE = "writer, at least once";
    private static final String IDLE = "receive and delete only";
    private static final String PLAIN = "one UpdateItem per event, async SDK";
    private static final String SEQUENTIAL = "one UpdateItem per event, sync SDK in sequence";

    /** A consumer and how many messages a round of it has, alone and batched. */
    private record Load(Consumer consumer, int singles, int batches) {

        List<Body> bodies(List<Body> pool, int eventsOfEach) {
            int messages = eventsOfEach == 1 ? singles : batches;
            return IntStream.range(0, messages).mapToObj(i -> pool.get(i % pool.size())).toList();
        }
    }

    @Override
    public String id() {
        return "writer";
    }

    @Override
    public Section run(Lab lab) {
        List<Load> loads = start(lab);
        try {
            Map<String, List<Consumer.Round>> singles = rounds(lab, loads, 1);
            Map<String, List<Consumer.Round>> batches = rounds(lab, loads, BATCHED);
            return section(loads, singles, batches);
        } finally {
            loads.forEach(load -> load.consumer().close());
        }
    }

    private static List<Load> start(Lab lab) {
        List<Load> loads = new ArrayList<>();
        for (Service service : new Service[] { Service.WRITER, Service.NATIVE_WRITER }) {
            if (service.isThere(lab.root())) {
                String suffix = service == Service.WRITER ? "" : " (native)";
                loads.add(writer(lab, service, EXACTLY_ONCE + suffix, "exactly-once"));
                loads.add(writer(lab, service, AT_LEAST_ONCE + suffix, "at-least-once"));
            }
        }
        DynamoDbServer.Options unlimited = DynamoDbServer.Options.unlimited();
        loads.add(new Load(Consumer.baseline(lab, IDLE, "idle", unlimited), lab.amount(20_000), lab.amount(4_000)));
        loads.add(new Load(Consumer.baseline(lab, PLAIN, "plain", unlimited), lab.amount(6_000), lab.amount(60)));
        loads.add(new Load(Consumer.baseline(lab, SEQUENTIAL, "sequential", unlimited), lab.amount(2_000), lab.amount(20)));
        return loads;
    }

    private static Load writer(Lab lab, Service service, String name, String delivery) {
        return new Load(Consumer.writer(lab, service, name, DatasetFile.clicks(10, delivery),
                DynamoDbServer.Options.unlimited(), 1, List.of()), lab.amount(50_000), lab.amount(10_000));
    }

    private static Map<String, List<Consumer.Round>> rounds(Lab lab, List<Load> loads, int eventsOfEach) {
        List<Body> pool = Events.clicks(lab.random("writer" + eventsOfEach), LABELS)
                .messages(eventsOfEach == 1 ? 5_000 : 1_000, eventsOfEach);
        for (Load load : loads) {
            load.consumer().consumeFor(Duration.ofSeconds(lab.amount(eventsOfEach == 1 ? 40 : 15)),
                    load.bodies(pool, eventsOfEach), eventsOfEach);
        }
        Map<String, List<Consumer.Round>> rounds = new LinkedHashMap<>();
        for (int round = 0; round < lab.rounds(); round++) {
            for (Load load : loads) {
                rounds.computeIfAbsent(load.consumer().name(), name -> new ArrayList<>())
                        .add(round(lab, load, pool, eventsOfEach));
            }
        }
        return rounds;
    }

    private static Consumer.Round round(Lab lab, Load load, List<Body> pool, int eventsOfEach) {
        List<Body> bodies = load.bodies(pool, eventsOfEach);
        Consumer.Round measured = load.consumer().consume(bodies, eventsOfEach);
        lab.tell("%s, %d: %.1f s, %.2f µs of CPU per event", load.consumer().name(), eventsOfEach,
                measured.wall().toMillis() / 1e3, micros(measured.processor()) / bodies.size() / eventsOfEach);
        return measured;
    }

    private Section section(List<Load> loads, Map<String, List<Consumer.Round>> singles,
            Map<String, List<Consumer.Round>> batches) {
        Map<String, Double> single = new LinkedHashMap<>();
        Map<String, Double> batched = new LinkedHashMap<>();
        List<List<Object>> singleRows = new ArrayList<>();
        List<List<Object>> batchRows = new ArrayList<>();
        for (Load load : loads) {
            String name = load.consumer().name();
            single.put(name, row(singleRows, name, singles.getOrDefault(name, List.of()), load.singles()));
            batched.put(name, row(batchRows, name, batches.getOrDefault(name, List.of()), load.batches() * BATCHED));
        }
        List<String> columns = List.of("consumer", "µs of CPU per event", "spread", "events per CPU second", "events/s",
                "item writes per event", "write units per event", "busier");
        return new Section(id(), "Writer: cost per event", """
                Every consumer has a queue of its own (200 referrers, one minute's buckets, width 10) and a table of its own,
                both in memory; 4 pollers and 64 concurrent writes; all but the writer use the AWS SDK with its CRT client. All
                have 512 MB of heap and the garbage collector of the writer's image. The messages of a round were sent at
                100,000 events a second, and the dataset has 4 ledger slots a second, as it should for 400 to 500 messages a
                second and label. "Spread" is the middle half of the rounds over their median. "Busier" says whose CPU was used
                more while the round ran: the consumer's own process or the harness with the servers.
                """, List.of(new Table("One event per message", columns, singleRows),
                new Table("100 events per message", columns, batchRows)), List.of(),
                targets(single, batched, units(singles), units(batches)));
    }

    private static List<Target> targets(Map<String, Double> single, Map<String, Double> batched, double unitsSingle,
            double unitsBatched) {
        return List.of(
                Target.atMost("writer.idle", "CPU of the writer over that of receive-and-delete, 100 events per message",
                        ratio(batched, EXACTLY_ONCE, IDLE), 1.3),
                Target.atLeast("writer.plain.1", "events per CPU second over one UpdateItem per event, 1 event per message",
                        ratio(single, PLAIN, EXACTLY_ONCE), 4),
                Target.atLeast("writer.plain.100",
                        "events per CPU second over one UpdateItem per event, 100 events per message",
                        ratio(batched, PLAIN, EXACTLY_ONCE), 50),
                Target.atMost("writer.once.cpu.1", "CPU of exactly once over at least once, 1 event per message",
                        ratio(single, EXACTLY_ONCE, AT_LEAST_ONCE), 1.5),
                Target.atMost("writer.once.cpu.100", "CPU of exactly once over at least once, 100 events per message",
                        ratio(batched, EXACTLY_ONCE, AT_LEAST_ONCE), 1.5),
                Target.atMost("writer.once.units.1",
                        "write units of exactly once over at least once, backlog, 1 event per message",
                        unitsSingle, 3),
                Target.atMost("writer.once.units.100",
                        "write units of exactly once over at least once, backlog, 100 events per message", unitsBatched, 3));
    }

    private static double ratio(Map<String, Double> micros, String of, String to) {
        return micros.getOrDefault(of, Double.NaN) / micros.getOrDefault(to, Double.NaN);
    }

    /** Write units of exactly once over those of at least once. */
    private static double units(Map<String, List<Consumer.Round>> rounds) {
        return unitsOf(rounds.getOrDefault(EXACTLY_ONCE, List.of())) / unitsOf(rounds.getOrDefault(AT_LEAST_ONCE, List.of()));
    }

    private static double unitsOf(List<Consumer.Round> rounds) {
        return rounds.stream().mapToDouble(round -> round.table().tableUnits() + round.table().indexUnits()).sum();
    }

    private static double row(List<List<Object>> rows, String name, List<Consumer.Round> rounds, int events) {
        List<Double> micros = rounds.stream().map(round -> micros(round.processor()) / events).toList();
        double median = Numbers.median(micros);
        double perSecond = Numbers.median(rounds.stream().map(round -> events * 1e6 / micros(round.wall())).toList());
        double writes = Numbers.median(rounds.stream().map(round -> (double) round.table().indexedWrites() / events).toList());
        double own = rounds.stream().mapToDouble(round -> micros(round.processor())).sum();
        double harness = rounds.stream().mapToDouble(round -> micros(round.harness())).sum();
        rows.add(List.of(name, median, String.format(Locale.ROOT, "%.0f%%", 100 * Numbers.spread(micros)), 1e6 / median,
                perSecond,
                writes, unitsOf(rounds) / rounds.size() / events, own >= harness ? "consumer" : "servers"));
        return median;
    }

    private static double micros(Duration duration) {
        return duration.toNanos() / 1e3;
    }
}
