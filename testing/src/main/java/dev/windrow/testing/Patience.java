package dev.windrow.testing;

import java.time.Duration;

/** How long tests wait for what takes a moment on a quiet machine: long enough for a busy one. */
public final class Patience {

    /** The longest that anything is waited for which is expected to happen. */
    public static final Duration LIMIT = Duration.ofMinutes(1);

    private Patience() {
    }
}
