package dev.windrow.gather.testing;

import java.util.List;
import java.util.random.RandomGenerator;

/** Random draws for generated queries. */
public final class Draws {

    private Draws() {
    }

    /** Draws one of several, all equally likely. */
    public static <T> T any(List<T> all, RandomGenerator random) {
        return all.get(random.nextInt(all.size()));
    }
}
