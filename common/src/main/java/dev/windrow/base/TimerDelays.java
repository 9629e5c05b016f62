package dev.windrow.base;

import java.time.Duration;

/** Delays that timers accept: Vert.x counts whole milliseconds and throws if there is not even one. */
public final class TimerDelays {

    /** The shortest delay that every timer accepts. */
    public static final Duration SHORTEST = Duration.ofMillis(1);

    private TimerDelays() {
    }

    /** Whether a remaining time is over, or too short for a timer. */
    public static boolean isOver(Duration left) {
        return left.compareTo(SHORTEST) < 0;
    }

    /** Returns the delay, but at least the shortest that a timer accepts. */
    public static Duration atLeastShortest(Duration delay) {
        return isOver(delay) ? SHORTEST : delay;
    }
}
