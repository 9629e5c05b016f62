package dev.windrow.quickstart;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How long each phase took since the command was started. */
final class Phases {

    private final Clock clock;
    private final Instant start;
    private final List<String> ended = new ArrayList<>();
    private Instant last;

    /** @param start of the first phase */
    Phases(Clock clock, Instant start) {
        this.clock = clock;
        this.start = start;
        this.last = start;
    }

    /** The first began with the process: Maven's, which has built the project before. */
    static Phases sinceStartOfThisProcess() {
        return new Phases(Clock.systemUTC(), Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()));
    }

    /** Ends a phase; the next begins. */
    void end(String name) {
        Instant now = clock.instant();
        ended.add(name + " " + seconds(last, now));
        last = now;
    }

    /** Such as {@code 41 s (build 30 s, start 11 s)}. */
    @Override
    public String toString() {
        return seconds(start, last) + " (" + String.join(", ", ended) + ")";
    }

    private static String seconds(Instant from, Instant to) {
        return Math.round(Duration.between(from, to).toMillis() / 1_000.0) + " s";
    }
}
