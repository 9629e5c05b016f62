package dev.windrow.bench.experiment;

import java.util.List;
import java.util.stream.IntStream;

import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** Makes one of several independent runs of an experiment: every number is the median of theirs. */
public final class Medians {

    private Medians() {
    }

    /** @param runs at least one, of the same experiment */
    public static Found of(List<Found> runs) {
        Found first = runs.get(0);
        List<Table> tables = IntStream.range(0, first.tables().size())
                .mapToObj(i -> table(runs.stream().map(run -> run.tables().get(i)).toList())).toList();
        List<Target> targets = IntStream.range(0, first.targets().size()).mapToObj(i -> {
            Target target = first.targets().get(i);
            double median = Numbers.median(runs.stream().map(run -> run.targets().get(i).measured()).toList());
            return new Target(target.id(), target.what(), median, target.bound(), target.atMost());
        }).toList();
        return new Found(tables, targets);
    }

    /** Tables whose rows are named differently, as those of profiles, have no median: the first one is taken. */
    private static Table table(List<Table> runs) {
        Table first = runs.get(0);
        if (runs.stream().anyMatch(run -> !texts(run).equals(texts(first)))) {
            return first;
        }
        return new Table(first.title(), first.columns(), IntStream.range(0, first.rows().size()).mapToObj(row -> IntStream
                .range(0, first.columns().size())
                .<Object> mapToObj(column -> first.rows().get(row).get(column) instanceof Number
                        ? Numbers.median(runs.stream().map(run -> number(run.rows().get(row).get(column))).toList())
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
