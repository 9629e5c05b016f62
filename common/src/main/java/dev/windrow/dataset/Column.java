package dev.windrow.dataset;

import java.math.BigDecimal;
import java.math.MathContext;

import org.jspecify.annotations.Nullable;

/**
 * A number that answers show for a dataset: a measure, or the ratio of two. Ratios are never stored: they are computed last,
 * from the measures as the answer shows them, so a ratio may be added, changed or removed at any time.
 *
 * @param name its name in answers, unique in its dataset
 * @param of the index of the measure, or of the ratio's dividend, among the dataset's measures
 * @param to the index of the ratio's divisor; negative for a measure
 * @param about its title, description and unit
 */
public record Column(String name, int of, int to, About about) {

    /** The type of ratios in the declarations of measures. */
    public static final String RATIO = "ratio";

    private static final int NONE = -1;

    /** A ratio without a title, description or unit. */
    public Column(String name, int of, int to) {
        this(name, of, to, About.NOTHING);
    }

    static Column measure(String name, int place) {
        return new Column(name, place, NONE);
    }

    Column withAbout(About other) {
        return new Column(name, of, to, other);
    }

    public boolean isRatio() {
        return to != NONE;
    }

    /** Returns the quotient of two numbers, to 34 digits; null if one is missing or the divisor is zero. */
    public static @Nullable BigDecimal quotient(@Nullable BigDecimal of, @Nullable BigDecimal to) {
        return of == null || to == null || to.signum() == 0 ? null : of.divide(to, MathContext.DECIMAL128);
    }
}
