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
 * @param delivery at-least-once or exactly-once
 * @param ledgerSlots slots a second and label
 */
record DatasetFile(List<Integer> widths, String delivery, int ledgerSlots) {

    static final String EXACTLY_ONCE = "exactly-once";
    static final String AT_LEAST_ONCE = "at-least-once";

    private static final int WIDTH = 10;
    /** For 400 to 500 messages a second and label, about a hundred in each slot. */
    private static final int BACKLOG_SLOTS = 4;

    /** For backlogs. */
    static DatasetFile clicks(String delivery) {
        return clicks(delivery, BACKLOG_SLOTS);
    }

    static DatasetFile clicks(String delivery, int ledgerSlots) {
        return new DatasetFile(List.of(WIDTH), delivery, ledgerSlots);
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
                      granularities: [minute]
                      index: [minute]
                      delivery: %s
                      ledger-slots: %d
                      measures: {events: {type: count}, bytes: {type: sum, attribute: bytes}}
                      scatter: [{width: %d}]
                """.formatted(name(width), delivery, ledgerSlots, width);
    }
}
