package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Line;
import dev.windrow.bench.page.Section.Plot;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.process.Child;

/** How long a gather takes and costs, against what one would write without the gatherer. */
final class GatherLatency implements Experiment {

    private static final List<Integer> WIDTHS = List.of(10, 100, 1_000);
    private static final int HEADLINE = 100;
    private static final int CONCURRENCY = 128;
    private static final int SAMPLE_CONCURRENCY = 20;
    /** The compiler is at work on the gatherer for the first half of it. */
    private static final int WARM_UP_SECONDS = 20;
    /** The compiler is at work on a gather of many shards for longer. */
    private static final int HEADLINE_WARM_UP_SECONDS = 45;
    private static final String BUCKETS = "gatherer /buckets";
    private static final String TOP = "gatherer /top";
    private static final String BARE = "bare SDK fan-out";
    private static final String NODE = "Node.js sample";
    private static final String FLOOR = "floor, by hand";

    @Override
    public String id() {
        return "gather";
    }

    @Override
    public Section run(Lab lab) {
        List<Table> tables = new ArrayList<>();
        Map<String, Line> lines = new LinkedHashMap<>();
        List<Target> targets = new ArrayList<>();
        try (GatherStage stage = new GatherStage(lab, Service.GATHERER, WIDTHS)) {
            for (int width : WIDTHS) {
                Map<String, GatherWay> ways = measure(lab, stage, width);
                tables.add(table(width, ways));
                ways.forEach((name, way) -> {
                    Line line = lines.computeIfAbsent(name, key -> new Line(key, new ArrayList<>(), new ArrayList<>()));
                    line.x().add((double) width);
                    line.y().add(way.median());
                });
                if (width == HEADLINE) {
                    targets.addAll(targets(ways));
                }
            }
        }
        return new Section(id(), "Gatherer: latency and cost", """
                A server in memory that answers each query after 4 ms; a page of up to 1,000 buckets. The gatherer is asked
                over HTTP, one client, and merges and renders JSON; the baselines gather in their own process and do
                neither. The bare fan-out, the sequential loop and the floor have the gatherer's own concurrency (128), the
                Node.js sample its own (20). The floor is written by hand: own sockets, each request signed once, answers
                parsed as a stream without a tree.
                """, tables, List.of(new Plot("gather-latency", "Median latency of a gather", "shards", "ms",
                List.copyOf(lines.values()))), targets);
    }

    private static Map<String, GatherWay> measure(Lab lab, GatherStage stage, int width) {
        List<Child> started = new ArrayList<>();
        Map<String, GatherWay> ways = new LinkedHashMap<>();
        int gathers = lab.amount(width == 1_000 ? 40 : 200);
        try {
            add(ways, stage.way(BUCKETS, stage.buckets(width), gathers));
            add(ways, stage.way(TOP, stage.top(width), gathers));
            for (String name : List.of(BARE, FLOOR, "sequential loop")) {
                int concurrency = name.equals("sequential loop") ? 1 : Math.min(CONCURRENCY, width);
                Child child = lab.baseline(name, name.equals(FLOOR) ? "Floor" : "FanOut",
                        stage.baselineArguments(width, concurrency));
                started.add(child);
                add(ways, GatherWay.baseline(child, concurrency == 1 ? Math.max(2, 400 / width) : gathers));
            }
            Node.start(lab, NODE, stage.baselineArguments(width, SAMPLE_CONCURRENCY)).ifPresent(child -> {
                started.add(child);
                add(ways, GatherWay.baseline(child, Math.max(10, gathers / 4)));
            });
            for (GatherWay way : ways.values()) {
                way.warmUp(Duration.ofSeconds(
                        lab.amount(width == HEADLINE ? HEADLINE_WARM_UP_SECONDS : WARM_UP_SECONDS)));
            }
            for (int round = 0; round < lab.rounds(); round++) {
                for (GatherWay way : ways.values()) {
                    way.round(true);
                    lab.tell("%d shards, round %d: %s", width, round, way.name());
                }
            }
        } finally {
            started.forEach(Child::close);
        }
        return ways;
    }

    private static void add(Map<String, GatherWay> ways, GatherWay way) {
        ways.put(way.name(), way);
    }

    private static Table table(int width, Map<String, GatherWay> ways) {
        List<List<Object>> rows = new ArrayList<>();
        double bare = ways.containsKey(BARE) ? ways.get(BARE).median() : Double.NaN;
        ways.forEach((name, way) -> rows.add(List.of(name, way.median(), way.p99(), way.cpu(), way.median() / bare)));
        return new Table(width + " shards, " + width * GatherStage.itemsOfEach(width) + " buckets",
                List.of("way", "median ms", "p99 ms", "ms of CPU per gather", "median / bare"), rows);
    }

    private static List<Target> targets(Map<String, GatherWay> ways) {
        List<Target> targets = new ArrayList<>();
        GatherWay buckets = required(ways, BUCKETS);
        targets.add(Target.atMost("gather.bare", "median of /buckets over the bare fan-out, 100 shards",
                buckets.median() / required(ways, BARE).median(), 1.15));
        if (ways.containsKey(NODE)) {
            GatherWay node = required(ways, NODE);
            targets.add(Target.atLeast("gather.node.time", "median of the Node.js sample over /buckets, 100 shards",
                    node.median() / buckets.median(), 5));
            targets.add(Target.atLeast("gather.node.cpu", "CPU per gather of the Node.js sample over /buckets, 100 shards",
                    node.cpu() / buckets.cpu(), 5));
        }
        targets.add(Target.atLeast("gather.floor", "CPU per gather of the floor over /buckets, 100 shards (the next goal)",
                required(ways, FLOOR).cpu() / buckets.cpu(), 0));
        return targets;
    }

    private static GatherWay required(Map<String, GatherWay> ways, String name) {
        GatherWay way = ways.get(name);
        if (way == null) {
            throw new IllegalStateException("not measured: " + name);
        }
        return way;
    }
}
