package dev.windrow.gather.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.key.KeyCodec;
import dev.windrow.key.Label;
import dev.windrow.key.SeriesKey;
import dev.windrow.measure.Measure;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import dev.windrow.time.Granularity;

/**
 * Whose data is asked for.
 *
 * @param tenant the owner
 * @param dataset the dataset
 */
public record DatasetScope(String tenant, Dataset dataset) {

    /**
     * Finds the dataset.
     *
     * @throws InvalidInputException with {@link Reason#UNKNOWN_DATASET}
     */
    public static DatasetScope of(Datasets datasets, String dataset, String tenant) {
        Dataset found = datasets.named(dataset).orElseThrow(() -> new InvalidInputException(Reason.UNKNOWN_DATASET, "dataset",
                "expected one of " + datasets.all().stream().map(Dataset::name).collect(Collectors.joining(", "))));
        return new DatasetScope(tenant, found);
    }

    /** The granularity asked for, of those that can answer; may be absent if there is only one. */
    Granularity granularity(Parameters parameters, List<Granularity> possible, String where) {
        QueryParameter parameter = QueryParameter.GRANULARITY;
        String expected = possible.isEmpty()
                ? "no question of this kind, as dataset " + dataset.name() + " has no granularity " + where
                : "one of " + possible.stream().map(Granularity::name).collect(Collectors.joining(", "))
                        + ", the granularities " + where;
        Optional<Granularity> asked = parameters.parsed(parameter,
                text -> Granularity.parse(text).filter(possible::contains), expected);
        return asked.orElseGet(() -> {
            if (possible.size() == 1) {
                return possible.get(0);
            }
            throw Parameters.missing(parameter, "expected " + expected);
        });
    }

    /** The measure to order by; may be absent if there is only one. */
    Measure by(Parameters parameters) {
        List<Measure> measures = dataset.measures();
        String expected = "one of " + measures.stream().map(Measure::name).collect(Collectors.joining(", "));
        return parameters.parsed(QueryParameter.BY, dataset::measure, expected).orElseGet(() -> {
            if (measures.size() == 1) {
                return measures.get(0);
            }
            throw Parameters.missing(QueryParameter.BY, "expected " + expected);
        });
    }

    /**
     * The indexed granularities.
     *
     * @throws InvalidInputException if there are none, so that questions about all labels have no answer
     */
    List<Granularity> indexed() {
        if (dataset.index().isEmpty()) {
            throw new InvalidInputException(Reason.INVALID_PARAMETER, "dataset",
                    "expected a dataset with an index, as the question is about many labels; " + dataset.name()
                            + " has none");
        }
        return dataset.index();
    }

    /** The label asked about: a value for each declared attribute. */
    Label label(Parameters parameters) {
        List<String> values = parameters.texts(QueryParameter.LABEL);
        List<String> declared = dataset.label();
        String expected = "expected " + declared.size() + (declared.size() == 1 ? " value (" : " values (")
                + String.join(", ", declared) + "), found " + values.size();
        if (values.isEmpty()) {
            throw Parameters.missing(QueryParameter.LABEL, expected);
        }
        if (values.size() != declared.size()) {
            throw Parameters.invalid(QueryParameter.LABEL, expected);
        }
        Label label = new Label(values);
        new SeriesKey(tenant, dataset.name(), label, 0).partitionKey();
        return label;
    }

    /** The selected labels: one if there is a value for each declared attribute. */
    LabelSelection selection(Parameters parameters) {
        boolean whole = parameters.texts(QueryParameter.LABEL).size() == dataset.label().size()
                && parameters.text(QueryParameter.PREFIX).isEmpty();
        return new LabelSelection(whole ? Optional.of(label(parameters)) : Optional.empty(), keyPrefix(parameters));
    }

    private Optional<String> keyPrefix(Parameters parameters) {
        List<String> values = parameters.texts(QueryParameter.LABEL);
        Optional<String> prefix = parameters.text(QueryParameter.PREFIX);
        int declared = dataset.label().size();
        if (values.size() + (prefix.isPresent() ? 1 : 0) > declared) {
            throw Parameters.invalid(prefix.isPresent() ? QueryParameter.PREFIX : QueryParameter.LABEL,
                    "expected at most " + declared + " label values (" + String.join(", ", dataset.label())
                            + ") to filter by");
        }
        if (values.isEmpty() && prefix.isEmpty()) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>(List.of(tenant, dataset.name()));
        parts.addAll(values);
        parts.add(prefix.orElse(""));
        String filter = KeyCodec.encode(parts);
        KeyCodec.utf8Length(QueryParameter.LABEL.word(), filter);
        return Optional.of(filter);
    }
}
