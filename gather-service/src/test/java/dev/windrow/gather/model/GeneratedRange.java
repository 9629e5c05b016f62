package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/**
 * A range of time in one of the forms that the API takes.
 *
 * @param parameters alternating names and values
 * @param range its value, as a function of when the answer was started
 * @param zone the zone of dates and words
 */
record GeneratedRange(List<String> parameters, Function<Instant, ModelRange> range, ZoneId zone) {

    private static final List<ZoneId> ZONES = List.of(ZoneId.of("Europe/Berlin"), ZoneId.of("Asia/Kolkata"),
            ZoneId.of("America/Toronto"), ZoneId.of("Australia/Sydney"), ZoneId.of("America/St_Johns"),
            ZoneId.of("America/Moncton"));

    /** Dates that begin twice: clocks went back by an hour one minute after midnight. */
    static final Map<ZoneId, LocalDate> TWICE = Map.of(ZoneId.of("America/St_Johns"), LocalDate.of(2010, 11, 7),
            ZoneId.of("America/Moncton"), LocalDate.of(2005, 10, 30));

    GeneratedRange(List<String> parameters, Function<Instant, ModelRange> range) {
        this(parameters, range, ZoneOffset.UTC);
    }

    static ZoneId zone(RandomGenerator random) {
        return ZONES.get(random.nextInt(ZONES.size()));
    }

    /** A range of a zone, by dates, by a word or by times. */
    static GeneratedRange local(ModelDataset dataset, Instant now, RandomGenerator random) {
        ZoneId zone = zone(random);
        List<ModelEvent> events = dataset.of("default");
        LocalDate day = events.get(random.nextInt(events.size())).time().atZone(zone).toLocalDate();
        if (TWICE.containsKey(zone) && random.nextInt(4) > 0) {
            return datesAbout(TWICE.getOrDefault(zone, day), zone, random);
        }
        return switch (random.nextInt(4)) {
            case 0 -> of(dataset, now, random).in(zone);
            case 1 -> words(zone, random);
            default -> dates(day.isBefore(FIRST_DAY) ? FIRST_DAY : day, day.plusDays(random.nextInt(1, 40)), zone);
        };
    }

    static GeneratedRange dates(LocalDate from, LocalDate to, ZoneId zone) {
        ModelRange dates = ModelRange.of(from, to, zone);
        return new GeneratedRange(List.of("from", from.toString(), "to", to.toString()), now -> dates).in(zone);
    }

    static GeneratedRange datesAbout(LocalDate day, ZoneId zone, RandomGenerator random) {
        LocalDate from = day.plusDays(random.nextInt(-2, 1));
        LocalDate first = from.isBefore(FIRST_DAY) ? FIRST_DAY : from;
        return dates(first, first.plusDays(random.nextInt(4)), zone);
    }

    private static GeneratedRange words(ZoneId zone, RandomGenerator random) {
        String word = List.of("today", "yesterday", "this-week", "this-month", "last-month", "this-year",
                "last-week", "last-year").get(random.nextInt(8));
        return new GeneratedRange(List.of("last", word), now -> {
            LocalDate today = now.atZone(zone).toLocalDate();
            LocalDate first = switch (word) {
                case "today" -> today;
                case "yesterday" -> today.minusDays(1);
                case "this-week" -> today.minusDays(today.getDayOfWeek().getValue() - 1L);
                case "last-month" -> YearMonth.from(today).minusMonths(1).atDay(1);
                case "last-week" -> today.minusDays(today.getDayOfWeek().getValue() + 6L);
                case "last-year" -> LocalDate.of(today.getYear() - 1, 1, 1);
                case "this-year" -> LocalDate.of(today.getYear(), 1, 1);
                default -> YearMonth.from(today).atDay(1);
            };
            return switch (word) {
                case "yesterday" -> ModelRange.of(first, today, zone);
                case "last-week" -> ModelRange.of(first, first.plusDays(7), zone);
                case "last-year" -> ModelRange.of(first, first.plusYears(1), zone);
                case "last-month" -> ModelRange.of(first, YearMonth.from(today).atDay(1), zone);
                default -> new ModelRange(first.atStartOfDay(zone).toInstant(), now);
            };
        }).in(zone);
    }

    GeneratedRange in(ZoneId other) {
        List<String> all = new ArrayList<>(parameters);
        all.addAll(List.of("tz", other.getId()));
        return new GeneratedRange(all, range, other);
    }

    /** Whether it ends now and has a length. */
    boolean isSpan() {
        int last = parameters.indexOf("last");
        return last >= 0 && parameters.get(last + 1).matches("[0-9]+[a-z]");
    }

    private static final Instant LATEST = ModelCalendar.END.minusNanos(1);
    private static final LocalDate FIRST_DAY = LocalDate.of(1970, 1, 2);

    /** A range near the times of a dataset's events; occasionally all time, or empty. */
    static GeneratedRange of(ModelDataset dataset, Instant now, RandomGenerator random) {
        Instant a = time(dataset, random);
        Instant b = random.nextInt(15) == 0 ? a : time(dataset, random);
        return between(a.isBefore(b) ? a : b, a.isBefore(b) ? b : a, now, random);
    }

    /** A range roughly between two times, possibly with an open end. */
    private static GeneratedRange between(Instant from, Instant to, Instant now, RandomGenerator random) {
        int form = random.nextInt(12);
        if (form == 0 && from.isBefore(now)) {
            return last(Duration.between(from, now), random);
        }
        boolean farApart = Duration.between(from, to).toDays() > 0;
        TimeBound begin = form == 1 || form == 2
                ? TimeBound.absent(ModelRange.BEGIN)
                : form == 3 && farApart ? TimeBound.relative(from, now) : TimeBound.fixed(from, random);
        TimeBound end = form == 1 || form == 4
                ? TimeBound.absent(ModelCalendar.END)
                : form == 3 && farApart ? TimeBound.relative(to, now) : TimeBound.fixed(to, random);
        return of(begin, end);
    }

    static GeneratedRange fixed(Instant from, Instant to, RandomGenerator random) {
        return of(TimeBound.fixed(from, random), TimeBound.fixed(to, random));
    }

    /** The range of the bucket that holds a time; all time for the granularity forever. */
    static GeneratedRange bucket(String granularity, Instant time, RandomGenerator random) {
        if (granularity.equals("forever")) {
            return new GeneratedRange(List.of(), now -> ModelRange.ALL);
        }
        Instant start = ModelCalendar.floor(granularity, time);
        return fixed(start, ModelCalendar.next(granularity, ZoneOffset.UTC, start), random);
    }

    private static GeneratedRange of(TimeBound begin, TimeBound end) {
        List<String> parameters = new ArrayList<>();
        if (begin.text() != null) {
            parameters.addAll(List.of("from", begin.text()));
        }
        if (end.text() != null) {
            parameters.addAll(List.of("to", end.text()));
        }
        return new GeneratedRange(parameters, now -> new ModelRange(begin.instant().apply(now), end.instant().apply(now)));
    }

    private static GeneratedRange last(Duration span, RandomGenerator random) {
        String text = random.nextBoolean() ? span.toDays() + "d" : span.toHours() + "h";
        Duration exact = text.endsWith("d") ? Duration.ofDays(span.toDays()) : Duration.ofHours(span.toHours());
        return new GeneratedRange(List.of("last", text), now -> new ModelRange(now.minus(exact), now));
    }

    /** A time at or near an event or a bucket bound. */
    private static Instant time(ModelDataset dataset, RandomGenerator random) {
        List<ModelEvent> events = dataset.of("default");
        Instant time = events.get(random.nextInt(events.size())).time();
        String granularity = dataset.granularities().get(random.nextInt(dataset.granularities().size()));
        Instant drawn = switch (random.nextInt(5)) {
            case 0 -> time;
            case 1 -> time.plusMillis(random.nextInt(-5_000_000, 5_000_000));
            case 2 -> granularity.equals("forever") ? time : ModelCalendar.floor(granularity, time);
            case 3 -> List.copyOf(dataset.widths().keySet()).get(random.nextInt(dataset.widths().size()));
            default -> Instant.ofEpochSecond(time.getEpochSecond());
        };
        return drawn.isBefore(Instant.EPOCH) ? Instant.EPOCH : drawn.isBefore(ModelCalendar.END) ? drawn : LATEST;
    }

    boolean isAll() {
        return range.apply(Instant.EPOCH).equals(ModelRange.ALL);
    }

    /**
     * One end of a range in one of the forms that the API takes.
     *
     * @param text the parameter's value; null if the parameter is absent
     * @param instant its value, given when the answer was started
     */
    private record TimeBound(@Nullable String text, UnaryOperator<Instant> instant) {

        static TimeBound absent(Instant meant) {
            return new TimeBound(null, now -> meant);
        }

        private static final Instant NUMBERS_LIMIT = Instant.parse("2100-01-01T00:00:00Z");

        /** A fixed time: RFC 3339 in UTC or with an offset, or seconds since 1970 if before 2100 and unlike a date. */
        static TimeBound fixed(Instant time, RandomGenerator random) {
            boolean likeDate = Long.toString(time.getEpochSecond()).matches("(19|20)[0-9]{6}");
            return new TimeBound(switch (random.nextInt(time.isBefore(NUMBERS_LIMIT) && !likeDate ? 3 : 2)) {
                case 0 -> time.toString();
                case 1 -> DateTimeFormatter.ISO_OFFSET_DATE_TIME
                        .format(time.atOffset(ZoneOffset.ofHoursMinutes(random.nextInt(-12, 1), -30)));
                default -> time.getEpochSecond() + (time.getNano() == 0 ? "" : "." + String.format("%09d", time.getNano()));
            }, now -> time);
        }

        static TimeBound relative(Instant about, Instant now) {
            Duration ago = Duration.ofSeconds(Duration.between(about, now).toSeconds());
            return new TimeBound("-P" + ago.toDays() + "DT" + (ago.toSeconds() % 86_400) + "S", then -> then.minus(ago));
        }
    }
}
