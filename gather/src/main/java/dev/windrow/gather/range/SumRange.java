package dev.windrow.gather.range;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.InvalidInputException;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.time.Granularity;

/**
 * A range that is summed. Where clocks go back just after midnight, a day begins, then the end of the previous day repeats, and
 * the day begins again. The repeated time belongs to the previous day: a range that begins with such a date excludes it, and
 * one that ends before such a date includes it as a separate part.
 *
 * @param range from one bound to the other; a date stands for the first of its midnights
 * @param parts what it consists of: ranges in order of time that do not overlap
 */
public record SumRange(TimeRange range, List<TimeRange> parts) {

    public static SumRange of(TimeRange range) {
        return new SumRange(range, List.of(range));
    }

    /**
     * The sum range of {@code from} and {@code to}, or {@code last}.
     *
     * @throws InvalidInputException if a part begins or ends where no bucket does
     */
    public static SumRange of(SummedRange summed, TimeParameters times) {
        return of(summed.stored(), summed.range(), summed.horizons(), times, QueryParameter.FROM, QueryParameter.TO);
    }

    /**
     * A range whose bounds are dates if the request says so.
     *
     * @param stored the available granularities
     * @param range made of buckets that exist
     * @param from the parameter that the first bound comes from
     * @param to the parameter that the last bound comes from
     * @throws InvalidInputException if a part begins or ends where no bucket does
     */
    public static SumRange of(List<Granularity> stored, TimeRange range, Horizons horizons, TimeParameters times,
            QueryParameter from, QueryParameter to) {
        SumRange sums = of(range, times.zone(), times.isDate(from), times.isDate(to));
        boolean fit = sums.parts.stream()
                .allMatch(part -> part.equals(range) || SummedRange.exact(stored, part, horizons).isPresent());
        if (!fit) {
            throw SummedRange.noMidnights(stored.get(0));
        }
        return sums;
    }

    /**
     * A range whose bounds may be dates of a zone.
     *
     * @param fromDate whether it begins with a date, rather than just at the first midnight of one
     * @param toDate whether it ends before a date, likewise
     */
    static SumRange of(TimeRange range, ZoneId zone, boolean fromDate, boolean toDate) {
        if (range.isEmpty()) {
            return of(range);
        }
        List<TimeRange> parts = new ArrayList<>();
        Optional<TimeRange> without = fromDate ? dayBeforeAgain(range.from(), zone) : Optional.empty();
        parts.add(without.map(gap -> new TimeRange(range.from(), TimeRange.earlier(gap.from(), range.to()))).orElse(range));
        without.filter(gap -> gap.to().isBefore(range.to())).map(gap -> new TimeRange(gap.to(), range.to()))
                .ifPresent(parts::add);
        if (toDate) {
            dayBeforeAgain(range.to(), zone).ifPresent(parts::add);
        }
        return new SumRange(range, parts);
    }

    /** The repeated end of the previous day, after the first of a day's two midnights; empty if it does not repeat. */
    private static Optional<TimeRange> dayBeforeAgain(Instant midnight, ZoneId zone) {
        LocalDateTime local = LocalDateTime.ofInstant(midnight, zone);
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        if (change == null || !local.toLocalTime().equals(LocalTime.MIDNIGHT) || !midnight.isBefore(change.getInstant())) {
            return Optional.empty();
        }
        return Optional.of(new TimeRange(change.getInstant(), local.toInstant(change.getOffsetAfter())))
                .filter(again -> !again.isEmpty());
    }

    /** Whether a time is in one of the parts. */
    public boolean holds(Instant time) {
        return parts.stream().anyMatch(part -> !time.isBefore(part.from()) && time.isBefore(part.to()));
    }

    /** From its beginning to the end of its last part. */
    public TimeRange whole() {
        return new TimeRange(range.from(), TimeRange.later(range.to(), parts.get(parts.size() - 1).to()));
    }
}
