package dev.windrow.bench.experiment;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The ways of gathering the same without the gatherer, started as processes. */
final class GatherBaselines implements AutoCloseable {

    static final String BUCKETS = "gatherer /buckets";
    static final String BARE = "bare SDK fan-out";
    static final String FLOOR = "floor";
    static final String SEQUENTIAL = "sequential loop";
    static final String TUNED = "Node.js sample, tuned";
    static final String PUBLISHED = "Node.js sample, as published";

    private static final int CONCURRENCY = 128;
    private static final int PUBLISHED_CONCURRENCY = 20;

    private final Lab lab;
    private final GatherStage stage;
    private final int width;
    private final Map<String, GatherWay> ways = new LinkedHashMap<>();

    /** With the gatherer as the first way. */
    GatherBaselines(Lab lab, GatherStage stage, int width, int gathers) {
        this.lab = lab;
        this.stage = stage;
        this.width = width;
        add(stage.way(BUCKETS, stage.buckets(width), gathers));
    }

    void add(GatherWay way) {
        ways.put(way.name(), way);
    }

    /** All ways that have the gatherer's concurrency. */
    GatherBaselines alike(int gathers, int nodeGathers) {
        for (String name : new String[] { BARE, FLOOR }) {
            add(GatherWay.baseline(lab.baseline(name, name.equals(FLOOR) ? "Floor" : "FanOut",
                    stage.baselineArguments(width, Math.min(CONCURRENCY, width))), gathers));
        }
        return node(TUNED, "tuned", Math.min(CONCURRENCY, width), nodeGathers);
    }

    /** The Node.js sample as published, and one query after the other. */
    GatherBaselines slow(int nodeGathers) {
        add(GatherWay.baseline(lab.baseline(SEQUENTIAL, "FanOut", stage.baselineArguments(width, 1)),
                Math.max(2, 400 / width)));
        return node(PUBLISHED, "published", PUBLISHED_CONCURRENCY, nodeGathers);
    }

    private GatherBaselines node(String name, String kind, int concurrency, int gathers) {
        Node.start(lab, name, kind, stage.baselineArguments(width, concurrency))
                .ifPresent(child -> add(GatherWay.baseline(child, gathers)));
        return this;
    }

    Map<String, GatherWay> ways() {
        return ways;
    }

    GatherWay way(String name) {
        return Objects.requireNonNull(ways.get(name), name);
    }

    @Override
    public void close() {
        ways.values().stream().map(GatherWay::process).filter(process -> process.pid() != stage.gatherer().pid())
                .forEach(Child::close);
    }
}
