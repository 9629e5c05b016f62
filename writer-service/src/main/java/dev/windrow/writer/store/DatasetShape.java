package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.windrow.dataset.Dataset;
import dev.windrow.key.KeyCodec;
import dev.windrow.measure.Measure;

/**
 * What must be unchanged for a redelivered message to count once: which events count, under which keys, and by which ids
 * they are claimed. Index, scatter and floors are not part of it.
 *
 * @param fields by name, each as one line of text without spaces at its ends
 */
record DatasetShape(Map<String, String> fields) {

    private static final String EQUALS = "=";
    private static final String PARTITION = "partition";
    private static final String WHOLE_LABEL = "the whole label";

    static DatasetShape of(Dataset dataset) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("event-type", KeyCodec.encode(List.of(dataset.eventType())));
        fields.put("label", dataset.label().isEmpty() ? "" : KeyCodec.encode(dataset.label()));
        fields.put(PARTITION, dataset.isWholeLabelPartition() ? WHOLE_LABEL : Integer.toString(dataset.partition()));
        fields.put("granularities", dataset.granularities().stream().map(String::valueOf).collect(Collectors.joining(" ")));
        fields.put("key-shards", Integer.toString(dataset.keyShards()));
        fields.put("measures", dataset.measures().stream().sorted(Comparator.comparing(Measure::name))
                .map(DatasetShape::text).collect(Collectors.joining(" ")));
        fields.put("dedupe", dataset.dedupe().word());
        return new DatasetShape(fields);
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

    /** The differences, for people. Fields that only one of the two has belong to another release, and do not count. */
    List<String> differences(DatasetShape found) {
        List<String> differences = new ArrayList<>();
        fields.forEach((name, expected) -> {
            String other = found.fields.getOrDefault(name, expected);
            if (!other.equals(expected)) {
                differences.add(name + ": expected '" + expected + "', found '" + other + "'");
            }
        });
        return differences;
    }
}
