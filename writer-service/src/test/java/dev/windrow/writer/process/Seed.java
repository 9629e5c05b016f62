package dev.windrow.writer.process;

import java.util.Random;

/** The chance of one test: printed, and set again with {@code -Dwindrow.seed=N}. */
final class Seed {

    private Seed() {
    }

    static Random random(String test) {
        long seed = Long.getLong("windrow.seed", System.nanoTime());
        System.out.println(test + ": -Dwindrow.seed=" + seed);
        return new Random(seed);
    }
}
