package dev.windrow.gather.prometheus;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.About;
import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.gather.prometheus.Expression.RangeFunction;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.table.Label;

/**
 * A measure of a dataset as a Prometheus metric.
 *
 * @param name {@code windrow_<dataset>_<measure>}
 * @param labels the names of its labels: the attributes of the dataset's label, in declared order
 */
public record Metrics(Dataset dataset, Measure measure, String name, List<String> labels) {

    private static final Pattern NOT_IN_NAMES = Pattern.compile("[^a-zA-Z0-9_]");

    static Metrics of(Dataset dataset, Measure measure) {
        return new Metrics(dataset, measure, named("windrow_" + dataset.name() + "_" + measure.name()),
                dataset.label().stream().map(Metrics::label).toList());
    }

    public String unit() {
        return about().map(About::unit).orElse("");
    }

    private Optional<About> about() {
        return dataset.column(measure.name()).map(Column::about);
    }

    public String help() {
        String description = about().map(About::description).orElse("");
        if (!description.isEmpty()) {
            return description;
        }
        String what = measure.source().map(attribute -> measure.kind().word() + " of " + attribute)
                .orElse(measure.kind().word());
        return "Measure " + measure.name() + " (" + what + ") of dataset " + dataset.name();
    }

    /** @throws InvalidInputException if the function makes no sense for the measure */
    void check(Selection selection) {
        MeasureKind kind = measure.kind();
        String function = selection.function().word();
        if (selection.function() != RangeFunction.ALL_TIME && !kind.rangeFunctions().contains(function)) {
            throw PromQl.invalid(function + " of a measure of type "
                    + kind.word() + " is not supported: " + name + " takes "
                    + (kind.rangeFunctions().isEmpty() ? "no function" : String.join(" and ", kind.rangeFunctions())));
        }
    }

    /** Label names must not start with a digit, and Prometheus reserves names that start with two underscores. */
    private static String label(String attribute) {
        String name = named(attribute);
        return name.startsWith("__") || name.isEmpty() || Character.isDigit(name.charAt(0)) ? "label_" + name : name;
    }

    private static String named(String text) {
        return NOT_IN_NAMES.matcher(text).replaceAll("_");
    }

}
