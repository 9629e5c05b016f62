package dev.windrow.bench.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** Gathers per second by several clients, of the gatherer and of what one would write without it. */
final class GatherThroughput implements Experiment {

    private static final int WIDTH = 100;
    private static final List<Integer> CLIENTS = List.of(1, 16, 64);

    /** What so many clients measured. */
    private record Load(double perSecond, double p99) {
    }

    @Override
    public String id() {
        return "throughput";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        Map<Integer, Load> gatherer = new TreeMap<>();
        try (GatherStage stage = GatherStage.ofWidths(lab, List.of(WIDTH));
                GatherBaselines all = new GatherBaselines(lab, stage, WIDTH, lab.amount(1_600)).alike(lab.amount(1_600),
                        lab.amount(640))) {
            all.ways().values().forEach(way -> way.warmUp(lab.seconds(30)));
            for (int clients : CLIENTS) {
                all.ways().values().forEach(way -> {
                    Load load = load(rows, way, clients);
                    lab.progress("%s", rows.get(rows.size() - 1));
                    if (way.name().equals(GatherBaselines.BUCKETS)) {
                        gatherer.put(clients, load);
                    }
                });
            }
        }
        Load few = gatherer.getOrDefault(16, new Load(0, 0));
        Load many = gatherer.getOrDefault(64, few);
        return Section.of(id(), List.of(new Table("", List.of("way", "clients", "gathers/s", "median ms", "p99 ms",
                "ms of CPU per gather", "kernel, %", "garbage collector, %", "ms of harness's CPU per gather"), rows)),
                List.of(Target.atMost("throughput.p99", "p99 of /buckets with 64 clients over 16", many.p99() / few.p99(), 3),
                        Target.atLeast("throughput.rate", "answers/s of /buckets with 64 clients over 16",
                                many.perSecond() / few.perSecond(), 0.95)));
    }

    private static Load load(List<List<Object>> rows, GatherWay way, int clients) {
        ProcessorTime before = way.process().processorTime();
        ProcessorTime harness = ProcessorTime.own();
        long start = System.nanoTime();
        List<Double> micros = way.run().micros(way.gathers(), clients);
        double perSecond = micros.size() * 1e9 / (System.nanoTime() - start);
        ProcessorTime used = way.process().processorTime().minus(before);
        double p99 = Numbers.percentile(micros, 99) / 1e3;
        rows.add(List.of(way.name(), clients, perSecond, Numbers.median(micros) / 1e3, p99, used.millis() / micros.size(),
                100.0 * used.kernel().toNanos() / used.total().toNanos(),
                100.0 * used.collector().toNanos() / used.total().toNanos(),
                ProcessorTime.own().minus(harness).millis() / micros.size()));
        return new Load(perSecond, p99);
    }
}
