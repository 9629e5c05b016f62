package dev.windrow.quickstart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.InvalidDatasetsException;

/**
 * Options of the quick start.
 *
 * @param exit whether to stop after the table ({@code -Dexit})
 * @param log an Apache combined or common log to replay instead of generated clicks ({@code -Dlog=FILE})
 * @param datasets a dataset file instead of the bundled one ({@code -Ddatasets=FILE})
 * @param events events to post instead of generated clicks, one per line ({@code -Devents=FILE})
 * @param seed seed of the generated clicks ({@code -Dseed=N})
 * @param ports ports of all servers ({@code -Dport=N} and others)
 */
record Options(Path root, boolean exit, Optional<Path> log, Optional<Path> datasets, Optional<Path> events, long seed,
        Ports ports) {

    /**
     * Reads the given options, with defaults for the others.
     *
     * @throws IllegalArgumentException naming the option that is wrong, before anything is started
     */
    static Options ofSystemProperties() {
        Path root = Path.of(System.getProperty("windrow.root", "")).toAbsolutePath();
        String exit = System.getProperty("exit");
        Options options = new Options(root, exit != null && !exit.equals("false"), readable("log"),
                readable("datasets"), readable("events"), seedOrRandom(), Ports.ofSystemProperties());
        if (options.log.isPresent() && options.events.isPresent()) {
            throw new IllegalArgumentException("-Dlog and -Devents: expected one of them");
        }
        if (options.log.isPresent() && options.datasets.isPresent()) {
            throw new IllegalArgumentException("-Dlog and -Ddatasets: a log is counted in the bundled datasets; leave out"
                    + " -Ddatasets, or give the log's requests as events with -Devents");
        }
        options.declared();
        return options;
    }

    /** Whether the user's own events or datasets are used instead of clicks. */
    boolean isOwn() {
        return datasets.isPresent() || events.isPresent();
    }

    /** Returns the datasets file of both services. */
    Path datasetsFile() {
        return datasets.orElse(root.resolve("quickstart/datasets.yaml")).toAbsolutePath();
    }

    /**
     * Reads the datasets declared in that file.
     *
     * @throws IllegalArgumentException naming every field that is wrong
     */
    Datasets declared() {
        try {
            return DatasetsYaml.read(datasetsFile());
        } catch (InvalidDatasetsException e) {
            throw new IllegalArgumentException("-Ddatasets=" + e.getMessage(), e);
        }
    }

    private static Optional<Path> readable(String option) {
        String text = System.getProperty(option);
        if (text == null) {
            return Optional.empty();
        }
        Path file = Path.of(text);
        if (Files.isDirectory(file) || !Files.isReadable(file)) {
            throw new IllegalArgumentException("-D" + option + "=" + file + ": expected a readable file");
        }
        return Optional.of(file);
    }

    private static long seedOrRandom() {
        String text = System.getProperty("seed");
        if (text == null) {
            return System.nanoTime();
        }
        try {
            return Long.decode(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("-Dseed=" + text + ": expected a whole number", e);
        }
    }
}
