package dev.windrow.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.windrow.base.KeyCodec;

/**
 * What must be unchanged for a redelivered message to count once: which events count, under which keys, and by which ids
 * they are claimed; and the granularities in the index, of which none may be added, as the index lacks what was written
 * before. Scatter and floors are not part of it.
 *
 * @param fields by name, each as one line of text without spaces at its ends
 */
public record DatasetShape(Map<String, String> fields) {

    private static final String EQUALS = "=";
    private static final String LABEL = "label";
    private static final String PARTITION = "partition";
    private static final String KEY_SHARDS = "key-shards";
    /** The fields that keys follow. */
    private static final Set<String> OF_KEYS = Set.of(LABEL, PARTITION, KEY_SHARDS);
    private static final String WHOLE_LABEL = "the whole label";
    private static final String INDEX = "index";
    private static final String SPACE = " ";

    /**
     * The shape that a dataset is declared with.
     *
     * @param forms how events are read that are not in Windrow's own form
     */
    public static DatasetShape of(Dataset dataset, List<EventForm> forms) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("event-type", KeyCodec.encode(List.of(dataset.eventType())));
        fields.put(LABEL, dataset.label().isEmpty() ? "" : KeyCodec.encode(dataset.label()));
        fields.put(PARTITION, dataset.isWholeLabelPartition() ? WHOLE_LABEL : Integer.toString(dataset.partition()));
        fields.put("granularities", names(dataset.granularities()));
        fields.put(KEY_SHARDS, Integer.toString(dataset.keyShards()));
        fields.put("measures", dataset.measures().stream().sorted(Comparator.comparing(Measure::name))
                .map(DatasetShape::text).collect(Collectors.joining(SPACE)));
        fields.put("dedupe", dataset.dedupe().word());
        fields.put(INDEX, names(dataset.index()));
        fields.put("where", Condition.text(dataset.where()));
        fields.put("events", forms.stream().filter(form -> form.type().equals(dataset.eventType())).map(EventForm::text)
                .reduce((one, other) -> one + SPACE + other).orElse("own"));
        return new DatasetShape(fields);
    }

    private static String names(List<Granularity> granularities) {
        return granularities.stream().map(String::valueOf).collect(Collectors.joining(SPACE));
    }

    /** A measure; escaped, it has no spaces. */
    private static String text(Measure measure) {
        List<String> parts = new ArrayList<>(List.of(measure.name(), measure.kind().word()));
        measure.source().ifPresent(parts::add);
        if (measure.decimals() != Decimals.SUMMAND_DECIMALS) {
            parts.add("decimals:" + measure.decimals());
        }
        if (measure.required()) {
            parts.add("required");
        }
        if (!measure.where().isEmpty()) {
            parts.add("where:" + Condition.text(measure.where()));
        }
        return KeyCodec.encode(parts);
    }

    /** Reads what {@link #text()} wrote. */
    public static DatasetShape parse(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int equals = line.indexOf(EQUALS);
            if (equals > 0) {
                fields.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        // Earlier releases knew nothing else.
        fields.putIfAbsent(PARTITION, WHOLE_LABEL);
        return new DatasetShape(fields);
    }

    /** The attributes whose values identify a series, in order. */
    public List<String> label() {
        String names = fields.getOrDefault(LABEL, "");
        return names.isEmpty() ? List.of() : KeyCodec.decode(names);
    }

    /** How many of the label's first attributes are in the table's partition key. */
    public int partition() {
        String partition = fields.getOrDefault(PARTITION, WHOLE_LABEL);
        return partition.equals(WHOLE_LABEL) ? label().size() : Integer.parseInt(partition);
    }

    /** Over how many partition keys each label is spread. */
    public int keyShards() {
        return Integer.parseInt(fields.getOrDefault(KEY_SHARDS, "1"));
    }

    /** A line for each field. */
    public String text() {
        return fields.entrySet().stream().map(field -> field.getKey() + EQUALS + field.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** This shape with the fields of a declared one; fields that only this one has belong to another release, and stay. */
    public DatasetShape with(DatasetShape declared) {
        Map<String, String> all = new LinkedHashMap<>(fields);
        all.putAll(declared.fields);
        return new DatasetShape(all);
    }

    /**
     * The differences by which a message could count twice, for people. Fields that only one of the two has belong to another
     * release, and do not count.
     */
    public List<String> differences(DatasetShape found) {
        return differences(found, name -> !name.equals(INDEX));
    }

    /** The differences by which one would not find what was written with the other, for people. */
    public List<String> keyDifferences(DatasetShape found) {
        return differences(found, OF_KEYS::contains);
    }

    private List<String> differences(DatasetShape found, Predicate<String> compared) {
        List<String> differences = new ArrayList<>();
        fields.forEach((name, expected) -> {
            String other = found.fields.getOrDefault(name, expected);
            if (!other.equals(expected) && compared.test(name)) {
                differences.add(difference(name, expected, other));
            }
        });
        return differences;
    }

    /** The difference of the index, for people, if the other has granularities in it that this one has not. */
    public Optional<String> indexDifference(DatasetShape found) {
        String expected = fields.get(INDEX);
        String other = found.fields.getOrDefault(INDEX, "");
        return expected == null || other.isEmpty() || words(expected).containsAll(words(other)) ? Optional.empty()
                : Optional.of(difference(INDEX, expected, other));
    }

    private static List<String> words(String text) {
        return List.of(text.split(SPACE, -1));
    }

    private static String difference(String name, String expected, String found) {
        return name + ": expected '" + expected + "', found '" + found + "'";
    }
}
