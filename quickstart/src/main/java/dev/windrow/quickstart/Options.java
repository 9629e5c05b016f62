package dev.windrow.quickstart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.windrow.quickstart.process.Ports;

/**
 * Options of the quick start.
 *
 * @param root the project's folder
 * @param exit whether to stop after the table ({@code -Dexit})
 * @param log an Apache combined or common log to replay instead of generated clicks ({@code -Dlog=FILE})
 * @param seed of the generated clicks ({@code -Dseed=N})
 * @param ports where everything listens ({@code -Dport=N} and others)
 */
record Options(Path root, boolean exit, Optional<Path> log, long seed, Ports ports) {

    /**
     * The options that are given, and the defaults of the others.
     *
     * @throws IllegalArgumentException naming the option that is wrong, before anything is started
     */
    static Options ofSystemProperties() {
        Path root = Path.of(System.getProperty("windrow.root", "")).toAbsolutePath();
        String exit = System.getProperty("exit");
        return new Options(root, exit != null && !exit.equals("false"),
                Optional.ofNullable(System.getProperty("log")).map(Options::readable), seedOrRandom(),
                Ports.ofSystemProperties());
    }

    private static Path readable(String text) {
        Path log = Path.of(text);
        if (Files.isDirectory(log) || !Files.isReadable(log)) {
            throw new IllegalArgumentException("-Dlog=" + log + ": expected a readable file");
        }
        return log;
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
