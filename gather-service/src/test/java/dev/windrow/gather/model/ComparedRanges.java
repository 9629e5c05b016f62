package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * A period and the period it is compared with.
 *
 * @param range the period as the API takes it, with its zone
 * @param parameters of the other period: alternating names and values
 * @param against the other period
 */
record ComparedRanges(GeneratedRange range, List<String> parameters, ModelRange period, ModelRange against) {

    static ComparedRanges of(ModelDataset dataset, RandomGenerator random) {
        boolean edges = dataset.name().equals("edges");
        ZoneId zone = edges || random.nextBoolean() ? ZoneOffset.UTC : GeneratedRange.zone(random);
        Instant from = edges
                ? Instant.ofEpochSecond(random.nextLong(20 * 86_400))
                : GeneratedDatasets.FROM.plusSeconds(random.nextLong(20 * 86_400));
        Instant to = from.plusSeconds(random.nextLong(8 * 86_400));
        GeneratedRange range = GeneratedRange.fixed(from, to, random);
        if (!edges && random.nextInt(3) == 0) {
            LocalDate first = random.nextBoolean() ? LocalDate.of(2025, random.nextInt(2, 5), 1)
                    : from.atZone(zone).toLocalDate();
            LocalDate end = random.nextBoolean() ? first.plusMonths(random.nextInt(1, 4)).withDayOfMonth(1)
                    : first.plusDays(random.nextInt(40));
            range = random.nextBoolean()
                    ? GeneratedRange.datesAbout(GeneratedRange.TWICE.getOrDefault(zone, first), zone, random)
                    : GeneratedRange.dates(first, end, zone);
        } else if (!zone.equals(ZoneOffset.UTC)) {
            range = range.in(zone);
        }
        return of(range, range.range().apply(Instant.EPOCH), zone, random);
    }

    private static ComparedRanges of(GeneratedRange range, ModelRange period, ZoneId zone, RandomGenerator random) {
        return switch (random.nextInt(6)) {
            case 0 -> named("previous", range, period, asLong(period, zone, period.from()));
            case 1 -> named("day", range, period, asLong(period, zone, moved(period.to(), zone, day -> day.minusDays(1))));
            case 2 -> named("week", range, period, asLong(period, zone, moved(period.to(), zone, day -> day.minusDays(7))));
            case 3 -> named("month", range, period, byMonths(period, zone, 1));
            case 4 -> named("year", range, period, byMonths(period, zone, 12));
            default -> {
                Instant earlier = period.from().minusSeconds(random.nextLong(86_400));
                ModelRange against = new ModelRange(earlier.isBefore(Instant.EPOCH) ? Instant.EPOCH : earlier, period.to());
                yield new ComparedRanges(range, List.of("againstFrom", against.from().toString(), "againstTo",
                        period.to().toString()), period, against);
            }
        };
    }

    private static ComparedRanges named(String against, GeneratedRange range, ModelRange period, ModelRange other) {
        return new ComparedRanges(range, List.of("against", against), period, other);
    }

    /** Whole months are compared with whole months, which may have other lengths. */
    private static ModelRange byMonths(ModelRange period, ZoneId zone, int months) {
        UnaryOperator<LocalDate> step = day -> day.minusMonths(months);
        return isFirstOfMonth(period.from(), zone) && isFirstOfMonth(period.to(), zone)
                ? new ModelRange(moved(period.from(), zone, step), moved(period.to(), zone, step), period.dates())
                : asLong(period, zone, moved(period.to(), zone, step));
    }

    private static boolean isFirstOfMonth(Instant time, ZoneId zone) {
        return LocalDateTime.ofInstant(time, zone).equals(time.atZone(zone).toLocalDate().withDayOfMonth(1).atStartOfDay());
    }

    /** The same local time on another day. */
    private static Instant moved(Instant time, ZoneId zone, UnaryOperator<LocalDate> day) {
        LocalDateTime local = LocalDateTime.ofInstant(time, zone);
        return ZonedDateTime.ofLocal(day.apply(local.toLocalDate()).atTime(local.toLocalTime()), zone,
                zone.getRules().getOffset(time)).toInstant();
    }

    /** A period of the same length: as many days, and the same part of a day. */
    private static ModelRange asLong(ModelRange period, ZoneId zone, Instant end) {
        if (period.dates() != null) {
            long length = ChronoUnit.DAYS.between(ModelRange.date(period.from(), zone), ModelRange.date(period.to(), zone));
            return ModelRange.of(ModelRange.date(end, zone).minusDays(length), ModelRange.date(end, zone), zone);
        }
        int days = 0;
        while (!moved(period.from(), zone, plus(days + 1)).isAfter(period.to())) {
            days++;
        }
        Duration rest = Duration.between(moved(period.from(), zone, plus(days)), period.to());
        return new ModelRange(moved(end.minus(rest), zone, plus(-days)), end);
    }

    private static UnaryOperator<LocalDate> plus(int days) {
        return day -> day.plusDays(days);
    }

    /** Whether both begin and end at bucket bounds, as local days must, and the other period has enough buckets. */
    boolean fit(String finest, ModelRetention retention, Instant now) {
        int own = buckets(finest, period);
        int others = buckets(finest, against);
        boolean explicit = parameters.contains("againstFrom");
        boolean exact = List.of("month", "year").contains(finest) && isStart(finest, period.from())
                && isStart(finest, period.to());
        return range.fits(finest, retention.bounds(finest, period, now))
                && range.fits(finest, retention.bounds(finest, against, now))
                && (explicit || ((own == 0 || (others > 0 && !isSame(finest))) && (!exact || own == others)));
    }

    private boolean isSame(String finest) {
        return ModelCalendar.ceiling(finest, ZoneOffset.UTC, period.from())
                .equals(ModelCalendar.ceiling(finest, ZoneOffset.UTC, against.from()))
                && ModelCalendar.ceiling(finest, ZoneOffset.UTC, period.to())
                        .equals(ModelCalendar.ceiling(finest, ZoneOffset.UTC, against.to()));
    }

    private static boolean isStart(String granularity, Instant time) {
        return ModelCalendar.floor(granularity, time).equals(time);
    }

    /** The number of buckets that start in a range; for short buckets, at most 1. */
    private static int buckets(String granularity, ModelRange range) {
        Instant start = ModelCalendar.ceiling(granularity, ZoneOffset.UTC, range.from());
        Instant end = ModelCalendar.ceiling(granularity, ZoneOffset.UTC, range.to());
        int count = 0;
        while (start.isBefore(end) && (count == 0 || ModelCalendar.seconds(granularity) > 8 * 86_400)) {
            count++;
            start = ModelCalendar.next(granularity, ZoneOffset.UTC, start);
        }
        return count;
    }
}
