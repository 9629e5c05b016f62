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

import dev.windrow.base.Decimals;
import dev.windrow.base.KeyCodec;
import dev.windrow.event.Condition;
import dev.windrow.event.EventForm;
import dev.windrow.time.Granularity;

/**
 * The parts of a declaration that must not change for a redelivered message to count once: which events count, under which
 * keys, and by which ids they are claimed. Also the indexed granularities: none may be added, as the index lacks the buckets
 * written before. Scatter and floors are not part of it.
 *
 * @param fields by name, each as one line of text without leading or trailing spaces
 */
public record DatasetShape(Map<String, String> fields) {

    private static final String EQUALS = "=";
    private static final String LABEL = "label";
    private static final String PARTITION = "partition";
    private static final String KEY_SHARDS = "key-shards";
    /** The fields that determine keys. */
    private static final Set<String> OF_KEYS = Set.of(LABEL, PARTITION, KEY_SHARDS);
    private static final String WHOLE_LABEL = "the whole label";
    private static final String INDEX = "index";
    private static final String SPACE = " ";

    /**
     * Returns the shape of a declared dataset.
     *
     * @param forms the declared forms of events other than Windrow's own form
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

    /** Encodes a measure; the escaped text has no spaces. */
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

    /** Parses the output of {@link #text()}. */
    public static DatasetShape parse(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int equals = line.indexOf(EQUALS);
            if (equals > 0) {
                fields.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        // Earlier releases supported nothing else.
        fields.putIfAbsent(PARTITION, WHOLE_LABEL);
        return new DatasetShape(fields);
    }

    /** The attributes whose values identify a series, in order. */
    public List<String> label() {
        String names = fields.getOrDefault(LABEL, "");
        return names.isEmpty() ? List.of() : KeyCodec.decode(names);
    }

    /** The number of the label's first attributes that are in the table's partition key. */
    public int partition() {
        String partition = fields.getOrDefault(PARTITION, WHOLE_LABEL);
        return partition.equals(WHOLE_LABEL) ? label().size() : Integer.parseInt(partition);
    }

    /** One line for each field. */
    public String text() {
        return fields.entrySet().stream().map(field -> field.getKey() + EQUALS + field.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** This shape with the fields of a declared one; fields that only this shape has are another release's, and are kept. */
    public DatasetShape with(DatasetShape declared) {
        Map<String, String> all = new LinkedHashMap<>(fields);
        all.putAll(declared.fields);
        return new DatasetShape(all);
    }

    /**
     * Returns the human-readable differences that could make a message count twice. Fields that only one of the two shapes has
     * come from another release, and are ignored.
     */
    public List<String> differences(DatasetShape found) {
        return differences(found, name -> !name.equals(INDEX));
    }

    /** Returns the human-readable differences that would make data written with one shape unfindable with the other. */
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

    /** The human-readable difference of the index, if the other shape has indexed granularities that this one lacks. */
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
