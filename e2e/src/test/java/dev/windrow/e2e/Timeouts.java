package dev.windrow.e2e;

import java.time.Duration;

/** How long the tests wait for what will happen: much longer than it takes, as machines may be slow. */
final class Timeouts {

    static final Duration START = Duration.ofMinutes(3);
    static final Duration DRAIN = Duration.ofMinutes(4);
    static final Duration ANSWER = Duration.ofMinutes(1);

    private Timeouts() {
    }
}
