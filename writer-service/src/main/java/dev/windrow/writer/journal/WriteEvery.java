package dev.windrow.writer.journal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.windrow.time.Granularity;

/**
 * How long additions to a bucket may wait for more, by granularity. They are durable once claimed. Longer waits need fewer
 * writes, but answers lack the additions for longer.
 */
public final class WriteEvery {

    /** Default for seconds and minutes. */
    public static final Duration FINE = Duration.ofSeconds(1);

    /** Default for granularities of several minutes and for hours. */
    static final Duration MIDDLE = Duration.ofSeconds(30);

    /** Default for days and longer. */
    static final Duration COARSE = Duration.ofMinutes(5);

    private static final Duration PROMPT = Duration.ofSeconds(5);

    private final Map<String, Long> nanosByGranularity = new HashMap<>();

    /** @param chosen waits that replace the defaults, by granularity */
    public WriteEvery(Map<Granularity, Duration> chosen) {
        chosen.forEach((granularity, wait) -> nanosByGranularity.put(granularity.name(), wait.toNanos()));
    }

    /** Returns how long additions may wait, in nanoseconds; granularities unknown to this release wait like minutes. */
    public long nanos(String granularity) {
        return nanosByGranularity.computeIfAbsent(granularity,
                name -> Granularity.parse(name).map(WriteEvery::defaultOf).orElse(FINE).toNanos());
    }

    /** Whether additions wait so briefly that their messages stay in the queue meanwhile. */
    public boolean isPrompt(String granularity) {
        return nanos(granularity) <= PROMPT.toNanos();
    }

    private static Duration defaultOf(Granularity granularity) {
        if (granularity.compareTo(Granularity.MINUTE) <= 0) {
            return FINE;
        }
        return granularity.compareTo(Granularity.HOUR) <= 0 ? MIDDLE : COARSE;
    }
}
