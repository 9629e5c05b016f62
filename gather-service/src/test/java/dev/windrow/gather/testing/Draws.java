package dev.windrow.gather.testing;

import java.util.List;
import java.util.random.RandomGenerator;

/** Draws of generated queries. */
public final class Draws {

    private Draws() {
    }

    /** One of several, each as likely as the others. */
    public static <T> T any(List<T> all, RandomGenerator random) {
        return all.get(random.nextInt(all.size()));
    }
}
