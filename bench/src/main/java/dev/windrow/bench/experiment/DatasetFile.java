package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A dataset file with a dataset for each width.
 *
 * @param widths of the scatter
 * @param granularities all indexed
 */
record DatasetFile(List<Integer> widths, List<String> granularities) {

    private static final int WIDTH = 10;

    /** One dataset of minutes. */
    static DatasetFile clicks() {
        return clicks(List.of("minute"));
    }

    static DatasetFile clicks(List<String> granularities) {
        return new DatasetFile(List.of(WIDTH), granularities);
    }

    /** The name of the dataset of a width. */
    static String name(int width) {
        return "clicks" + width;
    }

    /** Writes it and returns the property that names it. */
    String property(Path folder) {
        String yaml = widths.stream().map(this::dataset).collect(Collectors.joining("", "windrow:\n  datasets:\n", ""));
        try {
            Files.createDirectories(folder);
            Path file = Files.createTempFile(folder, "datasets", ".yaml");
            Files.writeString(file, yaml);
            return "-Dwindrow.datasets-file=" + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String dataset(int width) {
        return """
                    %s:
                      event-type: click
                      label: [referrer]
                      granularities: %s
                      index: %s
                      measures: {events: {type: count}, bytes: {type: sum, attribute: bytes}}
                      scatter: [{width: %d}]
                """.formatted(name(width), granularities, granularities, width);
    }
}
