package dev.windrow.bench.experiment;

import java.util.List;
import java.util.stream.IntStream;

import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** Statistics of measured numbers. */
public final class Numbers {

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

    /** How far the middle half of the values spreads, over their median. */
    static double spread(List<Double> values) {
        double median = median(values);
        return median == 0 ? 0 : (percentile(values, 75) - percentile(values, 25)) / median;
    }

    /**
     * Makes one of several independent runs of an experiment: every number is the median of theirs.
     *
     * @param runs at least one, of the same experiment
     */
    public static Found medians(List<Found> runs) {
        Found first = runs.get(0);
        List<Table> tables = IntStream.range(0, first.tables().size())
                .mapToObj(i -> table(runs.stream().map(run -> run.tables().get(i)).toList())).toList();
        List<Target> targets = IntStream.range(0, first.targets().size()).mapToObj(i -> {
            Target target = first.targets().get(i);
            double median = median(runs.stream().map(run -> run.targets().get(i).measured()).toList());
            return new Target(target.id(), target.what(), median, target.bound(), target.atMost());
        }).toList();
        return new Found(tables, targets);
    }

    /** Tables whose texts differ have no median: the first one is taken. */
    private static Table table(List<Table> runs) {
        Table first = runs.get(0);
        if (runs.stream().anyMatch(run -> !texts(run).equals(texts(first)))) {
            return first;
        }
        return new Table(first.title(), first.columns(), IntStream.range(0, first.rows().size()).mapToObj(row -> IntStream
                .range(0, first.columns().size())
                .<Object> mapToObj(column -> first.rows().get(row).get(column) instanceof Number
                        ? median(runs.stream().map(run -> number(run.rows().get(row).get(column))).toList())
                        : first.rows().get(row).get(column))
                .toList()).toList());
    }

    private static List<Object> texts(Table table) {
        return table.rows().stream().flatMap(List::stream).<Object> map(cell -> cell instanceof Number ? "" : cell).toList();
    }

    private static double number(Object cell) {
        return ((Number) cell).doubleValue();
    }
}
