package dev.windrow.gather.range;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;

/**
 * Which buckets of a dataset exist for one request. The horizon of a granularity is the first of its starts that is within its
 * retention; earlier buckets count as gone, whether DynamoDB has deleted them yet or not. A coarse granularity is kept at least
 * as long as a finer one, so if a bucket exists, so do all coarser ones that start with it or later.
 *
 * @param retention of the dataset that is read
 * @param now when the request was made
 * @param expired why its range differs from the requested one, if it does
 * @param rounded the ranges really covered, where bounds of the requested ones lie within buckets
 */
public record Horizons(Retention retention, Instant now, List<Expired> expired, List<TimeRange> rounded) {

    /** Every bucket exists. */
    public static final Horizons NONE = new Horizons(Retention.FOREVER, Instant.EPOCH, List.of(), List.of());

    public static Horizons of(Retention retention, Instant now) {
        return retention.equals(Retention.FOREVER) ? NONE : new Horizons(retention, now, List.of(), List.of());
    }

    /**
     * The horizons of a page after the first, whose range the cursor holds: paging may take a day before buckets of its range
     * are deleted.
     */
    public Horizons ofLaterPage() {
        return new Horizons(retention, now.minus(Retention.SLACK), expired, rounded);
    }

    /** The first start of a granularity that exists; that of all time if it is kept forever. */
    public Instant of(Granularity granularity) {
        return retention.of(granularity) == null ? TimeRange.ALL.from()
                : TimeRange.later(TimeRange.ceiling(granularity, now.minus(Objects.requireNonNull(retention.of(granularity)))),
                        TimeRange.ALL.from());
    }

    /** The part of a range of starts that exists in a granularity. */
    public TimeRange cut(Granularity granularity, TimeRange range) {
        return cut(of(granularity), range);
    }

    public static TimeRange cut(Instant horizon, TimeRange range) {
        return range.from().isBefore(horizon) ? new TimeRange(TimeRange.earlier(horizon, range.to()), range.to()) : range;
    }

    /** Adds the reason why a range differs from the requested one. */
    public Horizons noting(Granularity granularity) {
        return because(
                Stream.concat(expired.stream(), Stream.of(new Expired(granularity, of(granularity)))).distinct().toList());
    }

    /** Adds that a range differs from the requested one because its bounds lie within buckets. */
    public Horizons rounding(TimeRange range) {
        return new Horizons(retention, now, expired,
                Stream.concat(rounded.stream(), Stream.of(range)).distinct().toList());
    }

    /** Sets reasons that are already known. */
    public Horizons because(List<Expired> reasons) {
        return new Horizons(retention, now, reasons, rounded);
    }
}
