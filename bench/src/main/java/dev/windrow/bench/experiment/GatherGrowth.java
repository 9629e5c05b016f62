package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Line;
import dev.windrow.bench.page.Section.Plot;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.stats.Numbers;

/** The gatherer's cost against shards. */
final class GatherGrowth implements Experiment {

    private static final List<Integer> WIDTHS = List.of(1, 10, 100, 1_000);
    private static final int ROUNDS = 5;

    @Override
    public String id() {
        return "gather-growth";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        Line line = new Line("/buckets", new ArrayList<>(), new ArrayList<>());
        try (GatherStage stage = new GatherStage(lab, Service.GATHERER, WIDTHS)) {
            for (int width : WIDTHS) {
                int gathers = lab.amount(width == 1_000 ? 50 : 300);
                GatherWay way = stage.way("/buckets", stage.buckets(width), gathers);
                way.warmUp(Duration.ofSeconds(lab.amount(20)));
                long queries = stage.queries();
                for (int round = 0; round < ROUNDS; round++) {
                    way.round(true);
                }
                rows.add(List.of(width, way.cpu(), way.median(), (stage.queries() - queries) / (ROUNDS * (double) gathers)));
                line.x().add((double) width);
                line.y().add(way.cpu());
            }
        }
        rows.add(List.of("exponent", Numbers.exponent(line.x().stream().mapToDouble(Double::doubleValue).toArray(),
                line.y().stream().mapToDouble(Double::doubleValue).toArray()), "", ""));
        return new Section(id(), "Growth: the gatherer", """
                `/buckets` with up to ten buckets a shard, at most 1,000 in all; one client.
                """, List.of(new Table("", List.of("shards", "ms of CPU per gather", "median ms", "queries per gather"), rows)),
                List.of(new Plot("gather-growth", "CPU of the gatherer", "shards", "ms of CPU per gather", List.of(line))),
                List.of());
    }
}
