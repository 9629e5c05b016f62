package dev.windrow.chart;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Prometheus' own tool, where it is on the PATH. */
final class Promtool {

    private Promtool() {
    }

    /** How it ended. */
    record Result(int exitCode, String output) {
    }

    static boolean isThere() {
        return onThePath("promtool").isPresent();
    }

    /** Runs {@code promtool test rules} on a file. */
    static Result testRules(Path file) {
        try {
            Process process = new ProcessBuilder(onThePath("promtool").orElseThrow().toString(), "test", "rules",
                    file.getFileName().toString()).directory(file.getParent().toFile()).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Another program, if it is there. */
    static Optional<Path> onThePath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable).findFirst();
    }
}
