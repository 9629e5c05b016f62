package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The Node.js sample, installed once into a build folder; skipped if Node or its packages are not found. */
public final class Node {

    private Node() {
    }

    /** Starts the sample as a process; empty if it cannot run. */
    static Optional<Child> start(Lab lab, String name, List<String> arguments) {
        Path folder = lab.root().resolve("bench/target/node");
        try {
            Files.createDirectories(folder);
            for (String file : List.of("gather.js", "package.json")) {
                try (InputStream in = Node.class.getResourceAsStream("/dev/windrow/bench/node/" + file)) {
                    Files.copy(Objects.requireNonNull(in), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Path installed = folder.resolve("node_modules/@aws-sdk/client-dynamodb");
        if (!Files.exists(installed)) {
            output(folder, "npm", "install", "--no-audit", "--no-fund");
        }
        return Files.exists(installed) ? Optional.of(Child.start(name, lab.log(name + ".log"),
                Map.of(), 0, List.of("node", folder.resolve("gather.js").toString()), arguments)) : Optional.empty();
    }

    /** Returns the version of Node, or {@code not found}. */
    public static String version() {
        return output(Path.of("."), "node", "--version");
    }

    private static String output(Path folder, String... command) {
        try {
            Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "not found";
        }
    }
}
