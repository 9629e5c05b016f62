package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.windrow.base.KeyCodec;
import dev.windrow.base.Sanitized;
import dev.windrow.dataset.Dataset;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;

/**
 * The labels that a query is about, and where they are read.
 *
 * @param values the given first values that all the labels share
 * @param partitions the partitions of the table that hold the labels, if all values of the partition key are given for each;
 *        empty if the labels are read from the index
 * @param keyPrefixes prefixes of the labels' partition keys in the table: each label has one of these; empty for all labels
 * @param labelPrefixes prefixes of the labels as encoded in keys: each label has one of these; empty if {@code keyPrefixes}
 *        selects no other labels
 * @param where the wanted values of each attribute as encoded in keys, in the order of the label; an empty set for any. Empty
 *        if all labels with the prefixes are selected
 */
public record LabelSelection(List<String> values, List<LabelPartition> partitions, List<String> keyPrefixes,
        List<String> labelPrefixes, List<SortedSet<String>> where) {

    public static final LabelSelection ALL = new LabelSelection(List.of(), List.of(), List.of(), List.of(), List.of());

    /** Whether the labels are read from the table, in any granularity, rather than from the index. */
    public boolean isInTable() {
        return !partitions.isEmpty();
    }

    /** Reads from a request which labels of a dataset it selects. */
    public record LabelSelector(String tenant, Dataset dataset) {

        /** This many key conditions fit into a filter expression of DynamoDB, which has at most 4 KB and 300 operators. */
        public static final int MAX_LABELS = 100;
        /** Several labels with many key shards must not take more reads than the widest scatter does. */
        private static final int MAX_TABLE_READS = 1_000;

        /** The selected labels: one if there is a value for each declared attribute. */
        LabelSelection of(Parameters parameters) {
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

        LabelSelection of(List<String> values) {
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

    /**
     * The values wanted of attributes.
     *
     * @param values the wanted values of each attribute of the label; an empty set for any
     */
    public record WantedValues(List<SortedSet<String>> values) {

        static final WantedValues ANY = new WantedValues(List.of());
        /** Bounded, because each item that is read is looked up in them. */
        private static final int MAX_VALUES = 1_000;

        static WantedValues of(Dataset dataset, Parameters parameters) {
            List<List<String>> given = conditions(parameters);
            if (given.isEmpty()) {
                return ANY;
            }
            if (given.size() > MAX_VALUES) {
                throw Parameters.invalid(QueryParameter.WHERE, "expected at most " + MAX_VALUES + " values, found "
                        + given.size());
            }
            List<SortedSet<String>> values = Stream.<SortedSet<String>> generate(TreeSet::new).limit(dataset.label().size())
                    .toList();
            given.forEach(condition -> {
                KeyCodec.utf8Length(QueryParameter.WHERE.word(), condition.get(1));
                values.get(place(dataset, QueryParameter.WHERE, condition.get(0))).add(condition.get(1));
            });
            return new WantedValues(values);
        }

        /** Pairs of an attribute's name and a value. */
        public static List<List<String>> conditions(Parameters parameters) {
            return parameters.texts(QueryParameter.WHERE).stream().map(KeyCodec::decode).toList();
        }

        /**
         * Selects the same labels by longer prefixes, as far as the next values are given and the prefixes do not become too
         * many, so that less is read.
         */
        List<LabelPrefix> narrowed(List<LabelPrefix> prefixes, int max) {
            List<LabelPrefix> longer = prefixes.stream().flatMap(this::next).distinct().toList();
            return longer.isEmpty() || longer.size() > max || longer.equals(prefixes) ? prefixes : narrowed(longer, max);
        }

        private Stream<LabelPrefix> next(LabelPrefix prefix) {
            int place = prefix.values().size();
            if (place >= values.size() || values.get(place).isEmpty()) {
                return Stream.of(prefix);
            }
            return values.get(place).stream().filter(value -> prefix.next().isEmpty() || value.startsWith(prefix.next().get()))
                    .map(value -> new LabelPrefix(Stream.concat(prefix.values().stream(), Stream.of(value)).toList(),
                            Optional.empty()));
        }

        /** The wanted values that the prefixes do not already imply, as encoded in keys. */
        List<SortedSet<String>> beyond(List<LabelPrefix> prefixes) {
            List<SortedSet<String>> beyond = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                int place = i;
                SortedSet<String> wanted = new TreeSet<>();
                if (!prefixes.stream().allMatch(prefix -> prefix.values().size() > place
                        && values.get(place).contains(prefix.values().get(place)))) {
                    values.get(place).forEach(value -> wanted.add(KeyCodec.encode(List.of(value))));
                }
                beyond.add(Collections.unmodifiableSortedSet(wanted));
            }
            return beyond.stream().allMatch(Set::isEmpty) ? List.of() : beyond;
        }

        /**
         * The place of an attribute in the label.
         *
         * @throws dev.windrow.base.InvalidInputException if the label does not have it
         */
        public static int place(Dataset dataset, QueryParameter parameter, String attribute) {
            int place = dataset.label().indexOf(attribute);
            if (place < 0) {
                throw Parameters.invalid(parameter, Sanitized.of(attribute) + " is not an attribute of the label ("
                        + String.join(", ", dataset.label()) + ")");
            }
            return place;
        }
    }

    /**
     * A prefix of selected labels.
     *
     * @param values their first values; none, and no next, for all labels
     * @param next prefix of the value after these; empty for any
     */
    record LabelPrefix(List<String> values, Optional<String> next) {

        /** Whether all these labels have the same partition key in the table, apart from the key shard. */
        boolean isInOnePartition(Dataset dataset) {
            return values.size() >= dataset.partition();
        }

        /** Whether other labels have that partition key as well. */
        boolean isPartOfPartition(Dataset dataset) {
            return values.size() > dataset.partition() || (values.size() == dataset.partition() && next.isPresent());
        }

        /** The prefix as encoded in keys, up to where any label or key shard may follow. */
        String key() {
            List<String> parts = new ArrayList<>(values);
            parts.add(next.orElse(""));
            return KeyCodec.encode(parts);
        }

        /** The prefix of the labels' partition keys in the table. */
        String partitionKey(String tenant, Dataset dataset) {
            boolean whole = isInOnePartition(dataset);
            List<String> parts = new ArrayList<>(List.of(tenant, dataset.name()));
            parts.addAll(whole ? values.subList(0, dataset.partition()) : values);
            parts.add(whole ? "" : next.orElse(""));
            return KeyCodec.encode(parts);
        }
    }

    /**
     * The selected labels of one partition key of the table, key shards aside.
     *
     * @param first the values in the partition key, which the labels share
     * @param prefixes encoded prefixes: each label has exactly one of these; empty for all labels of the partition
     */
    public record LabelPartition(List<String> first, List<String> prefixes) {

        /** The partitions of selected labels; empty unless all labels are given with all values of the partition key. */
        static List<LabelPartition> of(Dataset dataset, List<LabelPrefix> selected) {
            if (!selected.stream().allMatch(prefix -> prefix.isInOnePartition(dataset))) {
                return List.of();
            }
            Map<List<String>, List<LabelPrefix>> parts = selected.stream().collect(Collectors.groupingBy(
                    prefix -> prefix.values().subList(0, dataset.partition()), LinkedHashMap::new, Collectors.toList()));
            return parts.entrySet().stream().map(part -> new LabelPartition(part.getKey(),
                    part.getValue().stream().allMatch(prefix -> prefix.isPartOfPartition(dataset))
                            ? withoutCovered(part.getValue().stream().map(LabelPrefix::key).distinct().toList())
                            : List.of()))
                    .toList();
        }

        private static List<String> withoutCovered(List<String> prefixes) {
            return prefixes.stream().filter(prefix -> prefixes.stream()
                    .noneMatch(other -> prefix.startsWith(other) && !prefix.equals(other))).toList();
        }

        /** The part of a prefix after the values that are in the partition key. */
        String rest(String prefix) {
            int values = first.size();
            int from = 0;
            for (int i = 0; i < values; i++) {
                from = prefix.indexOf(KeyCodec.SEPARATOR, from) + 1;
            }
            return prefix.substring(from);
        }
    }
}
