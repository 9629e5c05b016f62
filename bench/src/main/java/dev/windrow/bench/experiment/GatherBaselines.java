package dev.windrow.bench.experiment;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The ways of gathering the same without the gatherer, started as processes. */
final class GatherBaselines implements AutoCloseable {

    static final String BUCKETS = "gatherer /buckets";
    static final String BARE = "bare SDK fan-out";
    static final String FLOOR = "floor";
    static final String TUNED = "Node.js sample, tuned";

    private static final int CONCURRENCY = 128;
    private static final int PUBLISHED_CONCURRENCY = 20;

    private final Lab lab;
    private final GatherStage stage;
    private final int width;
    private final Map<String, GatherWay> ways = new LinkedHashMap<>();

    /** With the gatherer as the first way, and its native executable as the second where there is one. */
    GatherBaselines(Lab lab, GatherStage stage, int width, int gathers) {
        this.lab = lab;
        this.stage = stage;
        this.width = width;
        add(stage.way(BUCKETS, stage.buckets(width), gathers));
        stage.nativeWay(BUCKETS + " (native)", stage.buckets(width), gathers).ifPresent(this::add);
    }

    void add(GatherWay way) {
        ways.put(way.name(), way);
    }

    GatherBaselines bare(int gathers) {
        return java(BARE, "FanOut", Math.min(CONCURRENCY, width), gathers);
    }

    GatherBaselines floor(int gathers) {
        return java(FLOOR, "Floor", Math.min(CONCURRENCY, width), gathers);
    }

    GatherBaselines tuned(int gathers) {
        return node(TUNED, "tuned", Math.min(CONCURRENCY, width), gathers);
    }

    /** The Node.js sample as published, and one query after the other. */
    GatherBaselines slow(int gathers) {
        return java("sequential loop", "FanOut", 1, Math.max(2, 400 / width))
                .node("Node.js sample, as published", "published", PUBLISHED_CONCURRENCY, gathers);
    }

    private GatherBaselines java(String name, String mainClass, int concurrency, int gathers) {
        add(GatherWay.baseline(lab.baseline(name, mainClass, stage.baselineArguments(width, concurrency)), gathers));
        return this;
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
        ways.values().stream().map(GatherWay::process).filter(process -> !stage.gatherers().contains(process))
                .forEach(Child::close);
    }
}
