package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;

/** Reads which labels of a dataset a request selects. */
public final class LabelSelector {

    /** So many conditions on keys fit into a filter expression of DynamoDB, which has at most 4 KB and 300 operators. */
    public static final int MAX_LABELS = 100;
    /** Several labels with many key shards must not take more reads than the widest scatter does. */
    private static final int MAX_TABLE_READS = 1_000;

    private final String tenant;
    private final Dataset dataset;

    LabelSelector(String tenant, Dataset dataset) {
        this.tenant = tenant;
        this.dataset = dataset;
    }

    /** The selected labels: one if there is a value for each declared attribute. */
    LabelSelection of(Parameters parameters) {
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
    LabelSelection of(List<String> values) {
        return selection(List.of(prefix(values, Optional.empty())), values);
    }

    /** @param shared the first values of all these labels */
    private LabelSelection selection(List<LabelPrefix> prefixes, List<String> shared) {
        prefixes.stream().filter(prefix -> prefix.isInOnePartition(dataset)).forEach(this::requireFit);
        return LabelSelection.of(tenant, dataset, shared, prefixes);
    }

    /** DynamoDB rejects bounds that are no possible keys. */
    private void requireFit(LabelPrefix prefix) {
        List<String> values = Stream.concat(prefix.values().stream(), prefix.next().stream()).toList();
        SeriesKey series = new SeriesKey(tenant, dataset.name(), new Label(values), dataset.partition(), 0);
        series.partitionKey();
        new BucketKey(series, dataset.longestNamed(), Instant.EPOCH).sortKey();
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
