package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.process.Child;

/** How long a gather takes and costs, against what one would write without the gatherer. */
final class GatherLatency implements Experiment {

    private static final List<Integer> WIDTHS = List.of(10, 100, 1_000);
    private static final int HEADLINE = 100;
    private static final int CONCURRENCY = 128;
    private static final int PUBLISHED_CONCURRENCY = 20;
    /** The compiler is at work on the gatherer for the first half of it. */
    private static final int WARM_UP_SECONDS = 20;
    /** The compiler is at work on a gather of many shards for longer. */
    private static final int HEADLINE_WARM_UP_SECONDS = 45;
    private static final String BUCKETS = "gatherer /buckets";
    private static final String BARE = "bare SDK fan-out";
    private static final String FLOOR = "floor";
    private static final String SEQUENTIAL = "sequential loop";
    private static final String TUNED = "Node.js sample, tuned";
    private static final String PUBLISHED = "Node.js sample, as published";

    @Override
    public String id() {
        return "gather";
    }

    @Override
    public Section run(Lab lab) {
        List<Table> tables = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        try (GatherStage stage = new GatherStage(lab, WIDTHS)) {
            for (int width : WIDTHS) {
                Map<String, GatherWay> ways = measure(lab, stage, width);
                tables.add(table(width, ways));
                if (width == HEADLINE) {
                    targets.addAll(targets(ways));
                }
            }
        }
        return new Section(id(), "Gatherer: latency and cost",
                """
                        A server in memory that answers each query after 4 ms; a page of up to 1,000 buckets. The gatherer is queried
                        over HTTP by one client, merges and renders JSON; the baselines gather in their own process. The floor does
                        only what is necessary: its own sockets, and each gather signs its requests, merges and renders, as the
                        gatherer does; nothing else. The other baselines neither merge nor render. The tuned Node.js sample has SDK 3 and
                        persistent connections, the one as published SDK 2 with a connection for each request and 20 queries at a
                        time; all others have the gatherer's own concurrency (128).
                        """,
                tables, targets);
    }

    private static Map<String, GatherWay> measure(Lab lab, GatherStage stage, int width) {
        List<Child> started = new ArrayList<>();
        Map<String, GatherWay> ways = new LinkedHashMap<>();
        int gathers = lab.amount(width == 1_000 ? 40 : 200);
        try {
            ways.put(BUCKETS, stage.way(BUCKETS, stage.buckets(width), gathers));
            ways.put("gatherer /top", stage.way("gatherer /top", stage.top(width), gathers));
            for (String name : List.of(BARE, FLOOR, SEQUENTIAL)) {
                int concurrency = name.equals(SEQUENTIAL) ? 1 : Math.min(CONCURRENCY, width);
                Child child = lab.baseline(name, name.equals(FLOOR) ? "Floor" : "FanOut",
                        stage.baselineArguments(width, concurrency));
                started.add(child);
                ways.put(name, GatherWay.baseline(child, concurrency == 1 ? Math.max(2, 400 / width) : gathers));
            }
            for (String name : List.of(TUNED, PUBLISHED)) {
                boolean tuned = name.equals(TUNED);
                Node.start(lab, name, tuned ? "tuned" : "published", stage.baselineArguments(width,
                        tuned ? Math.min(CONCURRENCY, width) : PUBLISHED_CONCURRENCY)).ifPresent(child -> {
                            started.add(child);
                            ways.put(name, GatherWay.baseline(child, Math.max(10, gathers / 4)));
                        });
            }
            Duration warmUp = Duration.ofSeconds(lab.amount(width == HEADLINE ? HEADLINE_WARM_UP_SECONDS : WARM_UP_SECONDS));
            ways.values().forEach(way -> way.warmUp(warmUp));
            for (int round = 0; round < lab.rounds(); round++) {
                lab.progress("%d shards, round %d", width, round);
                ways.values().forEach(GatherWay::round);
            }
        } finally {
            started.forEach(Child::close);
        }
        return ways;
    }

    private static Table table(int width, Map<String, GatherWay> ways) {
        double bare = way(ways, BARE).median();
        return new Table(width + " shards, " + width * GatherStage.itemsOfEach(width) + " buckets",
                List.of("way", "median ms", "p99 ms", "ms of CPU per gather", "median / bare"),
                ways.values().stream().map(way -> List.<Object> of(way.name(), way.median(), way.p99(), way.cpu(),
                        way.median() / bare)).toList());
    }

    private static List<Target> targets(Map<String, GatherWay> ways) {
        GatherWay buckets = way(ways, BUCKETS);
        List<Target> targets = new ArrayList<>();
        targets.add(Target.atMost("gather.bare", "median of /buckets over the bare fan-out, 100 shards",
                buckets.median() / way(ways, BARE).median(), 1.1));
        targets.add(Target.atMost("gather.bare.cpu", "CPU per gather of /buckets over the bare fan-out, 100 shards",
                buckets.cpu() / way(ways, BARE).cpu(), 0.75));
        targets.add(Target.atMost("gather.floor", "CPU per gather of /buckets over the floor, 100 shards",
                buckets.cpu() / way(ways, FLOOR).cpu(), 2.5));
        if (ways.containsKey(TUNED)) {
            targets.add(
                    Target.atLeast("gather.node.cpu", "CPU per gather of the tuned Node.js sample over /buckets, 100 shards",
                            way(ways, TUNED).cpu() / buckets.cpu(), 5));
        }
        return targets;
    }

    private static GatherWay way(Map<String, GatherWay> ways, String name) {
        return Objects.requireNonNull(ways.get(name), name);
    }
}
