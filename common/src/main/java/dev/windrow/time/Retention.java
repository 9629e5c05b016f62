package dev.windrow.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * How long a dataset's buckets are kept after their end. Coarse buckets are not built from fine ones, so dropping fine buckets
 * does not affect coarse ones.
 *
 * @param kept durations by granularity, at least {@link #least}, and never longer than that of a coarser granularity; all other
 *        buckets are kept forever
 */
public record Retention(SortedMap<Granularity, Duration> kept) {

    public static final Retention FOREVER = new Retention(new TreeMap<>());

    /** The minimum, so that buckets still exist for messages that waited in a queue, and for a day's chart. */
    private static final Duration LEAST = Duration.ofDays(2);
    private static final Duration LONGEST_MONTH = Duration.ofDays(31);
    private static final Duration LONGEST_YEAR = Duration.ofDays(366);

    /** How much longer items are kept than queries read them, to allow for running pagination and clock differences. */
    public static final Duration SLACK = Duration.ofDays(1);

    public Retention {
        kept = Collections.unmodifiableSortedMap(new TreeMap<>(kept));
    }

    /** The minimum retention of a granularity: two days, or as long as a bucket is open, if that is longer. */
    public static Duration least(Granularity granularity) {
        Duration length = switch (granularity.unit()) {
            case MONTH -> LONGEST_MONTH;
            case YEAR -> LONGEST_YEAR;
            default -> Duration.ofSeconds(granularity.typicalSeconds());
        };
        return length.compareTo(LEAST) > 0 ? length : LEAST;
    }

    /** How long buckets of a granularity are kept after their end; null if forever. */
    public @Nullable Duration of(Granularity granularity) {
        return kept.isEmpty() ? null : kept.get(granularity);
    }

    /** Whether a bucket's retention has ended at a given time, so that nothing is added to it any more. */
    public boolean isOver(Granularity granularity, Instant start, Instant at) {
        Duration span = of(granularity);
        return span != null && !granularity.end(start).plus(span).isAfter(at);
    }

    /** When the item of a bucket may be deleted; null if it is kept forever. */
    public @Nullable Instant deletion(Granularity granularity, Instant start) {
        Duration span = of(granularity);
        return span == null ? null : granularity.end(start).plus(span).plus(SLACK);
    }
}
