package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/**
 * One end of a range in one of the forms that the API takes.
 *
 * @param text the parameter's value; null if the parameter is absent
 * @param instant its value, given when the answer was started
 */
record TimeBound(@Nullable String text, UnaryOperator<Instant> instant) {

    static TimeBound absent(Instant meant) {
        return new TimeBound(null, now -> meant);
    }

    private static final Instant NUMBERS_LIMIT = Instant.parse("2100-01-01T00:00:00Z");

    /** A fixed time: RFC 3339 in UTC or with an offset, or before 2100 seconds since 1970. */
    static TimeBound fixed(Instant time, RandomGenerator random) {
        return new TimeBound(switch (random.nextInt(time.isBefore(NUMBERS_LIMIT) ? 3 : 2)) {
            case 0 -> time.toString();
            case 1 -> DateTimeFormatter.ISO_OFFSET_DATE_TIME
                    .format(time.atOffset(ZoneOffset.ofHoursMinutes(random.nextInt(-12, 1), -30)));
            default -> time.getEpochSecond() + (time.getNano() == 0 ? "" : "." + String.format("%09d", time.getNano()));
        }, now -> time);
    }

    /** About a time, expressed as a distance from now. */
    static TimeBound relative(Instant about, Instant now) {
        Duration ago = Duration.ofSeconds(Duration.between(about, now).toSeconds());
        return new TimeBound("-P" + ago.toDays() + "DT" + (ago.toSeconds() % 86_400) + "S", then -> then.minus(ago));
    }
}
