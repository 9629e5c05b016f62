package dev.windrow.bench.experiment;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.experiment.GatherStage.GatherBaselines;
import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** Gathers per second by several clients, of the gatherer and of what one would write without it. */
final class GatherThroughput implements Experiment {

    private static final int WIDTH = 100;
    private static final List<Integer> CLIENTS = List.of(1, 16, 64);

    @Override
    public Found run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        // With each number of clients, in their order.
        List<GatherWay> gatherer = new ArrayList<>();
        int gathers = lab.amount(1_600);
        try (GatherStage stage = GatherStage.ofWidths(lab, List.of(WIDTH));
                GatherBaselines all = new GatherBaselines(lab, stage, WIDTH, gathers, lab.amount(640))) {
            all.ways().values().forEach(way -> way.warmUp(lab.seconds(60)));
            for (int clients : CLIENTS) {
                all.ways().values().forEach(way -> {
                    GatherWay load = GatherWay.of(way.name(), way.process(), way.gathers(), way.run()).round(clients);
                    rows.add(Table.row(load.name(), clients, load.perSecond(), load.cells(), load.harnessCpu()));
                    lab.progress("%s", rows.get(rows.size() - 1));
                    if (way.name().equals(GatherBaselines.BUCKETS)) {
                        gatherer.add(load);
                    }
                });
            }
        }
        List<String> columns = new ArrayList<>(List.of("way", "clients", "gathers/s"));
        columns.addAll(GatherWay.COLUMNS);
        columns.add("ms of harness's CPU per gather");
        GatherWay few = gatherer.get(1);
        GatherWay many = gatherer.get(2);
        return Found.of(columns, rows,
                List.of(Target.atMost("throughput.p99", "p99 of /buckets with 64 clients over 16", many.p99() / few.p99(), 3),
                        Target.atLeast("throughput.rate", "answers/s of /buckets with 64 clients over 16",
                                many.perSecond() / few.perSecond(), 0.95)));
    }
}
