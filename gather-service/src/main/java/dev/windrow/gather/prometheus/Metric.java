package dev.windrow.gather.prometheus;

import java.util.List;
import java.util.regex.Pattern;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;

/**
 * A measure of a dataset as a metric.
 *
 * @param dataset the dataset
 * @param measure one of its measures
 * @param name {@code windrow_<dataset>_<measure>}
 * @param labels names of its labels: the attributes of the dataset's label, in declared order
 */
public record Metric(Dataset dataset, Measure measure, String name, List<String> labels) {

    private static final Pattern NOT_IN_NAMES = Pattern.compile("[^a-zA-Z0-9_]");

    static Metric of(Dataset dataset, Measure measure) {
        return new Metric(dataset, measure, named("windrow_" + dataset.name() + "_" + measure.name()),
                dataset.label().stream().map(Metric::label).toList());
    }

    /** Counters can be passed to increase and rate. */
    public String type() {
        return measure.kind().isAdditive() ? "counter" : "gauge";
    }

    /** One line of text for people. */
    public String help() {
        String what = measure.source().map(attribute -> measure.kind().word() + " of " + attribute)
                .orElse(measure.kind().word());
        return "Measure " + measure.name() + " (" + what + ") of dataset " + dataset.name();
    }

    /** Label names do not start with a digit, and those that start with two underscores are reserved by Prometheus. */
    private static String label(String attribute) {
        String name = named(attribute);
        return name.startsWith("__") || name.isEmpty() || Character.isDigit(name.charAt(0)) ? "label_" + name : name;
    }

    private static String named(String text) {
        return NOT_IN_NAMES.matcher(text).replaceAll("_");
    }
}
