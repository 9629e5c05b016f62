package dev.windrow.writer.testing;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Seeds of generated cases: printed at each use, set with {@code -Dwindrow.seed=N} to repeat a run. */
public final class TestSeeds {

    private static final String PROPERTY = "windrow.seed";

    private TestSeeds() {
    }

    /** A generator for one test, whose seed is printed under the test's name. */
    public static RandomGenerator random(String test) {
        long seed = Long.getLong(PROPERTY, System.nanoTime());
        System.out.println(test + ": -D" + PROPERTY + "=" + seed);
        return RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(seed);
    }
}
