package dev.windrow.bench.experiment;

import java.util.List;

/** Statistics of measured numbers. */
final class Numbers {

    private Numbers() {
    }

    /** The value in the middle, or the mean of the two there. */
    static double median(List<Double> values) {
        return percentile(values, 50);
    }

    /** A percentile of at least one value, linear between the two nearest. */
    static double percentile(List<Double> values, double percent) {
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
}
