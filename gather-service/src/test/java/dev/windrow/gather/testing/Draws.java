package dev.windrow.gather.testing;

import java.util.List;
import java.util.random.RandomGenerator;

public final class Draws {

    private Draws() {
    }

    public static <T> T any(List<T> all, RandomGenerator random) {
        return all.get(random.nextInt(all.size()));
    }
}
