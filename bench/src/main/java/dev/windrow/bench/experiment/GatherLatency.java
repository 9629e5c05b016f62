package dev.windrow.bench.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** How long a gather takes and costs, against what one would write without the gatherer. */
final class GatherLatency implements Experiment {

    private static final List<Integer> WIDTHS = List.of(10, 100, 1_000);
    private static final int WARM_UP_SECONDS = 40;

    @Override
    public String id() {
        return "gather";
    }

    @Override
    public Section run(Lab lab) {
        List<Table> tables = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        List<Double> gatherer = new ArrayList<>();
        List<Double> floor = new ArrayList<>();
        try (GatherStage stage = GatherStage.ofWidths(lab, WIDTHS)) {
            for (int width : WIDTHS) {
                int gathers = lab.amount(width == 1_000 ? 40 : 200);
                int few = Math.max(10, gathers / 4);
                try (GatherBaselines all = new GatherBaselines(lab, stage, width, gathers).alike(gathers, few).slow(few)) {
                    all.add(stage.way("gatherer /top", stage.top(width), gathers));
                    Map<String, Double> allocated = measure(lab, all, width);
                    tables.add(table(width, all, allocated));
                    targets.addAll(targets(all, width));
                    gatherer.add(all.way(GatherBaselines.BUCKETS).cpu());
                    floor.add(all.way(GatherBaselines.FLOOR).cpu());
                }
            }
        }
        targets.add(Target.atMost("gather.growth", "CPU that a shard adds to /buckets over the floor, from 100 to 1,000 shards",
                (gatherer.get(2) - gatherer.get(1)) / (floor.get(2) - floor.get(1)), 1.5));
        return Section.of(id(), tables, targets);
    }

    /** Returns the KB allocated per gather, by way. */
    private static Map<String, Double> measure(Lab lab, GatherBaselines all, int width) {
        all.ways().values().forEach(way -> way.warmUp(lab.seconds(WARM_UP_SECONDS)));
        Map<String, Double> allocated = new HashMap<>();
        for (int round = 0; round < lab.rounds(); round++) {
            lab.progress("%d shards, round %d", width, round);
            all.ways().values().forEach(way -> {
                double before = Allocation.kilobytes(way.process());
                way.round();
                allocated.merge(way.name(), (Allocation.kilobytes(way.process()) - before) / way.gathers() / lab.rounds(),
                        Double::sum);
            });
        }
        return allocated;
    }

    private static Table table(int width, GatherBaselines all, Map<String, Double> allocated) {
        double bare = all.way(GatherBaselines.BARE).median();
        return new Table(width + " shards, " + width * GatherStage.itemsOfEach(width) + " buckets",
                List.of("way", "median ms", "p99 ms", "ms of CPU per gather",
                        "KB allocated per gather", "median / bare"),
                all.ways().values().stream().map(way -> List.<Object> of(way.name(), way.median(), way.p99(), way.cpu(),
                        Allocation.cell(allocated.getOrDefault(way.name(), Double.NaN)), way.median() / bare)).toList());
    }

    private static List<Target> targets(GatherBaselines all, int width) {
        String shards = ", " + width + " shards";
        GatherWay buckets = all.way(GatherBaselines.BUCKETS);
        GatherWay bare = all.way(GatherBaselines.BARE);
        List<Target> targets = new ArrayList<>(List.of(
                Target.atMost("gather.bare", "median of /buckets over the bare fan-out" + shards,
                        buckets.median() / bare.median(), 1.1),
                Target.atMost("gather.bare.cpu", "CPU per gather of /buckets over the bare fan-out" + shards,
                        buckets.cpu() / bare.cpu(), 0.75),
                Target.atMost("gather.floor", "CPU per gather of /buckets over the floor" + shards,
                        buckets.cpu() / all.way(GatherBaselines.FLOOR).cpu(), 2.5)));
        if (all.ways().containsKey(GatherBaselines.TUNED)) {
            targets.add(
                    Target.atLeast("gather.node.cpu", "CPU per gather of the tuned Node.js sample over /buckets" + shards,
                            all.way(GatherBaselines.TUNED).cpu() / buckets.cpu(), 5));
        }
        return targets;
    }
}
