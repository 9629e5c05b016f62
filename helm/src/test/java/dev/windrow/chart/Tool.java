package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A program that only some machines have, such as promtool. */
record Tool(Path file) {

    /** The program, if it is on the PATH. */
    static Optional<Tool> named(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable).findFirst().map(Tool::new);
    }

    /** What it printed; it has to succeed. */
    String run(Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of(file.toString()), Stream.of(arguments)).toList();
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
