package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A dataset file.
 *
 * @param datasets the YAML of the datasets
 */
record DatasetFile(String datasets) {

    private static final int WIDTH = 10;

    static DatasetFile clicks() {
        return clicks(List.of("minute"));
    }

    static DatasetFile clicks(List<String> granularities) {
        return clicks(WIDTH, granularities);
    }

    /** @param granularities all indexed */
    static DatasetFile clicks(int width, List<String> granularities) {
        return new DatasetFile(dataset(name(width), List.of("referrer"), granularities, width, ""));
    }

    /**
     * The YAML of a dataset.
     *
     * @param more further keys, in YAML, each after a comma
     */
    static String dataset(String name, List<String> label, List<String> granularities, int width, String more) {
        return """
                    %s: {event-type: click, label: %s, granularities: %s, index: %s, scatter: [{width: %d}],
                      measures: {events: {type: count}, bytes: {type: sum, attribute: bytes}}%s}
                """.formatted(name, label, granularities, granularities, width, more);
    }

    static String name(int width) {
        return "clicks" + width;
    }

    /** Writes it and returns the property that names it. */
    String property(Path folder) {
        try {
            Files.createDirectories(folder);
            Path file = Files.createTempFile(folder, "datasets", ".yaml");
            Files.writeString(file, "windrow:\n  datasets:\n" + datasets);
            return "-Dwindrow.datasets-file=" + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
