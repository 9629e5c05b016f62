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

    GatherBaselines bare(int gathers) {
        return java(BARE, "FanOut", gathers);
    }

    GatherBaselines floor(int gathers) {
        return java(FLOOR, "Floor", gathers);
    }

    GatherBaselines tuned(int gathers) {
        Node.start(lab, TUNED, stage.baselineArguments(width, concurrency()))
                .ifPresent(child -> add(GatherWay.baseline(child, gathers)));
        return this;
    }

    private GatherBaselines java(String name, String mainClass, int gathers) {
        add(GatherWay.baseline(lab.baseline(name, mainClass, stage.baselineArguments(width, concurrency())), gathers));
        return this;
    }

    private int concurrency() {
        return Math.min(CONCURRENCY, width);
    }

    Map<String, GatherWay> ways() {
        return ways;
    }

    GatherWay way(String name) {
        return Objects.requireNonNull(ways.get(name), name);
    }

    @Override
    public void close() {
        ways.values().stream().map(GatherWay::process).filter(process -> !process.equals(stage.gatherer()))
                .forEach(Child::close);
    }
}
