package dev.windrow.bench.partition;

import java.util.Arrays;

/** How unevenly writes were scattered. */
public final class Skew {

    private Skew() {
    }

    /** The hottest shard's share over the mean: 1 is perfectly even. */
    public static double of(long[] countPerShard) {
        long sum = Arrays.stream(countPerShard).sum();
        long hottest = Arrays.stream(countPerShard).max().orElse(0);
        if (sum == 0) {
            throw new IllegalArgumentException("expected at least one count above 0");
        }
        return (double) hottest * countPerShard.length / sum;
    }
}
