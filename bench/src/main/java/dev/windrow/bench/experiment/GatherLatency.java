package dev.windrow.bench.experiment;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.experiment.GatherStage.GatherBaselines;
import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** How long a gather takes and costs, against what one would write without the gatherer. */
final class GatherLatency implements Experiment {

    private static final List<Integer> WIDTHS = List.of(10, 100, 1_000);
    private static final int WARM_UP_SECONDS = 60;

    @Override
    public Found run(Lab lab) {
        List<Table> tables = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        List<Double> gatherer = new ArrayList<>();
        List<Double> floor = new ArrayList<>();
        try (GatherStage stage = GatherStage.ofWidths(lab, WIDTHS)) {
            for (int width : WIDTHS) {
                // Whatever the width, a round is long enough for the processor's clock, which ticks a hundred times a second.
                int gathers = lab.amount(width == 10 ? 1_000 : width == 100 ? 200 : 40);
                int few = Math.max(10, gathers / 4);
                try (GatherBaselines all = new GatherBaselines(lab, stage, width, gathers, few)) {
                    all.add(stage.way("gatherer /top", stage.top(width), gathers));
                    tables.add(measure(lab, all, width));
                    targets.addAll(targets(all, width));
                    gatherer.add(all.way(GatherBaselines.BUCKETS).cpu());
                    floor.add(all.way(GatherBaselines.FLOOR).cpu());
                }
            }
        }
        targets.add(Target.atMost("gather.growth", "CPU that a shard adds to /buckets over the floor, from 100 to 1,000 shards",
                (gatherer.get(2) - gatherer.get(1)) / (floor.get(2) - floor.get(1)), 1.5));
        return new Found(tables, targets);
    }

    private static Table measure(Lab lab, GatherBaselines all, int width) {
        all.ways().values().forEach(way -> way.warmUp(lab.seconds(WARM_UP_SECONDS)));
        for (int round = 0; round < lab.rounds(); round++) {
            lab.progress("%d shards, round %d", width, round);
            all.ways().values().forEach(way -> way.round(1));
        }
        List<String> columns = new ArrayList<>(List.of("way"));
        columns.addAll(GatherWay.COLUMNS);
        columns.add("median / bare");
        double bare = all.way(GatherBaselines.BARE).median();
        return new Table(width + " shards, " + width * GatherStage.itemsOfEach(width) + " buckets", columns,
                all.ways().values().stream().map(way -> Table.row(way.name(), way.cells(), way.median() / bare)).toList());
    }

    private static List<Target> targets(GatherBaselines all, int width) {
        String shards = ", " + width + " shards";
        GatherWay buckets = all.way(GatherBaselines.BUCKETS);
        GatherWay bare = all.way(GatherBaselines.BARE);
        List<Target> targets = new ArrayList<>(List.of(
                Target.atMost("gather.bare." + width, "median of /buckets over the bare fan-out" + shards,
                        buckets.median() / bare.median(), 1.1),
                Target.atMost("gather.bare.cpu." + width, "CPU per gather of /buckets over the bare fan-out" + shards,
                        buckets.cpu() / bare.cpu(), 0.75),
                Target.atMost("gather.floor." + width, "CPU per gather of /buckets over the floor" + shards,
                        buckets.cpu() / all.way(GatherBaselines.FLOOR).cpu(), 2.5)));
        if (all.ways().containsKey(GatherBaselines.TUNED)) {
            targets.add(Target.atLeast("gather.node.cpu." + width,
                    "CPU per gather of the tuned Node.js sample over /buckets" + shards,
                    all.way(GatherBaselines.TUNED).cpu() / buckets.cpu(), 5));
        }
        return targets;
    }
}
