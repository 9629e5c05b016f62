package dev.windrow.writer.journal.apply;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.windrow.dataset.Granularity;

/**
 * How long additions to a bucket may wait for more, by its granularity. They are safe once they are claimed; the longer they
 * wait the fewer writes they need, and the longer answers do without them.
 */
public final class WriteEvery {

    /** Default for seconds and minutes. */
    public static final Duration FINE = Duration.ofSeconds(1);

    /** Default for several minutes and hours. */
    public static final Duration MIDDLE = Duration.ofSeconds(30);

    /** Default for days and longer. */
    public static final Duration COARSE = Duration.ofMinutes(5);

    private static final Duration PROMPT = Duration.ofSeconds(5);

    private final Map<String, Long> nanosByGranularity = new HashMap<>();

    /** @param chosen other waits than the defaults, by granularity */
    public WriteEvery(Map<Granularity, Duration> chosen) {
        chosen.forEach((granularity, wait) -> nanosByGranularity.put(granularity.name(), wait.toNanos()));
    }

    /** How long additions may wait, in nanoseconds; granularities that this release does not know do as minutes. */
    public long nanos(String granularity) {
        return nanosByGranularity.computeIfAbsent(granularity,
                name -> Granularity.parse(name).map(WriteEvery::defaultOf).orElse(FINE).toNanos());
    }

    /** Whether they wait so shortly that their messages stay in the queue for as long. */
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
