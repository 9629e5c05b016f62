package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

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
        return clicks(List.of(WIDTH), granularities);
    }

    /**
     * A dataset for each width.
     *
     * @param widths of the scatter
     * @param granularities all indexed
     */
    static DatasetFile clicks(List<Integer> widths, List<String> granularities) {
        return new DatasetFile(widths.stream().map(width -> dataset(name(width), List.of("referrer"), granularities, width, ""))
                .collect(Collectors.joining()));
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

    /** With three counts of events that meet conditions. */
    static DatasetFile clicksByCondition() {
        return new DatasetFile("""
                    %s: {event-type: click, label: [referrer], granularities: [minute], index: [minute], scatter: [{width: %d}],
                      measures: {events: {type: count}, bytes: {type: sum, attribute: bytes},
                        large: {type: count, where: {bytes: {from: 5000}}},
                        sized: {type: count, attribute: bytes},
                        linked: {type: count, where: {referrer: {prefix: "https://"}}}}}
                """.formatted(name(WIDTH), WIDTH));
    }

    /** The same datasets, with a form that reads every click. */
    DatasetFile readByForm() {
        return new DatasetFile(datasets + """
                  events:
                    - {type: click, when: {type: click}, time: time,
                       attributes: {referrer: attributes.referrer, bytes: attributes.bytes}}
                """);
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
