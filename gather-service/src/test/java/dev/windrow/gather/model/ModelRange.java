package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A half-open range of bucket starts, or of the local dates of a zone.
 *
 * @param from inclusive
 * @param to exclusive
 * @param dates the zone if the bounds are dates, at their first midnights; null if they are points in time
 */
public record ModelRange(Instant from, Instant to, @Nullable ZoneId dates) {

    /** The earliest possible bucket start: that of the week of 1970-01-01. */
    public static final Instant BEGIN = Instant.parse("1969-12-29T00:00:00Z");

    static final ModelRange ALL = new ModelRange(BEGIN, ModelCalendar.END);

    public ModelRange(Instant from, Instant to) {
        this(from, to, null);
    }

    static ModelRange of(LocalDate from, LocalDate to, ZoneId zone) {
        return new ModelRange(from.atStartOfDay(zone).toInstant(), to.atStartOfDay(zone).toInstant(), zone);
    }

    ModelRange earlier(Duration by) {
        return new ModelRange(from.minus(by), to.minus(by));
    }

    public boolean holds(Instant start) {
        return dates == null
                ? !start.isBefore(from) && start.isBefore(to)
                : !date(start, dates).isBefore(date(from, dates)) && date(start, dates).isBefore(date(to, dates));
    }

    /** Whether no bucket crosses a border of the date that is a bound. A date that begins twice does so within three hours. */
    boolean fitsBorders(String granularity, Instant bound, ZoneId zone) {
        Instant last = bound.plus(Duration.ofHours(3));
        for (Instant second = bound; !second.isAfter(last); second = second.plusSeconds(1)) {
            boolean border = second.equals(bound) || !date(second, zone).equals(date(second.minusSeconds(1), zone));
            if (border && !ModelCalendar.floor(granularity, second).equals(second)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a time is in the range, of which a bound that begins a bucket of a zone stands for its date. */
    boolean holds(Instant time, String granularity, ZoneId zone) {
        boolean calendar = !zone.equals(ZoneOffset.UTC) && List.of("day", "week", "month", "year").contains(granularity);
        boolean fromDate = dates != null || (calendar && ModelCalendar.floor(granularity, zone, from).equals(from));
        boolean toDate = dates != null || (calendar && ModelCalendar.floor(granularity, zone, to).equals(to));
        ZoneId of = dates == null ? zone : dates;
        return (fromDate ? !date(time, of).isBefore(date(from, of)) : !time.isBefore(from))
                && (toDate ? date(time, of).isBefore(date(to, of)) : time.isBefore(to));
    }

    static LocalDate date(Instant time, ZoneId zone) {
        return time.atZone(zone).toLocalDate();
    }
}
