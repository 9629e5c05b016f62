package dev.windrow.gather.range;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.time.Granularity;

/**
 * The part of a requested range that stored buckets sum up exactly. It begins with the first bucket that starts in the range
 * and exists, and ends with the last one that ends in it, so it never reaches beyond the request; only the bucket in progress
 * counts as far as it has come. Where buckets have expired, the range begins and ends with coarser ones, whichever way the
 * largest part is left.
 *
 * @param stored the available granularities, finest first
 * @param finest of those with which the range begins
 * @param range from one bucket bound to another
 * @param horizons with the reasons if it is not the requested range
 */
public record SummedRange(List<Granularity> stored, Granularity finest, TimeRange range, Horizons horizons) {

    /** An end this close to now means now, as clocks differ. */
    public static final Duration CLOCK_SKEW = Duration.ofMinutes(1);

    /** Whoever asks for the last day does not mean the second it began in. */
    private static final Duration UNNOTICED = Duration.ofMinutes(1);

    /** The granularities that exist at the start of the range, finest first. */
    public List<Granularity> existing() {
        return stored.subList(stored.indexOf(finest), stored.size());
    }

    /** The part of {@link TimeParameters#range()} that can be summed. */
    public static SummedRange of(List<Granularity> stored, TimeParameters times, Horizons horizons) {
        return of(stored, times.range(), times.zone(), times, horizons);
    }

    /**
     * The part of a range that can be summed.
     *
     * @param stored the available granularities, finest first; at least one
     * @param zone whose midnights must not be moved
     * @throws InvalidInputException if no bucket that exists fits into the range, or if no bucket begins at a local midnight
     *         that is a bound
     */
    public static SummedRange of(List<Granularity> stored, TimeRange requested, ZoneId zone, TimeParameters times,
            Horizons horizons) {
        Cover cover = new Cover(stored, horizons, times.now());
        Part part = cover.of(requested, zone, times.bound());
        times.span().filter(span -> part.isShorter(requested, span)).ifPresent(span -> {
            throw tooShort(times.bound(), part.last());
        });
        return new SummedRange(stored, part.first(), part.range(), cover.noting(requested, part, zone, times));
    }

    /** Rounds a range to whole buckets in it; with the one in progress if wanted. Empty if there are none. */
    public static TimeRange rounded(Granularity granularity, TimeRange range, TimeParameters times, boolean inProgress) {
        Instant from = TimeRange.isOpen(range.from()) ? range.from() : TimeRange.ceiling(granularity, range.from());
        boolean toNow = inProgress && isNow(range.to(), times.now()) && from.isBefore(range.to());
        Instant to = range.to().equals(TimeRange.END) ? range.to()
                : toNow ? TimeRange.ceiling(granularity, range.to()) : granularity.floor(range.to());
        return new TimeRange(from, TimeRange.later(from, to));
    }

    /** Whether a range is made of buckets that exist. */
    public static boolean isExact(List<Granularity> stored, TimeRange range, Horizons horizons) {
        return exact(stored, range, horizons).isPresent();
    }

    /**
     * The range of one of many windows of the same length. While the finest buckets exist, both bounds move up to their starts,
     * so that all windows are as long. Else it is the largest part that is made of buckets of one coarser granularity, which
     * may be empty.
     */
    public static SummedRange window(List<Granularity> stored, TimeRange window, Horizons horizons) {
        Granularity finest = stored.get(0);
        Cover cover = new Cover(stored, horizons, horizons.now());
        TimeRange moved = new TimeRange(
                TimeRange.isOpen(window.from()) ? window.from() : TimeRange.ceiling(finest, window.from()),
                TimeRange.ceiling(finest, window.to()));
        if (!horizons.of(finest).isAfter(moved.from())) {
            return new SummedRange(stored, finest, moved, horizons);
        }
        Part part = cover.bounded(window).map(any -> new Cover(List.of(any), horizons, horizons.now()).part(any, window))
                .max(Comparator.comparing(Part::length).thenComparing(Part::first, Comparator.reverseOrder()))
                .orElseGet(() -> new Part(finest, finest, moved));
        return new SummedRange(stored, part.first(), part.range(), horizons.noting(cover.expired(window, part)));
    }

    /** The largest part of a range that is made of buckets that exist; empty if there is none. */
    public static Optional<TimeRange> largest(List<Granularity> stored, TimeRange range, TimeParameters times,
            Horizons horizons) {
        return new Cover(stored, horizons, times.now()).largest(range, part -> true).map(Part::range);
    }

    /** Whether rounding has moved no bound that is a local midnight. */
    public static boolean keepsMidnights(TimeRange requested, TimeRange rounded, TimeParameters times) {
        return keepsMidnight(requested.from(), rounded.from(), times.zone())
                && (rounded.to().isAfter(requested.to()) || keepsMidnight(requested.to(), rounded.to(), times.zone()));
    }

    private static boolean isNow(Instant end, Instant now) {
        return !end.isBefore(now.minus(CLOCK_SKEW));
    }

    private static boolean keepsMidnight(Instant requested, Instant rounded, ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) || requested.equals(rounded)
                || !requested.equals(requested.atZone(zone).toLocalDate().atStartOfDay(zone).toInstant());
    }

    /** The finest granularity with which a range begins that is made of buckets that exist; empty if it is not. */
    public static Optional<Granularity> exact(List<Granularity> stored, TimeRange range, Horizons horizons) {
        return new Cover(stored, horizons, Instant.MAX).parts(range).filter(part -> part.range().equals(range))
                .map(Part::first).findFirst();
    }

    /** Whether a covered range is noticeably another one than requested. The bucket in progress may end after it. */
    public static boolean isRounded(TimeRange requested, TimeRange covered, TimeParameters times) {
        return !covered.isEmpty() && (isMoved(requested.from(), covered.from(), times.isRelative(QueryParameter.FROM))
                || (covered.to().isBefore(requested.to())
                        && isMoved(requested.to(), covered.to(), times.isRelative(QueryParameter.TO))));
    }

    private static boolean isMoved(Instant requested, Instant covered, boolean relative) {
        return !covered.equals(requested) && !TimeRange.isOpen(requested)
                && !(relative && Duration.between(requested, covered).abs().compareTo(UNNOTICED) <= 0);
    }

    /**
     * The whole buckets of a zone in the requested range, with the one in progress.
     *
     * @throws InvalidInputException if there is none
     */
    public static TimeRange whole(ZonedBuckets buckets, TimeParameters times) {
        TimeRange requested = times.range();
        boolean toNow = TimeRange.isOpen(requested.to()) || isNow(requested.to(), times.now());
        TimeRange aligned = buckets.aligned(requested);
        TimeRange whole = toNow ? aligned
                : new TimeRange(aligned.from(), TimeRange.later(aligned.from(), buckets.floor(requested.to())));
        if (buckets.granularity().equals(Granularity.FOREVER) && !requested.equals(TimeRange.ALL)) {
            throw tooShort(times.bound(), buckets.granularity());
        }
        boolean isShorter = times.span().filter(span -> span.compareTo(
                Duration.between(buckets.floor(requested.from()), buckets.end(buckets.floor(requested.from())))) < 0)
                .isPresent();
        if (!requested.isEmpty() && (whole.isEmpty() || isShorter)) {
            throw tooShort(times.bound(), buckets.granularity());
        }
        return whole;
    }

    static InvalidInputException noMidnights(Granularity finest) {
        return Parameters.invalid(QueryParameter.TZ, "its days do not begin with a bucket of " + finest
                + ", the finest granularity that can answer: choose another zone, or store a finer granularity");
    }

    private static InvalidInputException tooShort(QueryParameter bound, Granularity granularity) {
        return new InvalidInputException(Reason.RANGE_TOO_SHORT, bound.word(), "the range holds no whole bucket of "
                + granularity + ", the finest granularity that can answer: use a longer range");
    }

    /**
     * A part of a range.
     *
     * @param first the granularity at its start
     * @param last the granularity at its end, the same or a finer one
     */
    record Part(Granularity first, Granularity last, TimeRange range) {

        private Duration length() {
            return range.isEmpty() ? Duration.ZERO : Duration.between(range.from(), range.to());
        }

        /**
         * Whether a range up to now is shorter than a bucket: whether a bucket starts in it would depend on the time of day.
         */
        private boolean isShorter(TimeRange requested, Duration span) {
            Instant start = last.floor(requested.from());
            return !range.isEmpty() && span.compareTo(Duration.between(start, last.end(start))) < 0;
        }
    }

    /**
     * Finds the largest part of a range that is made of buckets that exist.
     *
     * @param stored the available granularities, finest first
     * @param now the time up to which the bucket in progress counts
     */
    record Cover(List<Granularity> stored, Horizons horizons, Instant now) {

        /** @param bound the parameter to blame */
        Part of(TimeRange requested, ZoneId zone, QueryParameter bound) {
            Optional<Part> best = largest(requested, part -> keepsMidnights(requested, part, zone));
            if (best.isPresent()) {
                return best.get();
            }
            if (requested.isEmpty()) {
                Instant at = TimeRange.ceiling(stored.get(0), requested.from());
                return new Part(stored.get(0), stored.get(0), new TimeRange(at, at));
            }
            if (largest(requested, part -> true).isPresent()) {
                throw noMidnights(requested);
            }
            if (requested.to().equals(TimeRange.END)) {
                return new Part(stored.get(0), stored.get(0), new TimeRange(TimeRange.END, TimeRange.END));
            }
            List<Granularity> existing = bounded(requested).filter(any -> horizons.of(any).isBefore(requested.to())).toList();
            if (!existing.isEmpty()) {
                throw tooShort(bound, existing.stream().filter(any -> !horizons.of(any).isAfter(requested.from()))
                        .findFirst().orElse(existing.get(0)));
            }
            Granularity last = bounded(requested).min(Comparator.comparing(horizons::of)).orElse(stored.get(0));
            Instant end = last.floor(requested.to());
            return new Part(last, last, new TimeRange(end, end));
        }

        private Optional<Part> largest(TimeRange requested, Predicate<Part> allowed) {
            return parts(requested).filter(part -> !part.range().isEmpty()).filter(allowed)
                    .max(Comparator.comparing(Part::length).thenComparing(Part::first, Comparator.reverseOrder()));
        }

        /** The part that begins with a bucket of each granularity. */
        Stream<Part> parts(TimeRange requested) {
            return bounded(requested).map(first -> part(first, requested));
        }

        /** The all-time bucket is never part of a bounded range. */
        private Stream<Granularity> bounded(TimeRange requested) {
            return stored.stream().filter(any -> !any.equals(Granularity.FOREVER) || requested.equals(TimeRange.ALL));
        }

        private Part part(Granularity first, TimeRange requested) {
            Instant start = TimeRange.later(horizons.of(first), TimeRange.isOpen(requested.from()) ? requested.from()
                    : TimeRange.ceiling(first, requested.from()));
            if (requested.to().equals(TimeRange.END)) {
                return new Part(first, first, new TimeRange(TimeRange.earlier(start, TimeRange.END), TimeRange.END));
            }
            Granularity last = first;
            Instant end = TimeRange.later(start, first.floor(requested.to()));
            List<Granularity> finer = new ArrayList<>(stored.subList(0, stored.indexOf(first)));
            Collections.reverse(finer);
            for (Granularity next : finer) {
                if (next.isStart(end) && !horizons.of(next).isAfter(end)) {
                    last = next;
                    end = TimeRange.later(end, next.floor(requested.to()));
                }
            }
            Instant reached = isNow(requested.to(), now) && start.isBefore(requested.to())
                    ? TimeRange.ceiling(last, requested.to())
                    : end;
            return new Part(first, last, new TimeRange(start, reached));
        }

        /** Whether local midnights stay as they are: moving a bound of local days would make them other days. */
        private boolean keepsMidnights(TimeRange requested, Part part, ZoneId zone) {
            TimeRange range = part.range();
            return (range.from().equals(horizons.of(part.first())) || keepsMidnight(requested.from(), range.from(), zone))
                    && (range.to().isAfter(requested.to()) || keepsMidnight(requested.to(), range.to(), zone));
        }

        private InvalidInputException noMidnights(TimeRange requested) {
            Optional<Granularity> expired = stored.stream().filter(finer -> horizons.of(finer).isAfter(requested.from())
                    && ZonedBuckets.isBound(finer, requested.from()) && ZonedBuckets.isBound(finer, requested.to()))
                    .reduce((finer, coarser) -> coarser);
            return expired.map(gone -> Parameters.invalid(QueryParameter.TZ, "its days are made of buckets of " + gone
                    + ", which have expired before " + horizons.of(gone) + ": choose a later range, or days of UTC"))
                    .orElseGet(() -> SummedRange.noMidnights(stored.get(0)));
        }

        private Horizons noting(TimeRange requested, Part part, ZoneId zone, TimeParameters times) {
            Optional<TimeRange> without = new Cover(stored, Horizons.NONE, now)
                    .largest(requested, any -> keepsMidnights(requested, any, zone)).map(Part::range);
            if (without.isPresent() && !without.get().equals(part.range())) {
                return horizons.noting(expired(requested, part));
            }
            return isRounded(requested, part.range(), times) ? horizons.rounding(part.range()) : horizons;
        }

        /** The granularity without whose retention the range would be another one. */
        private Granularity expired(TimeRange requested, Part part) {
            int index = stored.indexOf(part.first());
            boolean cut = part.range().isEmpty() || (part.range().from().equals(horizons.of(part.first()))
                    && part.range().from().isAfter(TimeRange.ceiling(part.first(), requested.from())));
            return cut || index == 0 ? part.first() : stored.get(index - 1);
        }

    }
}
