package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A dataset file with one dataset or several of the same kind.
 *
 * @param names of the datasets
 * @param granularities stored and indexed
 * @param widths of each dataset's scatter
 * @param strategy of the scatter
 * @param delivery at-least-once or exactly-once
 * @param ledgerSlots slots a second and label
 */
record DatasetFile(List<String> names, List<String> granularities, List<Integer> widths, String strategy, String delivery,
        int ledgerSlots) {

    /** For 400 to 500 messages a second and label, about a hundred in each slot. */
    static final int BACKLOG_SLOTS = 4;

    static DatasetFile clicks(int width, String delivery) {
        return clicks(width, delivery, BACKLOG_SLOTS);
    }

    static DatasetFile clicks(int width, String delivery, int ledgerSlots) {
        return new DatasetFile(List.of("clicks"), List.of("minute"), List.of(width), "hash", delivery, ledgerSlots);
    }

    /** Writes it and answers the property that names it. */
    String property(Path folder) {
        StringBuilder yaml = new StringBuilder("windrow:\n  datasets:\n");
        for (int i = 0; i < names.size(); i++) {
            yaml.append("    ").append(names.get(i)).append(":\n      event-type: click\n      label: [referrer]\n")
                    .append("      granularities: ").append(granularities).append("\n      index: ").append(granularities)
                    .append("\n      delivery: ").append(delivery)
                    .append("\n      measures:\n        events: {type: count}\n        bytes: {type: sum, attribute: bytes}\n")
                    .append("      ledger-slots: ").append(ledgerSlots).append("\n      scatter: [{width: ")
                    .append(widths.get(i)).append("}]\n");
            if (strategy.equals("random")) {
                yaml.append("      scatter-strategy: random\n");
            }
        }
        try {
            Files.createDirectories(folder);
            Path file = Files.createTempFile(folder, "datasets", ".yaml");
            Files.writeString(file, yaml);
            return "-Dwindrow.datasets-file=" + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
