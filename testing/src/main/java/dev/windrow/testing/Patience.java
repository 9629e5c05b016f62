package dev.windrow.testing;

import java.time.Duration;

/** How long tests wait for things that take a moment on an idle machine: long enough for a busy one. */
public final class Patience {

    /** Maximum wait for anything that is expected to happen. */
    public static final Duration LIMIT = Duration.ofMinutes(2);

    private Patience() {
    }
}
