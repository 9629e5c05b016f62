package dev.windrow.bench.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.bench.page.Found;
import dev.windrow.bench.page.Target;

/** Latency and cost of gathers with one client and several, for the gatherer and for what one would write without it. */
final class Gather implements Experiment {

    private static final int WARM_UP_SECONDS = 10;
    private static final int WARM_UPS = 6;
    private static final List<String> COLUMNS = List.of("way", "load", "median ms", "p99 ms", "ms of CPU per gather",
            "gathers/s");
    private static final String BUCKETS = "gatherer /buckets";
    private static final String BARE = "bare SDK fan-out";
    private static final String FLOOR = "floor";
    private static final String TUNED = "Node.js sample, tuned";

    @Override
    public Found run(Lab lab) {
        Map<String, GatherWay> ways = new LinkedHashMap<>();
        try (GatherStage stage = GatherStage.ofClicks(lab)) {
            List<String> arguments = stage.baselineArguments();
            ways.put(BUCKETS, stage.way(BUCKETS, GatherStage.buckets()));
            ways.put(BARE, GatherWay.baseline(lab.baseline(BARE, "FanOut", arguments)));
            ways.put(FLOOR, GatherWay.baseline(lab.baseline(FLOOR, "Floor", arguments)));
            Node.start(lab, TUNED, arguments).ifPresent(child -> ways.put(TUNED, GatherWay.baseline(child)));
            List<List<Object>> rows = new ArrayList<>();
            List<Target> targets = new ArrayList<>();
            single(lab, ways, rows, targets);
            several(lab, ways, rows, targets);
            return new Found(COLUMNS, rows, targets);
        } finally {
            ways.values().forEach(way -> way.process().close());
        }
    }

    private static void single(Lab lab, Map<String, GatherWay> ways, List<List<Object>> rows, List<Target> targets) {
        List<GatherWay> all = List.copyOf(ways.values());
        Lab.inTurn(WARM_UPS, all, way -> way.warmUp(lab.seconds(WARM_UP_SECONDS), lab.amount(200)));
        // The Node.js sample takes several times as long.
        Lab.inTurn(lab.rounds(), all, way -> way.round(lab.amount(way.name().equals(TUNED) ? 50 : 200), 1));
        ways.values().forEach(way -> rows.add(row(way, 1)));
        GatherWay buckets = Lab.named(ways, BUCKETS);
        targets.add(Target.atMost("gather.bare", "median of /buckets over the bare fan-out, 100 shards",
                buckets.median() / Lab.named(ways, BARE).median(), 1.1));
        targets.add(Target.atMost("gather.bare.cpu", "CPU per gather of /buckets over the bare fan-out, 100 shards",
                buckets.cpu() / Lab.named(ways, BARE).cpu(), 0.75));
        targets.add(Target.atMost("gather.floor", "CPU per gather of /buckets over the floor, 100 shards",
                buckets.cpu() / Lab.named(ways, FLOOR).cpu(), 2.5));
        if (ways.containsKey(TUNED)) {
            targets.add(Target.atLeast("gather.node.cpu",
                    "CPU per gather of the tuned Node.js sample over /buckets, 100 shards",
                    Lab.named(ways, TUNED).cpu() / buckets.cpu(), 5));
        }
    }

    private static void several(Lab lab, Map<String, GatherWay> ways, List<List<Object>> rows, List<Target> targets) {
        List<GatherWay> gatherer = new ArrayList<>();
        for (int clients : List.of(16, 64)) {
            for (GatherWay way : ways.values()) {
                GatherWay measured = way.again().round(lab.amount(way.name().equals(TUNED) ? 640 : 1_600), clients);
                rows.add(row(measured, clients));
                lab.progress("%s", rows.get(rows.size() - 1));
                if (way.name().equals(BUCKETS)) {
                    gatherer.add(measured);
                }
            }
        }
        targets.add(Target.atMost("throughput.p99", "p99 of /buckets with 64 clients over 16",
                gatherer.get(1).p99() / gatherer.get(0).p99(), 3));
        targets.add(Target.atLeast("throughput.rate", "answers/s of /buckets with 64 clients over 16",
                gatherer.get(1).perSecond() / gatherer.get(0).perSecond(), 0.95));
    }

    private static List<Object> row(GatherWay way, int clients) {
        return List.of(way.name(), clients == 1 ? "1 client" : clients + " clients", way.median(), way.p99(), way.cpu(),
                way.perSecond());
    }
}
