package dev.windrow.gather.model;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;

/** Time arithmetic of the model, on granularities by name; written independently of the tested one. */
public final class ModelCalendar {

    public static final Instant END = LocalDate.of(9999, 12, 31).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();

    private static final List<String> CALENDAR = List.of("day", "week", "month", "year");

    private ModelCalendar() {
    }

    static Instant floor(String granularity, ZoneId zone, Instant time) {
        if (CALENDAR.contains(granularity)) {
            return firstDay(granularity, time.atZone(zone).toLocalDate()).atStartOfDay(zone).toInstant();
        }
        ZonedDateTime utc = time.atZone(ZoneOffset.UTC);
        return switch (granularity) {
            case "forever" -> Instant.EPOCH;
            case "second" -> utc.truncatedTo(ChronoUnit.SECONDS).toInstant();
            case "hour" -> utc.truncatedTo(ChronoUnit.HOURS).toInstant();
            default -> {
                long minuteOfDay = utc.getHour() * 60L + utc.getMinute();
                yield utc.truncatedTo(ChronoUnit.DAYS).plusMinutes(minuteOfDay / minutes(granularity) * minutes(granularity))
                        .toInstant();
            }
        };
    }

    public static Instant floor(String granularity, Instant time) {
        return floor(granularity, ZoneOffset.UTC, time);
    }

    static Instant next(String granularity, ZoneId zone, Instant start) {
        LocalDate day = start.atZone(zone).toLocalDate();
        return switch (granularity) {
            case "second" -> start.plusSeconds(1);
            case "hour" -> start.plus(1, ChronoUnit.HOURS);
            case "day" -> day.plusDays(1).atStartOfDay(zone).toInstant();
            case "week" -> day.plusDays(7).atStartOfDay(zone).toInstant();
            case "month" -> day.plusMonths(1).atStartOfDay(zone).toInstant();
            case "year" -> day.plusYears(1).atStartOfDay(zone).toInstant();
            case "forever" -> END;
            default -> start.plus(minutes(granularity), ChronoUnit.MINUTES);
        };
    }

    public static Instant ceiling(String granularity, ZoneId zone, Instant time) {
        Instant floor = floor(granularity, zone, time);
        return floor.isBefore(time) ? next(granularity, zone, floor) : floor;
    }

    /** Whether UTC buckets of one granularity never cross a bound of another's. */
    static boolean nests(String fine, String coarse) {
        if (fine.equals(coarse) || coarse.equals("forever")) {
            return true;
        }
        return switch (coarse) {
            case "week", "month" -> seconds(fine) <= 86_400;
            case "year" -> seconds(fine) <= 86_400 || fine.equals("month");
            default -> seconds(fine) <= 86_400 && seconds(coarse) % seconds(fine) == 0;
        };
    }

    /** Whether UTC buckets never cross a local midnight (or full hour) of the zone between two instants. */
    static boolean fitsInZone(String fine, ZoneId zone, long cutSeconds, Instant from, Instant to) {
        long step = Math.min(seconds(fine), cutSeconds);
        ZoneRules rules = zone.getRules();
        Instant time = from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from;
        if (rules.getOffset(time).getTotalSeconds() % step != 0) {
            return false;
        }
        Instant last = Instant.parse("2040-01-01T00:00:00Z");
        last = time.isBefore(last) ? last : time.plus(800, ChronoUnit.DAYS);
        ZoneOffsetTransition change = rules.nextTransition(time);
        while (change != null && change.getInstant().isBefore(to) && change.getInstant().isBefore(last)) {
            if (change.getOffsetAfter().getTotalSeconds() % step != 0 || isCut(change, step)) {
                return false;
            }
            change = rules.nextTransition(change.getInstant());
        }
        return true;
    }

    /** Whether a change of the clocks ends a new day at a time that is not a bucket bound. */
    private static boolean isCut(ZoneOffsetTransition change, long step) {
        return change.getDateTimeAfter().toLocalDate().isBefore(change.getDateTimeBefore().minusNanos(1).toLocalDate())
                && change.getInstant().getEpochSecond() % step != 0;
    }

    /** The length of a bucket; for month and year, a number that is longer than a week. */
    static long seconds(String granularity) {
        return switch (granularity) {
            case "second" -> 1;
            case "hour" -> 3_600;
            case "day" -> 86_400;
            case "week" -> 7 * 86_400;
            case "month" -> 30 * 86_400;
            case "year" -> 365 * 86_400;
            case "forever" -> Long.MAX_VALUE;
            default -> 60L * minutes(granularity);
        };
    }

    private static LocalDate firstDay(String granularity, LocalDate day) {
        return switch (granularity) {
            case "week" -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case "month" -> day.withDayOfMonth(1);
            case "year" -> day.withDayOfYear(1);
            default -> day;
        };
    }

    private static int minutes(String granularity) {
        return granularity.equals("minute") ? 1 : Integer.parseInt(granularity.substring(0, granularity.indexOf('-')));
    }
}
