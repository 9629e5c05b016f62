package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.windrow.bench.process.Child;

/** The Node.js sample, installed once into a folder of the build; left out where Node or its packages are not found. */
public final class Node {

    private Node() {
    }

    /**
     * The sample as a process, or nothing where it cannot run.
     *
     * @param kind published or tuned
     */
    static Optional<Child> start(Lab lab, String name, String kind, List<String> arguments) {
        Path folder = lab.root().resolve("bench/target/node");
        try {
            Files.createDirectories(folder);
            for (String file : List.of("gather.js", "package.json")) {
                try (InputStream in = Objects
                        .requireNonNull(Node.class.getResourceAsStream("/dev/windrow/bench/node/" + file))) {
                    Files.copy(in, folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            if (!Files.exists(folder.resolve("node_modules/@aws-sdk/client-dynamodb"))) {
                output(folder, "npm", "install", "--no-audit", "--no-fund");
            }
            if (!Files.exists(folder.resolve("node_modules/@aws-sdk/client-dynamodb"))) {
                return Optional.empty();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = new ArrayList<>(List.of("node", folder.resolve("gather.js").toString(), kind));
        command.addAll(arguments);
        return Optional.of(Child.start(name, lab.log(name + ".log"), command, Map.of(), false));
    }

    /** Its version, or that it is not there. */
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
