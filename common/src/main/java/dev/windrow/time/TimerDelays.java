package dev.windrow.time;

import java.time.Duration;

/** Delays as timers take them: Vert.x counts whole milliseconds and throws where there is not even one. */
public final class TimerDelays {

    /** The shortest delay that every timer takes. */
    public static final Duration SHORTEST = Duration.ofMillis(1);

    private TimerDelays() {
    }

    /** Whether a remaining time is over, or too short for a timer. */
    public static boolean isOver(Duration left) {
        return left.compareTo(SHORTEST) < 0;
    }

    /** The delay, or the shortest that a timer takes. */
    public static Duration atLeastShortest(Duration delay) {
        return isOver(delay) ? SHORTEST : delay;
    }
}
