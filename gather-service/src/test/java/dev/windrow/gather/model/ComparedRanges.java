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

import org.jspecify.annotations.Nullable;

/**
 * A period and the period it is compared with.
 *
 * @param range the period as the API takes it, with its zone
 * @param parameters of the other period: alternating names and values
 * @param against the other period, of the period as it is rounded
 */
record ComparedRanges(GeneratedRange range, List<String> parameters, ModelRange period, UnaryOperator<ModelRange> against) {

    /**
     * The parts of two periods that are compared.
     *
     * @param comparable false if too much of the other one has expired
     */
    record Kept(@Nullable String refusal, ModelRange period, ModelRange against, boolean comparable) {
    }

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
            case 0 -> named("previous", range, period, of -> asLong(of, zone, of.from()));
            case 1 -> named("day", range, period, of -> asLong(of, zone, moved(of.to(), zone, day -> day.minusDays(1))));
            case 2 -> named("week", range, period, of -> asLong(of, zone, moved(of.to(), zone, day -> day.minusDays(7))));
            case 3 -> named("month", range, period, of -> byMonths(of, zone, 1));
            case 4 -> named("year", range, period, of -> byMonths(of, zone, 12));
            default -> {
                Instant earlier = period.from().minusSeconds(random.nextLong(86_400));
                ModelRange against = new ModelRange(earlier.isBefore(Instant.EPOCH) ? Instant.EPOCH : earlier, period.to());
                yield new ComparedRanges(range, List.of("againstFrom", against.from().toString(), "againstTo",
                        period.to().toString()), period, of -> against);
            }
        };
    }

    private static ComparedRanges named(String against, GeneratedRange range, ModelRange period,
            UnaryOperator<ModelRange> other) {
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

    /** What of the two is compared. */
    Kept kept(ModelDataset dataset, LabelFilter filter, Instant now) {
        List<String> stored = dataset.stored(filter);
        ModelCover alone = ModelCover.of(dataset.retention(), stored, range, range.zone(), now, now);
        if (alone.refusal() != null) {
            return new Kept(alone.refusal(), period, period, false);
        }
        Kept kept = first(stored, dataset.retention(), now);
        if (kept != null) {
            return kept;
        }
        Kept lost = first(stored, ModelRetention.FOREVER, now);
        if (lost == null) {
            return new Kept("invalid-parameter", period, period, false);
        }
        ModelRange asked = lost.against();
        ModelCover rest = ModelCover.of(dataset.retention(), stored, new ModelRange(asked.from(), asked.to()), ZoneOffset.UTC,
                now);
        ModelRange left = rest.refusal() != null || isEmpty(rest.range()) ? new ModelRange(asked.to(), asked.to())
                : rest.range();
        boolean fits = asked.dates() == null || isEmpty(left)
                || ((!left.from().equals(asked.from()) || left.fitsBorders(rest.first(), left.from(), asked.dates()))
                        && (!left.to().equals(asked.to()) || left.fitsBorders(rest.last(), left.to(), asked.dates())));
        return new Kept(fits ? null : "invalid-parameter", alone.range(), left, false);
    }

    /** Both periods in the finest granularity in which both are whole. */
    private @Nullable Kept first(List<String> stored, ModelRetention retention, Instant now) {
        boolean explicit = parameters.contains("againstFrom");
        for (String granularity : stored) {
            if (granularity.equals("forever")) {
                continue;
            }
            boolean inProgress = granularity.equals(stored.get(0));
            ModelRange own = rounded(granularity, period, now, inProgress);
            ModelRange asked = against.apply(own);
            ModelRange other = explicit ? rounded(granularity, asked, now, inProgress) : asked;
            ModelRange after = notBeforeAnyBucket(granularity, other);
            boolean fits = isEmpty(period) == isEmpty(own) && (!explicit || isEmpty(asked) == isEmpty(after))
                    && (isEmpty(own) || !(after.from().equals(own.from()) && after.to().equals(own.to())))
                    && isWhole(own, stored, retention, now) && isWhole(after, stored, retention, now)
                    && keeps(period, own) && (!explicit || keeps(asked, after));
            if (fits) {
                boolean borders = fitsBorders(own, granularity) && fitsBorders(after, granularity);
                return new Kept(borders ? null : "invalid-parameter", own, after, true);
            }
        }
        return null;
    }

    private static boolean isEmpty(ModelRange range) {
        return !range.from().isBefore(range.to());
    }

    private boolean keeps(ModelRange asked, ModelRange rounded) {
        return ModelCover.keepsMidnight(asked.from(), rounded.from(), range.zone())
                && (rounded.to().isAfter(asked.to()) || ModelCover.keepsMidnight(asked.to(), rounded.to(), range.zone()));
    }

    private static boolean fitsBorders(ModelRange dates, String granularity) {
        return dates.dates() == null || isEmpty(dates)
                || (dates.fitsBorders(granularity, dates.from(), dates.dates())
                        && dates.fitsBorders(granularity, dates.to(), dates.dates()));
    }

    private static ModelRange rounded(String granularity, ModelRange range, Instant now, boolean inProgress) {
        Instant from = range.from().equals(ModelRange.BEGIN) ? range.from()
                : ModelCalendar.ceiling(granularity, ZoneOffset.UTC, range.from());
        boolean toNow = inProgress && ModelCover.isNow(range.to(), now) && from.isBefore(range.to());
        Instant to = toNow ? ModelCalendar.ceiling(granularity, ZoneOffset.UTC, range.to())
                : ModelCalendar.floor(granularity, range.to());
        Instant end = to.isBefore(from) ? from : to;
        return new ModelRange(from, end, from.equals(range.from()) && end.equals(range.to()) ? range.dates() : null);
    }

    /** Whether the range is one that buckets which are kept sum up. */
    private static boolean isWhole(ModelRange range, List<String> stored, ModelRetention retention, Instant now) {
        if (isEmpty(range)) {
            return stored.stream().anyMatch(any -> ModelCalendar.floor(any, range.from()).equals(range.from())
                    && !retention.horizon(any, now).isAfter(range.from()));
        }
        ModelRange cover = ModelCover.of(retention, stored, new ModelRange(range.from(), range.to()), ZoneOffset.UTC, now)
                .range();
        return cover.from().equals(range.from()) && cover.to().equals(range.to());
    }

    private static ModelRange notBeforeAnyBucket(String granularity, ModelRange range) {
        Instant first = ModelCalendar.floor(granularity, Instant.EPOCH);
        return new ModelRange(range.from().isBefore(first) ? first : range.from(),
                range.to().isBefore(first) ? first : range.to(),
                range.dates());
    }
}
