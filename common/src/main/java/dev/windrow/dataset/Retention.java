package dev.windrow.dataset;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * How long a dataset's buckets are kept after their end. Coarse buckets are not made of fine ones, so dropping fine ones takes
 * nothing from them.
 *
 * @param kept by granularity, at least {@link #least}, and never longer than that of a coarser one; buckets of all others are
 *        kept for ever
 */
public record Retention(SortedMap<Granularity, Duration> kept) {

    /** All buckets are kept for ever. */
    public static final Retention FOREVER = new Retention(new TreeMap<>());

    /** The shortest: messages that wait in a queue for a while, or a day's chart, must not find their buckets gone. */
    private static final Duration LEAST = Duration.ofDays(2);
    private static final Duration LONGEST_MONTH = Duration.ofDays(31);
    private static final Duration LONGEST_YEAR = Duration.ofDays(366);

    /** How much longer items stay than queries read them, for a walk of pages that began before, and clocks that differ. */
    public static final Duration SLACK = Duration.ofDays(1);

    public Retention {
        kept = Collections.unmodifiableSortedMap(new TreeMap<>(kept));
    }

    /** The shortest retention of a granularity: two days, or the length of a bucket, which is open for that long. */
    public static Duration least(Granularity granularity) {
        Duration length = switch (granularity.unit()) {
            case MONTH -> LONGEST_MONTH;
            case YEAR -> LONGEST_YEAR;
            default -> Duration.ofSeconds(granularity.typicalSeconds());
        };
        return length.compareTo(LEAST) > 0 ? length : LEAST;
    }

    /** How long buckets of a granularity are kept after their end; null if for ever. */
    public @Nullable Duration of(Granularity granularity) {
        return kept.isEmpty() ? null : kept.get(granularity);
    }

    /** Whether a bucket is no longer kept at some time, so that nothing is added to it any more. */
    public boolean isOver(Granularity granularity, Instant start, Instant at) {
        Duration span = of(granularity);
        return span != null && !granularity.end(start).plus(span).isAfter(at);
    }

    /** When the item of a bucket may be deleted; null if it is kept for ever. */
    public @Nullable Instant deletion(Granularity granularity, Instant start) {
        Duration span = of(granularity);
        return span == null ? null : granularity.end(start).plus(span).plus(SLACK);
    }
}
