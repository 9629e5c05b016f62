package dev.windrow.gather.promql;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Exact arithmetic: numbers of a query and results have up to 76 digits, as a product of two of DynamoDB's numbers may, and
 * quotients 34. Infinities and what is no number are {@link Double}s, and computed as such.
 */
public enum ArithmeticOperator {

    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    REMAINDER("%");

    /** As in the other answers of the API. */
    static final MathContext QUOTIENT = MathContext.DECIMAL128;
    private static final MathContext PRODUCT = new MathContext(76, RoundingMode.HALF_EVEN);
    /** Bounds the digits of sums of series, and of what results are rounded from. */
    private static final int MAX_EXPONENT = 300;
    /** Magnitudes of numbers. */
    static final String RANGE = "from 1E-" + MAX_EXPONENT + " to 1E+" + MAX_EXPONENT;

    private final String symbol;

    ArithmeticOperator(String symbol) {
        this.symbol = symbol;
    }

    boolean is(Token token) {
        return token.is(symbol);
    }

    Number apply(Number left, Number right) {
        if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
            return exact(a, b);
        }
        if (right instanceof BigDecimal divisor && (this == DIVIDE || this == REMAINDER)) {
            nonZero(divisor);
        }
        double result = switch (this) {
            case ADD -> left.doubleValue() + right.doubleValue();
            case SUBTRACT -> left.doubleValue() - right.doubleValue();
            case MULTIPLY -> left.doubleValue() * right.doubleValue();
            case DIVIDE -> left.doubleValue() / right.doubleValue();
            case REMAINDER -> left.doubleValue() % right.doubleValue();
        };
        // Finite is only what is divided by an infinity.
        return !Double.isFinite(result) ? result : this == REMAINDER ? left : BigDecimal.ZERO;
    }

    /** By size; what is no number is less than all that are. */
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

    private BigDecimal exact(BigDecimal left, BigDecimal right) {
        BigDecimal result = switch (this) {
            case ADD -> left.add(right, PRODUCT);
            case SUBTRACT -> left.subtract(right, PRODUCT);
            case MULTIPLY -> left.multiply(right, PRODUCT);
            case DIVIDE -> left.divide(nonZero(right), QUOTIENT);
            case REMAINDER -> left.remainder(nonZero(right)).round(PRODUCT);
        };
        return bounded(result);
    }

    /**
     * A number of a query. It is computed with every value of an answer, so its digits are bounded as those of results are.
     *
     * @throws dev.windrow.base.InvalidInputException if the number is neither zero nor in the {@link #RANGE}
     */
    static BigDecimal literal(BigDecimal number) {
        // Bounded first: numbers far outside the range cannot be rounded.
        return bounded(bounded(number).round(PRODUCT));
    }

    private BigDecimal nonZero(BigDecimal right) {
        if (right.signum() == 0) {
            throw PromQl.invalid("expected a number other than zero after " + symbol + ", as results are finite numbers");
        }
        return right;
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
