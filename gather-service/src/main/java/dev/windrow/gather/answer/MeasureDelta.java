package dev.windrow.gather.answer;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;

/**
 * How a number changed.
 *
 * @param absolute after minus before
 * @param relative the same as a share of the size before, rounded to 34 digits; empty if there was nothing before
 */
public record MeasureDelta(BigDecimal absolute, Optional<BigDecimal> relative) {

    /** The change from one number to another. */
    public static MeasureDelta from(BigDecimal before, BigDecimal after) {
        BigDecimal absolute = after.subtract(before);
        return new MeasureDelta(absolute, before.signum() == 0
                ? Optional.empty()
                : Optional.of(absolute.divide(before.abs(), MathContext.DECIMAL128)));
    }
}
