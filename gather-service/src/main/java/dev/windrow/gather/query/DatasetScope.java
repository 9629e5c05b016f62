package dev.windrow.gather.query;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

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
 * Whose data a query is about.
 *
 * @param tenant the owner
 * @param dataset the dataset that is read
 * @param named the dataset that the request names; the one that is read may be a roll-up of it
 * @param lagging the roll-up that could answer as well, but less freshly; null if there is none
 */
public record DatasetScope(String tenant, Dataset dataset, Dataset named, @Nullable Dataset lagging) {

    /** So many conditions on keys fit into a filter expression of DynamoDB, which has at most 4 KB and 300 operators. */
    private static final int MAX_LABELS = 100;
    /** Several labels with many key shards must not take more reads than the widest scatter does. */
    private static final int MAX_TABLE_READS = 1_000;

    public DatasetScope(String tenant, Dataset dataset) {
        this(tenant, dataset, dataset, null);
    }

    /** The same request, answered from a roll-up. */
    DatasetScope readFrom(Dataset rollup) {
        return new DatasetScope(tenant, rollup, named, null);
    }

    /** The same request, not answered from a roll-up, as that lags. */
    DatasetScope fresherThan(Dataset rollup) {
        return new DatasetScope(tenant, dataset, named, rollup);
    }

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

    /** The requested granularity, one of those that can answer; may be absent if there is only one. */
    Granularity granularity(Parameters parameters, List<Granularity> possible, String where) {
        QueryParameter parameter = QueryParameter.GRANULARITY;
        String expected = possible.isEmpty()
                ? "no question of this kind, as dataset " + dataset.name() + " has no granularity " + where
                : "one of " + possible.stream().map(Granularity::name).collect(Collectors.joining(", "))
                        + ", the granularities " + where;
        Optional<Granularity> requested = parameters.parsed(parameter,
                text -> Granularity.parse(text).filter(possible::contains), expected);
        return requested.orElseGet(() -> {
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

    /**
     * The selected labels of a query that may be consistent.
     *
     * @throws InvalidInputException if it is to be, but is about many labels, which are read from the index
     */
    LabelSelection consistentSelection(Parameters parameters) {
        LabelSelection selection = selection(parameters);
        if (!selection.isInTable() && parameters.flag(QueryParameter.CONSISTENT, false)) {
            throw Parameters.invalid(QueryParameter.CONSISTENT, "expected false, or a value of `label` for each of "
                    + String.join(", ", dataset.label().subList(0, dataset.partition()))
                    + ": other labels are read from the index, which is never consistent");
        }
        return selection;
    }

    /** The granularities that questions about the selected labels are answered from. */
    List<Granularity> stored(LabelSelection selection) {
        return selection.isInTable() ? dataset.granularities() : indexed();
    }

    /** The requested granularity of buckets of the selected labels; may be absent if only one is indexed or possible. */
    Granularity granularity(Parameters parameters, LabelSelection selection) {
        List<Granularity> stored = stored(selection);
        return dataset.index().size() == 1 && !parameters.has(QueryParameter.GRANULARITY)
                ? dataset.index().get(0)
                : granularity(parameters, stored, selection.isInTable() ? "that are kept" : "that are indexed");
    }

    /** The selected labels: one if there is a value for each declared attribute. */
    LabelSelection selection(Parameters parameters) {
        List<List<String>> labels = labels(parameters);
        if (!labels.isEmpty() && (parameters.has(QueryParameter.LABEL) || parameters.has(QueryParameter.PREFIX))) {
            throw Parameters.invalid(QueryParameter.LABELS, "expected either labels, or label and prefix");
        }
        return labels.isEmpty()
                ? selection(List.of(prefix(parameters.texts(QueryParameter.LABEL), parameters.text(QueryParameter.PREFIX))),
                        parameters.texts(QueryParameter.LABEL))
                : anyOf(labels);
    }

    /** The first values of each of several labels. */
    static List<List<String>> labels(Parameters parameters) {
        return parameters.texts(QueryParameter.LABELS).stream().map(KeyCodec::decode).toList();
    }

    private LabelSelection anyOf(List<List<String>> labels) {
        int declared = dataset.label().size();
        labels.stream().filter(values -> values.size() > declared).findFirst().ifPresent(values -> {
            throw Parameters.invalid(QueryParameter.LABELS, "expected at most " + declared + " values for each label ("
                    + String.join(", ", dataset.label()) + "), found " + values.size());
        });
        List<LabelPrefix> prefixes = labels.stream().map(values -> prefix(values, Optional.empty())).distinct().toList();
        int maxLabels = Math.max(1, Math.min(MAX_LABELS, MAX_TABLE_READS / dataset.keyShards()));
        if (prefixes.size() > maxLabels) {
            throw Parameters.invalid(QueryParameter.LABELS, "expected at most " + maxLabels + " labels, found "
                    + prefixes.size());
        }
        return selection(prefixes, List.of());
    }

    /** The labels with these first values. */
    LabelSelection selection(List<String> values) {
        return selection(List.of(prefix(values, Optional.empty())), values);
    }

    /** @param shared the first values of all these labels */
    private LabelSelection selection(List<LabelPrefix> prefixes, List<String> shared) {
        LabelSelection selection = LabelSelection.of(tenant, dataset, shared, prefixes);
        selection.partitions()
                .forEach(partition -> new SeriesKey(tenant, dataset.name(), new Label(partition.first()), 0).partitionKey());
        return selection;
    }

    /** @param next how the value after these begins */
    private LabelPrefix prefix(List<String> values, Optional<String> next) {
        int declared = dataset.label().size();
        if (values.size() + (next.isPresent() ? 1 : 0) > declared) {
            throw Parameters.invalid(next.isPresent() ? QueryParameter.PREFIX : QueryParameter.LABEL,
                    "expected at most " + declared + " label values (" + String.join(", ", dataset.label())
                            + ") to filter by");
        }
        LabelPrefix prefix = new LabelPrefix(values, next);
        KeyCodec.utf8Length(QueryParameter.LABEL.word(), prefix.key());
        return prefix;
    }
}
