package dev.windrow.time;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resolution at which time is divided into buckets. Buckets are half-open intervals of UTC, named by their start: weeks
 * begin on Monday as in ISO 8601, N-minute buckets are aligned to the start of the day (so N divides 1,440), and
 * {@code forever} is one bucket that starts at 1970-01-01T00:00:00Z.
 *
 * @param count number of units in a bucket; other than 1 only for minutes
 */
public record Granularity(Unit unit, int count) implements Comparable<Granularity> {

    /** The calendar units, finest first. */
    public enum Unit {
        SECOND(1),
        MINUTE(60),
        HOUR(3_600),
        DAY(86_400),
        WEEK(7 * 86_400),
        MONTH(30 * 86_400),
        YEAR(365 * 86_400),
        FOREVER(Long.MAX_VALUE);

        private final String word = name().toLowerCase(Locale.ROOT);
        /** Approximate length in seconds: good enough to order units and to estimate counts. */
        private final long typicalSeconds;

        Unit(long typicalSeconds) {
            this.typicalSeconds = typicalSeconds;
        }

        private boolean allows(int count) {
            return count == 1 || (this == MINUTE && count > 0 && count < DAY_MINUTES && DAY_MINUTES % count == 0
                    && count != HOUR_MINUTES);
        }
    }

    public static final Granularity SECOND = new Granularity(Unit.SECOND, 1);
    public static final Granularity MINUTE = new Granularity(Unit.MINUTE, 1);
    public static final Granularity HOUR = new Granularity(Unit.HOUR, 1);
    public static final Granularity DAY = new Granularity(Unit.DAY, 1);
    public static final Granularity WEEK = new Granularity(Unit.WEEK, 1);
    public static final Granularity MONTH = new Granularity(Unit.MONTH, 1);
    public static final Granularity YEAR = new Granularity(Unit.YEAR, 1);
    public static final Granularity FOREVER = new Granularity(Unit.FOREVER, 1);

    /** The names that {@link #parse} accepts, for error messages. */
    public static final String EXPECTED = "one of second, minute, N-minutes (2 to 720, a divisor of 1440, not 60), "
            + "hour, day, week, month, year, forever";

    private static final int DAY_MINUTES = 1_440;
    private static final int DAY_SECONDS = 86_400;
    private static final int HOUR_MINUTES = 60;
    /** 1970-01-01 was a Thursday, three days after its week's Monday. */
    private static final int EPOCH_WEEKDAY = 3;
    private static final Pattern MINUTES = Pattern.compile("([1-9][0-9]{0,2})-minutes");
    private static final Comparator<Granularity> FINEST_FIRST = Comparator.comparingLong(Granularity::typicalSeconds);

    public Granularity {
        if (!unit.allows(count)) {
            throw new IllegalArgumentException("expected " + EXPECTED + ", found " + count + " " + unit);
        }
    }

    /** Parses a name as in {@link #EXPECTED}; empty for any other. */
    public static Optional<Granularity> parse(String name) {
        Matcher minutes = MINUTES.matcher(name);
        if (minutes.matches()) {
            int count = Integer.parseInt(minutes.group(1));
            return count > 1 && Unit.MINUTE.allows(count) ? Optional.of(new Granularity(Unit.MINUTE, count)) : Optional.empty();
        }
        return Arrays.stream(Unit.values()).filter(unit -> unit.word.equals(name)).findFirst()
                .map(unit -> new Granularity(unit, 1));
    }

    /** The name in declarations, keys and queries: {@code second}, {@code 5-minutes}, {@code week}. */
    public String name() {
        return count == 1 ? unit.word : count + "-" + unit.word + "s";
    }

    /** The start of the bucket that contains an instant. */
    public Instant floor(Instant time) {
        return Instant.ofEpochSecond(floor(time.getEpochSecond()));
    }

    /** The start of the bucket that contains an instant, both in seconds since the epoch. */
    public long floor(long epochSecond) {
        return switch (unit) {
            case SECOND -> epochSecond;
            case MINUTE, HOUR, DAY -> epochSecond - Math.floorMod(epochSecond, typicalSeconds());
            case WEEK -> {
                long day = Math.floorDiv(epochSecond, DAY_SECONDS);
                yield (day - Math.floorMod(day + EPOCH_WEEKDAY, 7)) * DAY_SECONDS;
            }
            case MONTH -> startOfDay(date(epochSecond).withDayOfMonth(1));
            case YEAR -> startOfDay(date(epochSecond).withDayOfYear(1));
            case FOREVER -> 0;
        };
    }

    /** The end of a bucket, which is the start of the next one; {@link Instant#MAX} for {@code forever}. */
    public Instant end(Instant start) {
        long second = start.getEpochSecond();
        return switch (unit) {
            case SECOND, MINUTE, HOUR, DAY, WEEK -> start.plusSeconds(typicalSeconds());
            case MONTH -> Instant.ofEpochSecond(startOfDay(date(second).plusMonths(1)));
            case YEAR -> Instant.ofEpochSecond(startOfDay(date(second).plusYears(1)));
            case FOREVER -> Instant.MAX;
        };
    }

    public boolean isStart(Instant time) {
        return floor(time).equals(time);
    }

    /**
     * Whether each bucket of this granularity lies within one bucket of the other, so that the other can be summed from this
     * one. Weeks nest only in weeks and forever: months and years begin on any weekday.
     */
    public boolean nestsIn(Granularity other) {
        if (equals(other) || other.unit == Unit.FOREVER) {
            return true;
        }
        if (other.unit.compareTo(Unit.DAY) > 0) {
            return unit.compareTo(Unit.DAY) <= 0 || (unit == Unit.MONTH && other.unit == Unit.YEAR);
        }
        return typicalSeconds() <= other.typicalSeconds() && other.typicalSeconds() % typicalSeconds() == 0;
    }

    /** The length of a bucket in seconds: exact up to a week, typical for month and year, huge for forever. */
    public long typicalSeconds() {
        return unit == Unit.FOREVER ? unit.typicalSeconds : unit.typicalSeconds * count;
    }

    /** Finest first. */
    @Override
    public int compareTo(Granularity other) {
        return FINEST_FIRST.compare(this, other);
    }

    @Override
    public String toString() {
        return name();
    }

    private static LocalDate date(long epochSecond) {
        return LocalDate.ofEpochDay(Math.floorDiv(epochSecond, DAY_SECONDS));
    }

    private static long startOfDay(LocalDate date) {
        return date.toEpochDay() * DAY_SECONDS;
    }
}
