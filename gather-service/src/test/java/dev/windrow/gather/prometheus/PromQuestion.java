package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A question in PromQL and its answer.
 *
 * @param of the queried expression
 * @param step the time between two evaluations
 */
record PromQuestion(Vector of, String tenant, Instant start, Duration step, int count) {

    static final MathContext DIGITS = new MathContext(76, RoundingMode.HALF_EVEN);
    private static final MathContext SHOWN = new MathContext(38, RoundingMode.HALF_EVEN);
    private static final int MAX_PLAIN = 60;

    /** The order of labels: alternating names and values, sorted by name, without empty values. */
    static final Comparator<List<String>> LABELS = (a, b) -> {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = a.get(i).compareTo(b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    };

    String text() {
        return of.text();
    }

    /** The expected series as text: labels, and values by time in milliseconds. */
    List<String> expected() {
        SortedMap<List<String>, SortedMap<Long, String>> series = new TreeMap<>(LABELS);
        for (int i = 0; i < count; i++) {
            Instant time = start.plus(step.multipliedBy(i));
            of.at(time).forEach((labels, value) -> series.computeIfAbsent(labels, absent -> new TreeMap<>())
                    .put(time.toEpochMilli(), shown(value)));
        }
        return series.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue()).toList();
    }

    private static String shown(BigDecimal value) {
        BigDecimal rounded = value.round(SHOWN).stripTrailingZeros();
        String plain = rounded.signum() == 0 ? "0" : rounded.toPlainString();
        return plain.length() <= MAX_PLAIN ? plain : rounded.toString();
    }

    /** An expression whose value is a set of series. */
    interface Vector {

        String text();

        Map<List<String>, BigDecimal> at(Instant time);

        /** The precedence of its outermost operator; higher than any operator's if there is none. */
        default int precedence() {
            return 4;
        }

        default List<String> absentLabels() {
            return List.of();
        }
    }

    /**
     * An operator between two vectors.
     *
     * @param symbol of an arithmetic operator or a comparison
     */
    record Operation(String symbol, Vector left, Vector right) implements Vector {

        static int precedence(String symbol) {
            return switch (symbol) {
                case "*", "/", "%" -> 3;
                case "+", "-" -> 2;
                case "or" -> 0;
                default -> 1;
            };
        }

        @Override
        public int precedence() {
            return precedence(symbol);
        }

        @Override
        public String text() {
            return operand(left, precedence()) + " " + symbol + " " + operand(right, precedence() + 1);
        }

        /** The text of an operand, in parentheses only if they are needed. */
        static String operand(Vector vector, int precedence) {
            return vector.precedence() < precedence ? "(" + vector.text() + ")" : vector.text();
        }

        @Override
        public Map<List<String>, BigDecimal> at(Instant time) {
            if (symbol.equals("or")) {
                return united(left.at(time), right.at(time));
            }
            Map<List<String>, BigDecimal> partners = new HashMap<>();
            right.at(time).forEach((labels, value) -> partners.put(unnamed(labels), value));
            Map<List<String>, BigDecimal> results = new HashMap<>();
            left.at(time).forEach((labels, a) -> Optional.ofNullable(partners.get(unnamed(labels)))
                    .flatMap(b -> isBool(symbol) ? Optional.of(truth(symbol, a, b))
                            : isComparison(symbol)
                                    ? Optional.of(a).filter(kept -> holds(symbol, a.compareTo(b)))
                                    : computed(symbol, a, b))
                    .ifPresent(
                            value -> results.put(isComparison(symbol) && !isBool(symbol) ? labels : unnamed(labels), value)));
            return results;
        }

        /** What no series on the left has the labels of is taken from the right. */
        private static Map<List<String>, BigDecimal> united(Map<List<String>, BigDecimal> left,
                Map<List<String>, BigDecimal> right) {
            Map<List<String>, BigDecimal> all = new HashMap<>(left);
            List<List<String>> taken = left.keySet().stream().map(Operation::unnamed).toList();
            right.forEach((labels, value) -> {
                if (!taken.contains(unnamed(labels))) {
                    all.put(labels, value);
                }
            });
            return all;
        }

        static boolean isBool(String symbol) {
            return symbol.endsWith(" bool");
        }

        static BigDecimal truth(String symbol, BigDecimal a, BigDecimal b) {
            return holds(symbol.replace(" bool", ""), a.compareTo(b)) ? BigDecimal.ONE : BigDecimal.ZERO;
        }

        static boolean isComparison(String symbol) {
            return precedence(symbol) == 1;
        }

        static List<String> unnamed(List<String> labels) {
            return !labels.isEmpty() && labels.get(0).equals("__name__") ? labels.subList(2, labels.size()) : labels;
        }

        static boolean holds(String symbol, int order) {
            return switch (symbol) {
                case "==" -> order == 0;
                case "!=" -> order != 0;
                case "<" -> order < 0;
                case ">" -> order > 0;
                case "<=" -> order <= 0;
                case ">=" -> order >= 0;
                default -> throw new IllegalArgumentException(symbol);
            };
        }

        static Optional<BigDecimal> computed(String symbol, BigDecimal a, BigDecimal b) {
            if (b.signum() == 0 && (symbol.equals("/") || symbol.equals("%"))) {
                return Optional.empty();
            }
            return Optional.of(switch (symbol) {
                case "+" -> a.add(b, DIGITS);
                case "-" -> a.subtract(b, DIGITS);
                case "*" -> a.multiply(b, DIGITS);
                case "/" -> a.divide(b, MathContext.DECIMAL128);
                case "%" -> a.subtract(b.multiply(a.divideToIntegralValue(b))).round(DIGITS);
                default -> throw new IllegalArgumentException(symbol);
            });
        }
    }

    /**
     * An operator between a vector and a number.
     *
     * @param symbol of an arithmetic operator or a comparison
     * @param number the number; not zero as a divisor
     * @param numberFirst whether the number is on the left
     */
    record NumberOperation(String symbol, Vector of, BigDecimal number, boolean numberFirst) implements Vector {

        @Override
        public int precedence() {
            return Operation.precedence(symbol);
        }

        @Override
        public String text() {
            return numberFirst
                    ? number.toPlainString() + " " + symbol + " " + Operation.operand(of, precedence() + 1)
                    : Operation.operand(of, precedence()) + " " + symbol + " " + number.toPlainString();
        }

        @Override
        public Map<List<String>, BigDecimal> at(Instant time) {
            Map<List<String>, BigDecimal> results = new HashMap<>();
            of.at(time).forEach((labels, value) -> {
                BigDecimal a = numberFirst ? number : value;
                BigDecimal b = numberFirst ? value : number;
                if (Operation.isBool(symbol)) {
                    results.put(Operation.unnamed(labels), Operation.truth(symbol, a, b));
                } else if (!Operation.isComparison(symbol)) {
                    Operation.computed(symbol, a, b).ifPresent(result -> results.put(Operation.unnamed(labels), result));
                } else if (Operation.holds(symbol, a.compareTo(b))) {
                    results.put(labels, value);
                }
            });
            return results;
        }
    }

    /** A number at every time. */
    record Constant(BigDecimal number) implements Vector {

        @Override
        public String text() {
            return "vector(" + number.toPlainString() + ")";
        }

        @Override
        public Map<List<String>, BigDecimal> at(Instant time) {
            return Map.of(List.of(), number);
        }
    }

    /** The value 1 if a vector has no series. */
    record Absent(Vector of) implements Vector {

        @Override
        public String text() {
            return "absent(" + of.text() + ")";
        }

        @Override
        public Map<List<String>, BigDecimal> at(Instant time) {
            return of.at(time).isEmpty() ? Map.of(of.absentLabels(), BigDecimal.ONE) : Map.of();
        }
    }
}
