package dev.windrow.base;

import java.math.BigDecimal;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * DynamoDB's numbers: up to 38 significant digits, magnitudes from 1E-130 to 9.99…E+125, and zero (DynamoDB developer guide,
 * "Data types"). Values are exact decimals from end to end, never binary floating point.
 */
public final class Decimals {

    /** Maximum number of significant digits of a DynamoDB number. */
    public static final int DIGITS = 38;

    /** The numbers that {@link #fits} accepts, for error messages. */
    public static final String EXPECTED = "a number of at most 38 digits between 1E-130 and 9.99E+125";

    /** Maximum digits of a value in a sum, before and after the point. */
    public static final int SUMMAND_DIGITS = 29;

    /** Maximum digits after the point of a value in a sum; values are rounded to them. */
    public static final int SUMMAND_DECIMALS = 14;

    private static final int HIGHEST_EXPONENT = 125;
    private static final int LOWEST_EXPONENT = -130;

    /** Longer texts would take long to parse; 38 digits and 130 zeros fit. */
    private static final int MAX_TEXT = 1_000;
    private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private Decimals() {
    }

    /** Parses a number written as in JSON; null if the text is not one, is too long, or has too large an exponent. */
    public static @Nullable BigDecimal parse(String text) {
        if (text.isEmpty() || text.charAt(0) > '9' || text.length() > MAX_TEXT || !JSON_NUMBER.matcher(text).matches()) {
            return null;
        }
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException exponent) {
            return null;
        }
    }

    /** Whether DynamoDB stores this number without loss. */
    public static boolean fits(BigDecimal number) {
        if (number.signum() == 0) {
            return true;
        }
        // Long arithmetic: the scale of a BigDecimal spans the whole int range.
        long exponent = (long) number.precision() - number.scale() - 1;
        if (exponent > HIGHEST_EXPONENT || exponent < LOWEST_EXPONENT) {
            return false;
        }
        return number.precision() <= DIGITS || number.stripTrailingZeros().precision() <= DIGITS;
    }

    /** The shortest plain text of a number, without exponent and trailing zeros: {@code 1.50} becomes {@code 1.5}. */
    public static String canonical(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
