package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The services, on the JVM and native. */
enum Service {

    WRITER("writer-service", true),
    GATHERER("gather-service", true),
    NATIVE_WRITER("writer-service", false);

    private final String module;
    private final boolean jvm;

    Service(String module, boolean jvm) {
        this.module = module;
        this.jvm = jvm;
    }

    boolean isWriter() {
        return this == WRITER || this == NATIVE_WRITER;
    }

    /** Whether it was built. */
    boolean isThere(Path root) {
        return jvm ? Files.exists(jar(root)) : executable(root).isPresent();
    }

    /** The executable first, so that options can follow it. */
    List<String> command(Path root, String java, List<String> options) {
        if (!jvm) {
            return List.of(executable(root).orElseThrow().toString());
        }
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(options);
        command.addAll(List.of("-jar", jar(root).toString()));
        return command;
    }

    private Path jar(Path root) {
        return root.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
    }

    private Optional<Path> executable(Path root) {
        try (Stream<Path> files = Files.list(root.resolve(module).resolve("target"))) {
            return files.filter(file -> file.toString().endsWith("-runner") && Files.isExecutable(file)).findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
