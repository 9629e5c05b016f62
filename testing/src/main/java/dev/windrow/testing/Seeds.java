package dev.windrow.testing;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Seeds of generated cases. Each is printed when it is used; set {@code -Dwindrow.seed=N} to repeat a run. */
public final class Seeds {

    private static final String PROPERTY = "windrow.seed";

    private Seeds() {
    }

    /** A generator for one test, whose seed is printed under the test's name; not thread-safe. */
    public static RandomGenerator random(String test) {
        return random(seed(test));
    }

    /** A generator with that seed; not thread-safe. */
    public static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(seed);
    }

    /** A seed for one test, printed under the test's name. */
    public static long seed(String test) {
        long seed = Long.getLong(PROPERTY, System.nanoTime());
        System.out.println(test + ": -D" + PROPERTY + "=" + seed);
        return seed;
    }
}
