package dev.windrow.writer.store;

import dev.windrow.measure.MeasureKind;

/**
 * Conditions on an item's extreme. With the 50 measures that a dataset may have, those of one item stay below DynamoDB's
 * limits of 4 KB and 300 operators.
 */
final class ExtremeConditions {

    private ExtremeConditions() {
    }

    /** That {@code :m}, of the time {@code :t} if it has one, beats {@code #m} and {@code #t}, or that there is none. */
    static String beaten(MeasureKind kind) {
        String beats = isLeast(kind) ? " < " : " > ";
        return kind.isTimed()
                ? "attribute_not_exists(#t) OR :t" + beats + "#t OR (:t = #t AND :m" + beats + "#m)"
                : "attribute_not_exists(#m) OR :m" + beats + "#m";
    }

    /**
     * That {@code #e}, of the time {@code #t} if it has one, is there and would not be beaten by {@code :e} and {@code :t}.
     * A comparison with an attribute that is not there is false.
     *
     * @param index follows each name
     */
    static String held(MeasureKind kind, int index) {
        String before = isLeast(kind) ? " < " : " > ";
        String value = "#e" + index + (isLeast(kind) ? " <= " : " >= ") + ":e" + index;
        return kind.isTimed()
                ? "(#t" + index + before + ":t" + index + " OR (#t" + index + " = :t" + index + " AND " + value + "))"
                : value;
    }

    private static boolean isLeast(MeasureKind kind) {
        return kind == MeasureKind.MIN || kind == MeasureKind.FIRST;
    }
}
