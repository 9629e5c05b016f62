package dev.windrow.gather.label;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;

/** Reads from a request which labels of a dataset it selects. */
public record LabelSelector(String tenant, Dataset dataset) {

    /** This many key conditions fit into a filter expression of DynamoDB, which has at most 4 KB and 300 operators. */
    public static final int MAX_LABELS = 100;
    /** Several labels with many key shards must not take more reads than the widest scatter does. */
    private static final int MAX_TABLE_READS = 1_000;

    /** The selected labels: one if there is a value for each declared attribute. */
    public LabelSelection of(Parameters parameters) {
        List<List<String>> labels = labels(parameters);
        if (!labels.isEmpty() && (parameters.has(QueryParameter.LABEL) || parameters.has(QueryParameter.PREFIX))) {
            throw Parameters.invalid(QueryParameter.LABELS, "cannot be combined with `label` or `prefix`");
        }
        WantedValues wanted = WantedValues.of(dataset, parameters);
        return labels.isEmpty()
                ? selection(List.of(prefix(parameters.texts(QueryParameter.LABEL), parameters.text(QueryParameter.PREFIX))),
                        parameters.texts(QueryParameter.LABEL), wanted)
                : anyOf(labels, wanted);
    }

    public static List<List<String>> labels(Parameters parameters) {
        return parameters.texts(QueryParameter.LABELS).stream().map(KeyCodec::decode).toList();
    }

    private LabelSelection anyOf(List<List<String>> labels, WantedValues wanted) {
        int declared = dataset.label().size();
        labels.stream().filter(values -> values.size() > declared).findFirst().ifPresent(values -> {
            throw Parameters.invalid(QueryParameter.LABELS, "expected at most " + declared + " values for each label ("
                    + String.join(", ", dataset.label()) + "), found " + values.size());
        });
        List<LabelPrefix> prefixes = labels.stream().map(values -> prefix(values, Optional.empty())).distinct().toList();
        if (prefixes.size() > maxLabels()) {
            throw Parameters.invalid(QueryParameter.LABELS, "expected at most " + maxLabels() + " labels, found "
                    + prefixes.size());
        }
        return selection(prefixes, List.of(), wanted);
    }

    private int maxLabels() {
        return Math.max(1, Math.min(MAX_LABELS, MAX_TABLE_READS / dataset.keyShards()));
    }

    public LabelSelection of(List<String> values) {
        return selection(List.of(prefix(values, Optional.empty())), values, WantedValues.ANY);
    }

    /** @param shared the first values that all these labels share */
    private LabelSelection selection(List<LabelPrefix> given, List<String> shared, WantedValues wanted) {
        List<LabelPrefix> prefixes = wanted.narrowed(given, maxLabels());
        prefixes.stream().filter(prefix -> prefix.isInOnePartition(dataset)).forEach(this::requireFit);
        boolean isOne = prefixes.size() == 1 && given.get(0).values().equals(shared);
        boolean all = prefixes.stream().anyMatch(prefix -> prefix.values().isEmpty() && prefix.next().isEmpty());
        boolean cut = prefixes.stream().anyMatch(prefix -> prefix.isPartOfPartition(dataset));
        return new LabelSelection(isOne ? prefixes.get(0).values() : shared, LabelPartition.of(dataset, prefixes),
                all ? List.of() : prefixes.stream().map(prefix -> prefix.partitionKey(tenant, dataset)).distinct().toList(),
                cut ? prefixes.stream().map(LabelPrefix::key).distinct().toList() : List.of(), wanted.beyond(prefixes));
    }

    /** Throws if the prefix does not fit into keys: DynamoDB would reject it as a bound. */
    private void requireFit(LabelPrefix prefix) {
        List<String> values = Stream.concat(prefix.values().stream(), prefix.next().stream()).toList();
        SeriesKey series = new SeriesKey(tenant, dataset.name(), new Label(values), dataset.partition(), 0);
        series.partitionKey();
        new BucketKey(series, dataset.longestNamed(), Instant.EPOCH).sortKey();
    }

    /** @param next prefix of the value after these */
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
