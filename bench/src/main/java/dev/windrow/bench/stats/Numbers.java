package dev.windrow.bench.stats;

import java.util.Arrays;
import java.util.List;

/** Statistics of measured numbers. */
public final class Numbers {

    private Numbers() {
    }

    /** The value in the middle, or the mean of the two there. */
    public static double median(List<Double> values) {
        return percentile(values, 50);
    }

    /**
     * A percentile, linear between the two nearest values.
     *
     * @param values at least one
     * @param percent from 0 to 100
     */
    public static double percentile(List<Double> values, double percent) {
        if (values.isEmpty() || percent < 0 || percent > 100) {
            throw new IllegalArgumentException("expected values and a percentile from 0 to 100, found " + values.size()
                    + " values and " + percent);
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double at = percent / 100 * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    /** How far the middle half of the values spreads, over their median. */
    public static double spread(List<Double> values) {
        double median = median(values);
        return median == 0 ? 0 : (percentile(values, 75) - percentile(values, 25)) / median;
    }

    /**
     * The exponent b of y = a x^b that fits best: least squares of the logarithms. 0 means that y does not grow, 1 that it
     * grows as x does.
     *
     * @param x at least two different values over 0
     * @param y as many values over 0
     */
    public static double exponent(double[] x, double[] y) {
        if (x.length != y.length || x.length < 2) {
            throw new IllegalArgumentException(
                    "expected two values of x and y or more, found " + x.length + " and " + y.length);
        }
        double[] logX = Arrays.stream(x).map(Math::log).toArray();
        double[] logY = Arrays.stream(y).map(Math::log).toArray();
        double meanX = Arrays.stream(logX).average().orElseThrow();
        double meanY = Arrays.stream(logY).average().orElseThrow();
        double products = 0;
        double squares = 0;
        for (int i = 0; i < x.length; i++) {
            products += (logX[i] - meanX) * (logY[i] - meanY);
            squares += (logX[i] - meanX) * (logX[i] - meanX);
        }
        return products / squares;
    }
}
