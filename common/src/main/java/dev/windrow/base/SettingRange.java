package dev.windrow.base;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Requires settings to be within their documented ranges. Every method throws an {@link InvalidInputException} with
 * {@link Reason#INVALID_SETTING} that names the key, the range and the value.
 */
public final class SettingRange {

    /** The rule of DynamoDB ("CreateTable", TableName). */
    private static final Pattern TABLE_NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

    private SettingRange() {
    }

    /** A number of things or bytes. */
    public static void atLeast(String key, long value, long minimum) {
        require(value >= minimum, key, minimum + " or more", value);
    }

    /** A duration with a minimum that is part of the range. */
    public static void atLeast(String key, Duration value, Duration minimum) {
        require(value.compareTo(minimum) >= 0, key, text(minimum) + " or more", text(value));
    }

    /** A duration of more than nothing. */
    public static void positive(String key, Duration value) {
        require(value.compareTo(Duration.ZERO) > 0, key, "more than 0s", text(value));
    }

    /** A number of more than nothing. */
    public static void positive(String key, double value) {
        require(value > 0 && Double.isFinite(value), key, "more than 0", value);
    }

    /** A share or a quantile. */
    public static void ratio(String key, double value) {
        require(value >= 0 && value <= 1, key, "0 to 1", value);
    }

    /** A duration that an HTTP header or the API of AWS takes in seconds only. */
    public static void wholeSeconds(String key, Duration value) {
        require(value.getNano() == 0, key, "whole seconds", text(value));
    }

    /**
     * A value with a maximum, which may be that of another setting.
     *
     * @param meaning of the maximum, for example the key it comes from
     */
    public static <T extends Comparable<T>> void atMost(String key, T value, T maximum, String meaning) {
        require(value.compareTo(maximum) <= 0, key, "at most " + text(maximum) + " (" + meaning + ")", text(value));
    }

    /** A value below that of another setting. */
    public static <T extends Comparable<T>> void below(String key, T value, String otherKey, T other) {
        require(value.compareTo(other) < 0, key, "less than " + text(other) + " (" + otherKey + ")", text(value));
    }

    /** A value above that of another setting. */
    public static <T extends Comparable<T>> void above(String key, T value, String otherKey, T other) {
        require(value.compareTo(other) > 0, key, "more than " + text(other) + " (" + otherKey + ")", text(value));
    }

    /** The name of a DynamoDB table. */
    public static void tableName(String key, String value) {
        require(TABLE_NAME.matcher(value).matches(), key, "3 to 255 letters, digits, '_', '-' or '.'", value);
    }

    private static void require(boolean holds, String key, String range, Object value) {
        if (!holds) {
            throw new InvalidInputException(Reason.INVALID_SETTING, key, "expected " + range + ", found " + value);
        }
    }

    /** Durations in the form of the configuration. */
    private static String text(Object value) {
        return value instanceof Duration duration ? Durations.text(duration) : String.valueOf(value);
    }
}
