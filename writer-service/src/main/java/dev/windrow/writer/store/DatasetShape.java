package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.windrow.dataset.Dataset;
import dev.windrow.key.KeyCodec;
import dev.windrow.measure.Measure;
import dev.windrow.time.Granularity;

/**
 * What must be unchanged for a redelivered message to count once: which events count, under which keys, and by which ids
 * they are claimed; and the granularities in the index, of which none may be added, as the index lacks what was written
 * before. Scatter and floors are not part of it.
 *
 * @param fields by name, each as one line of text without spaces at its ends
 */
record DatasetShape(Map<String, String> fields) {

    private static final String EQUALS = "=";
    private static final String PARTITION = "partition";
    private static final String WHOLE_LABEL = "the whole label";
    private static final String LABEL = "label";
    private static final String KEY_SHARDS = "key-shards";
    private static final String INDEX = "index";
    private static final String SPACE = " ";

    static DatasetShape of(Dataset dataset) {
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
        return new DatasetShape(fields);
    }

    private static String names(List<Granularity> granularities) {
        return granularities.stream().map(String::valueOf).collect(Collectors.joining(SPACE));
    }

    /** A measure; escaped, it has no spaces. */
    private static String text(Measure measure) {
        List<String> parts = new ArrayList<>(List.of(measure.name(), measure.kind().word()));
        measure.source().ifPresent(parts::add);
        return KeyCodec.encode(parts);
    }

    /** Reads what {@link #text()} wrote. */
    static DatasetShape parse(String text) {
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

    /** A line for each field. */
    String text() {
        return fields.entrySet().stream().map(field -> field.getKey() + EQUALS + field.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** This shape with the fields of a declared one; fields that only this one has belong to another release, and stay. */
    DatasetShape with(DatasetShape declared) {
        Map<String, String> all = new LinkedHashMap<>(fields);
        all.putAll(declared.fields);
        return new DatasetShape(all);
    }

    /**
     * The differences by which a message could count twice, for people. Fields that only one of the two has belong to another
     * release, and do not count.
     */
    List<String> differences(DatasetShape found) {
        List<String> differences = new ArrayList<>();
        fields.forEach((name, expected) -> {
            String other = found.fields.getOrDefault(name, expected);
            if (!other.equals(expected) && !name.equals(INDEX)) {
                differences.add(difference(name, expected, other));
            }
        });
        return differences;
    }

    /** Whether items of the other have the keys that this one's have; fields that only one of the two has do not count. */
    boolean hasKeysOf(DatasetShape found) {
        return Stream.of(LABEL, PARTITION, KEY_SHARDS).allMatch(field -> {
            String expected = fields.get(field);
            return expected == null || found.fields.getOrDefault(field, expected).equals(expected);
        });
    }

    /** The difference of the index, for people, if the other has granularities in it that this one has not. */
    Optional<String> indexDifference(DatasetShape found) {
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
