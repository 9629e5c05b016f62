package dev.windrow.dataset;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The value of a measure in one bucket.
 *
 * @param value an exact decimal within the limits of {@link Decimals}
 * @param time the event time of the value, only for kinds that are ordered by time
 */
public record MeasureValue(BigDecimal value, @Nullable Instant time) {

    /** One counted event. */
    public static final MeasureValue ONE = new MeasureValue(BigDecimal.ONE, null);

    public static MeasureValue of(BigDecimal value) {
        return new MeasureValue(value, null);
    }

    public static MeasureValue at(BigDecimal value, Instant time) {
        return new MeasureValue(value, time);
    }

    MeasureValue plus(MeasureValue other) {
        return of(value.add(other.value));
    }

    Instant requiredTime() {
        return Objects.requireNonNull(time, "first and last need the time of their value");
    }
}
