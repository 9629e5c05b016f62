package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Target;

/** What one slow shard in each answer costs, with hedged reads and without. */
final class GatherHedging implements Experiment {

    private static final int WIDTH = 100;
    private static final int TIMES_SLOWER = 20;
    private static final Duration NORMAL = Duration.ofMillis(20);

    @Override
    public Found run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        double normal = row(rows, lab, "all shards alike", true, () -> NORMAL);
        row(rows, lab, "one of 100 reads slow, no hedged reads", false, oneInAHundredIsSlow());
        double hedged = row(rows, lab, "one of 100 reads slow, hedged reads", true, oneInAHundredIsSlow());
        return Found.of(List.of("load", "median ms", "p99 ms", "queries per answer"), rows,
                List.of(Target.atMost("hedging", "p99 with a slow shard and hedged reads over p99 with all shards alike",
                        hedged / normal, 2)));
    }

    /** Counted, not drawn: each answer has just one, and it is another shard's with each answer, as hedges shift the count. */
    private static Supplier<Duration> oneInAHundredIsSlow() {
        AtomicLong reads = new AtomicLong();
        return () -> reads.incrementAndGet() % WIDTH == 0 ? NORMAL.multipliedBy(TIMES_SLOWER) : NORMAL;
    }

    private static double row(List<List<Object>> rows, Lab lab, String load, boolean hedging, Supplier<Duration> latency) {
        try (GatherStage stage = GatherStage.ofWidth(lab, WIDTH,
                "-Dwindrow.gather.fanout.hedging.enabled=" + hedging)) {
            GatherWay way = stage.way(load, stage.buckets(WIDTH), lab.amount(300));
            stage.dynamoDb().setLatency(() -> NORMAL);
            way.warmUp(lab.seconds(20));
            stage.dynamoDb().setLatency(latency);
            double before = queries(stage);
            way.round(1);
            rows.add(List.of(load, way.median(), way.p99(), (queries(stage) - before) / way.gathers()));
            return way.p99();
        }
    }

    private static double queries(GatherStage stage) {
        return stage.dynamoDb().meter().read().requests("Query");
    }
}
