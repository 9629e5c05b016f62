package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A parsed query. */
public sealed interface Expression {

    /** Whether it is a number rather than a vector of series. */
    default boolean isScalar() {
        return this instanceof Literal;
    }

    /** Returns the selections that it is computed from, as often as they occur in it; none for a number. */
    default Stream<Selection> selections() {
        return Stream.empty();
    }

    /**
     * A number.
     *
     * @param number a {@link BigDecimal}, or a {@link Double} that is infinite or NaN
     */
    record Literal(Number number) implements Expression {
    }

    /** A series without labels that has a number at each time: {@code vector(0)}. */
    record Constant(Number number) implements Expression {
    }

    /** All series of one vector, and at each time those of another whose labels, except the name, no series of it has. */
    record Union(Expression left, Expression right) implements Expression {

        @Override
        public Stream<Selection> selections() {
            return Stream.concat(left.selections(), right.selections());
        }
    }

    /**
     * Series, each with the result of a function of its buckets, and possibly summed.
     *
     * @param selector which series
     * @param function the function of their buckets
     * @param window how far back; zero for all time
     * @param offset how much before the evaluation time the window ends; negative for later
     * @param sumBy the labels to sum series by, for counts and sums before any floor is applied; empty to keep each series
     *        separate
     */
    record Selection(Selector selector, RangeFunction function, Duration window, Duration offset,
            Optional<Set<String>> sumBy) implements Expression {

        Selection summedBy(Optional<Set<String>> labels) {
            return new Selection(selector, function, window, offset, labels);
        }

        /** Whether it is a bare selector. */
        boolean isPlain() {
            return function == RangeFunction.ALL_TIME && sumBy.isEmpty();
        }

        @Override
        public Stream<Selection> selections() {
            return Stream.of(this);
        }
    }

    sealed interface OfVector extends Expression {

        Expression of();

        @Override
        default Stream<Selection> selections() {
            return of().selections();
        }
    }

    /**
     * An aggregation of series.
     *
     * @param by the labels to keep
     */
    record Aggregation(Operator operator, Set<String> by, Expression of) implements OfVector {

        enum Operator {
            SUM,
            MIN,
            MAX,
            AVG,
            COUNT
        }
    }

    /**
     * The largest series at each time.
     *
     * @param count number of series; not negative
     * @param by picks from each group of series with the same values of these labels
     */
    record TopK(int count, Set<String> by, Expression of) implements OfVector {
    }

    /** The value 1 at each time at which a vector has no value. */
    record Absent(SortedMap<String, String> labels, Expression of) implements OfVector {
    }

    /**
     * An operation on two vectors, whose series are matched by all labels except the name, or on a vector and a
     * {@link Literal}. Arithmetic combines the values of both. A comparison keeps the values of the vector, or of the left one
     * of two, for which it holds, or says for each value whether it holds. Operations on numbers alone are computed when a
     * query is parsed.
     *
     * @param bool whether a comparison gives 1 or 0 instead of filtering
     */
    record Operation(Operator operator, boolean bool, Expression left, Expression right) implements Expression {

        Operation(Operator operator, Expression left, Expression right) {
            this(operator, false, left, right);
        }

        /** Whether the values are those of an operand, so that series keep their names. */
        boolean filters() {
            return operator.isComparison() && !bool;
        }

        @Override
        public Stream<Selection> selections() {
            return Stream.concat(left.selections(), right.selections());
        }
    }

    /**
     * Selects series by name and labels.
     *
     * @param matchers all of which a series must match
     */
    record Selector(List<LabelMatcher> matchers) {

        boolean selectsMetric(String name) {
            return matchers.stream().filter(Selector::isOfName).allMatch(matcher -> matcher.matches(name));
        }

        /** Whether it selects only the metric of this name. */
        public boolean names(String name) {
            return matchers.stream().anyMatch(matcher -> isOfName(matcher)
                    && matcher.single().equals(Optional.of(ValuePattern.whole(name))));
        }

        public List<LabelMatcher> labels() {
            return matchers.stream().filter(matcher -> !isOfName(matcher)).toList();
        }

        /** Returns the values that labels must equal; leaves out labels with several matchers, as in Prometheus. */
        SortedMap<String, String> equalities() {
            List<String> matched = labels().stream().map(LabelMatcher::label).toList();
            SortedMap<String, String> equalities = new TreeMap<>();
            labels().stream().filter(matcher -> matcher.equality() && Collections.frequency(matched, matcher.label()) == 1)
                    .forEach(matcher -> matcher.values().stream().filter(value -> !value.isEmpty())
                            .forEach(value -> equalities.put(matcher.label(), value)));
            return equalities;
        }

        private static boolean isOfName(LabelMatcher matcher) {
            return matcher.label().equals(PromQl.NAME);
        }
    }

    /**
     * The values that a label may have: those listed and those of patterns, or all others. A series without the label has an
     * empty value.
     *
     * @param equality whether it is written with {@code =}
     * @param negative whether it selects the other values
     * @param anyCase whether case is ignored; then values and patterns are {@link #folded}
     * @param values whole values
     * @param patterns patterns other than whole values
     */
    record LabelMatcher(String label, boolean equality, boolean negative, boolean anyCase, Set<String> values,
            List<ValuePattern> patterns) {

        /** @param patterns of which one must match, or none if the matcher is negative */
        static LabelMatcher of(String label, boolean negative, boolean anyCase, List<ValuePattern> patterns) {
            return new LabelMatcher(label, false, negative, anyCase,
                    patterns.stream().filter(ValuePattern::isWhole).map(ValuePattern::prefix)
                            .collect(Collectors.toCollection(LinkedHashSet::new)),
                    patterns.stream().filter(pattern -> !pattern.isWhole()).toList());
        }

        static LabelMatcher equal(String label, String value, boolean negative) {
            return new LabelMatcher(label, !negative, negative, false, Set.of(value), List.of());
        }

        /** Returns the text in a single case, for comparisons that ignore case. */
        static String folded(String text) {
            return text.codePoints().map(Character::toUpperCase).map(Character::toLowerCase)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
        }

        public boolean matches(String given) {
            String value = anyCase ? folded(given) : given;
            return negative != (values.contains(value) || patterns.stream().anyMatch(pattern -> pattern.matches(value)));
        }

        /** Whether it is {@code .*}, which dashboards send if nothing is chosen. */
        boolean matchesAll() {
            return !negative && patterns.contains(ValuePattern.ANY);
        }

        /** Returns the one pattern that selects all values, or empty if there are several. */
        public Optional<ValuePattern> single() {
            if (negative || anyCase || values.size() + patterns.size() != 1) {
                return Optional.empty();
            }
            return values.stream().map(ValuePattern::whole).findFirst().or(() -> Optional.of(patterns.get(0)));
        }
    }

    /** The functions of a series' buckets at one time. */
    enum RangeFunction {

        /** A selector without a range: everything before the evaluation time. */
        ALL_TIME,
        /** The growth of a count or sum. */
        INCREASE,
        /** The growth of a count or sum per second. */
        RATE,
        MIN_OVER_TIME,
        MAX_OVER_TIME,
        LAST_OVER_TIME;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<RangeFunction> of(String word) {
            return Arrays.stream(values()).filter(function -> function != ALL_TIME && function.word().equals(word)).findFirst();
        }

        static String words() {
            return Arrays.stream(values()).filter(function -> function != ALL_TIME).map(RangeFunction::word)
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * Exact arithmetic: numbers of a query and results have up to 76 digits, as the product of two DynamoDB numbers may have,
     * and quotients 34, as in the other answers of the API. Infinities and NaN are {@link Double}s, and computed as such. In
     * comparisons, NaN differs from every value including itself, and is neither less nor greater.
     */
    @SuppressWarnings("ImmutableEnumChecker") // Its functions have no state, its list is unmodifiable.
    enum Operator {

        ADD("+", BigDecimal::add, (a, b) -> a + b),
        SUBTRACT("-", BigDecimal::subtract, (a, b) -> a - b),
        MULTIPLY("*", BigDecimal::multiply, (a, b) -> a * b),
        DIVIDE("/", (a, b) -> a.divide(b, MathContext.DECIMAL128), (a, b) -> a / b),
        REMAINDER("%", BigDecimal::remainder, (a, b) -> a % b),
        EQUAL("==", 0),
        UNEQUAL("!=", -1, 1),
        LESS("<", -1),
        GREATER(">", 1),
        AT_MOST("<=", -1, 0),
        AT_LEAST(">=", 0, 1);

        private static final MathContext DIGITS = new MathContext(76, RoundingMode.HALF_EVEN);
        /** Bounds the digits of sums of series, and of results before they are rounded. */
        private static final int MAX_EXPONENT = 300;
        static final String RANGE = "from 1E-" + MAX_EXPONENT + " to 1E+" + MAX_EXPONENT;

        private final String symbol;
        private final BinaryOperator<BigDecimal> exact;
        private final DoubleBinaryOperator inexact;
        /** The signs of the order of two operands for which a comparison holds; empty for arithmetic. */
        private final List<Integer> orders;

        Operator(String symbol, BinaryOperator<BigDecimal> exact, DoubleBinaryOperator inexact) {
            this.symbol = symbol;
            this.exact = exact;
            this.inexact = inexact;
            this.orders = List.of();
        }

        /** Makes a comparison, which keeps its left operand. */
        Operator(String symbol, Integer... orders) {
            this.symbol = symbol;
            this.exact = (left, right) -> left;
            this.inexact = (left, right) -> left;
            this.orders = List.of(orders);
        }

        String symbol() {
            return symbol;
        }

        boolean isComparison() {
            return !orders.isEmpty();
        }

        /** Whether it would divide by zero. */
        boolean isUndefined(Number right) {
            return (this == DIVIDE || this == REMAINDER) && right instanceof BigDecimal divisor && divisor.signum() == 0;
        }

        Number apply(Number left, Number right) {
            if (isUndefined(right)) {
                throw PromQl.invalid("the number after " + symbol + " must not be zero, as results are finite numbers");
            }
            if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
                return bounded(exact.apply(a, b).round(DIGITS));
            }
            double result = inexact.applyAsDouble(left.doubleValue(), right.doubleValue());
            // A finite result can only come from dividing by an infinity.
            return !Double.isFinite(result) ? result : this == REMAINDER ? left : BigDecimal.ZERO;
        }

        boolean holds(Number left, Number right) {
            boolean none = isNoNumber(left) || isNoNumber(right);
            return none ? this == UNEQUAL : orders.contains(Integer.signum(compare(left, right)));
        }

        /** 1 if a comparison holds, else 0. */
        BigDecimal truth(Number left, Number right) {
            return holds(left, right) ? BigDecimal.ONE : BigDecimal.ZERO;
        }

        /** Compares by size; NaN is less than all numbers. */
        static int compare(Number left, Number right) {
            if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
                return a.compareTo(b);
            }
            boolean none = isNoNumber(left);
            return none || isNoNumber(right) ? Boolean.compare(!none, !isNoNumber(right))
                    : Double.compare(left.doubleValue(), right.doubleValue());
        }

        static boolean isNoNumber(Number number) {
            return Double.isNaN(number.doubleValue());
        }

        /**
         * Returns a number of a query. Every value of an answer may be computed with it, so its digits are bounded like those
         * of results.
         *
         * @throws dev.windrow.base.InvalidInputException if the number is neither zero nor in the {@link #RANGE}
         */
        static BigDecimal literal(BigDecimal number) {
            // Bounded first: numbers far outside the range cannot be rounded.
            return bounded(bounded(number).round(DIGITS));
        }

        /** @throws dev.windrow.base.InvalidInputException if the number is neither zero nor in the {@link #RANGE} */
        private static BigDecimal bounded(BigDecimal number) {
            long exponent = (long) number.precision() - number.scale() - 1;
            if (number.signum() != 0 && Math.abs(exponent) > MAX_EXPONENT) {
                throw PromQl.invalid("expected numbers and results " + RANGE);
            }
            return number.signum() == 0 ? BigDecimal.ZERO : number;
        }
    }
}
