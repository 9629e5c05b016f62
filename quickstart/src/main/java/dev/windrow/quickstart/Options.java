package dev.windrow.quickstart;

import java.nio.file.Path;
import java.util.Optional;

import dev.windrow.quickstart.process.Ports;

/**
 * Options of the quick start.
 *
 * @param root the project's folder
 * @param exit whether to stop after the table ({@code -Dexit})
 * @param log an Apache combined log to replay instead of generated clicks ({@code -Dlog=FILE})
 * @param seed of the generated clicks ({@code -Dseed=N})
 * @param ports where everything listens ({@code -Dport=N} and others)
 */
record Options(Path root, boolean exit, Optional<Path> log, long seed, Ports ports) {

    static Options ofSystemProperties() {
        Path root = Path.of(System.getProperty("windrow.root", "")).toAbsolutePath();
        String exit = System.getProperty("exit");
        return new Options(root, exit != null && !exit.equals("false"),
                Optional.ofNullable(System.getProperty("log")).map(Path::of), Long.getLong("seed", System.nanoTime()),
                Ports.ofSystemProperties());
    }
}
