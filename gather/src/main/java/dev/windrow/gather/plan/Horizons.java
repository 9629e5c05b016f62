package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Retention;

/**
 * Which buckets of a dataset exist for one request. The horizon of a granularity is the first of its starts that is within its
 * retention; earlier buckets count as gone, whether DynamoDB has deleted them yet or not. A coarse granularity is kept at least
 * as long as a finer one, so if a bucket exists, so do all coarser ones that start with it or later.
 *
 * @param retention of the dataset that is read
 * @param now when the request was made
 * @param expired why its range differs from the requested one, if it does
 */
public record Horizons(Retention retention, Instant now, List<Expired> expired) {

    /** Every bucket exists. */
    public static final Horizons NONE = new Horizons(Retention.FOREVER, Instant.EPOCH, List.of());

    /**
     * Requested buckets that are no longer kept.
     *
     * @param before the first start that exists
     */
    public record Expired(Granularity granularity, Instant before) {
    }

    public static Horizons of(DatasetScope scope, QueryContext context) {
        Retention retention = scope.dataset().retention();
        return retention.equals(Retention.FOREVER) ? NONE : new Horizons(retention, context.now(), List.of());
    }

    /**
     * The horizons of a page after the first, whose range the cursor holds: paging may take a day before buckets of its range
     * are deleted.
     */
    public Horizons ofLaterPage() {
        return new Horizons(retention, now.minus(Retention.SLACK), expired);
    }

    /** The first start of a granularity that exists; that of all time if it is kept forever. */
    public Instant of(Granularity granularity) {
        return retention.of(granularity) == null ? TimeRange.ALL.from()
                : TimeRange.later(TimeRange.ceiling(granularity, now.minus(Objects.requireNonNull(retention.of(granularity)))),
                        TimeRange.ALL.from());
    }

    /**
     * The granularities that a sum can be read from: the finest one that exists at the start of a range, and all coarser ones.
     * If none exists there, from the one with the earliest horizon on. The all-time bucket is never part of a bounded range.
     */
    public List<Granularity> stored(List<Granularity> stored, TimeRange range) {
        // Also covers a comparison period that begins before all time.
        if (retention.equals(Retention.FOREVER)) {
            return stored;
        }
        List<Granularity> possible = stored.stream()
                .filter(any -> !any.equals(Granularity.FOREVER) || range.equals(TimeRange.ALL)).toList();
        Granularity finest = possible.stream()
                .filter(existing -> !of(existing).isAfter(TimeRange.ceiling(existing, range.from()))).findFirst()
                .or(() -> possible.stream().min(Comparator.comparing(this::of))).orElse(stored.get(0));
        return stored.subList(stored.indexOf(finest), stored.size());
    }

    /**
     * The finest granularity that a sum over an aligned range can be read from; empty if the bounds are not starts of any
     * granularity that exists.
     */
    public Optional<Granularity> finest(List<Granularity> stored, TimeRange range) {
        Stream<Granularity> existing = retention.equals(Retention.FOREVER) ? stored.stream().limit(1)
                : stored.stream().filter(any -> !of(any).isAfter(range.from()))
                        .filter(any -> !any.equals(Granularity.FOREVER) || isAllTime(range));
        return existing.filter(any -> Tiling.alignedButOpen(range, any).equals(range)).findFirst();
    }

    private static boolean isAllTime(TimeRange range) {
        return !range.from().isAfter(Instant.EPOCH) && range.to().equals(TimeRange.END);
    }

    /** The part of a range of starts that exists in a granularity. */
    public TimeRange cut(Granularity granularity, TimeRange range) {
        return cut(of(granularity), range);
    }

    static TimeRange cut(Instant horizon, TimeRange range) {
        return range.from().isBefore(horizon) ? new TimeRange(TimeRange.earlier(horizon, range.to()), range.to()) : range;
    }

    /** Adds the reason why a range differs from the requested one. */
    public Horizons noting(Granularity granularity) {
        return because(
                Stream.concat(expired.stream(), Stream.of(new Expired(granularity, of(granularity)))).distinct().toList());
    }

    /** Sets reasons that are already known. */
    public Horizons because(List<Expired> reasons) {
        return new Horizons(retention, now, reasons);
    }

    /**
     * The range of a sum.
     *
     * @param existing the granularities that it is read from, finest first
     * @param range aligned to the finest one, and cut at its horizon
     * @param horizons with the reason if retention changed the range
     */
    public record SummedRange(List<Granularity> existing, TimeRange range, Horizons horizons) {

        public Granularity finest() {
            return existing.get(0);
        }
    }

    /**
     * The part of a range that can be summed.
     *
     * @throws InvalidInputException as {@link Tiling#aligned}
     */
    public SummedRange summed(DatasetScope scope, List<Granularity> stored, TimeRange requested, Parameters parameters) {
        return summed(stored, requested, existing -> Tiling.aligned(scope, existing, requested, parameters));
    }

    /** @param alignment aligns the requested range to the finest of the granularities that exist */
    public SummedRange summed(List<Granularity> stored, TimeRange requested, Function<List<Granularity>, TimeRange> alignment) {
        List<Granularity> existing = stored(stored, requested);
        TimeRange aligned = alignment.apply(existing);
        return new SummedRange(existing, cut(existing.get(0), aligned), noting(stored, existing, requested, aligned));
    }

    /**
     * Adds the reason why a sum is over another range than requested, if it is.
     *
     * @param existing the granularities that it is read from
     * @param aligned the requested range, aligned to the finest of these
     */
    public Horizons noting(List<Granularity> stored, List<Granularity> existing, TimeRange requested, TimeRange aligned) {
        Granularity finest = existing.get(0);
        int finer = stored.size() - existing.size() - 1;
        if (of(finest).isAfter(aligned.from())) {
            return noting(finest);
        }
        return finer >= 0 && !aligned.equals(Tiling.alignedButOpen(requested, stored.get(0))) ? noting(stored.get(finer))
                : this;
    }
}
