package dev.windrow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What every Dockerfile keeps to, also those that cannot be built where there is no engine or no native executable. */
class DockerfilesTest {

    private static final List<String> LABELS = List.of("title", "description", "vendor", "licenses", "version", "revision");

    /** One instruction of a Dockerfile, with the lines that continue it. */
    private record Instruction(String name, String text) {
    }

    @ParameterizedTest
    @ValueSource(strings = { "writer-service/src/main/docker/Dockerfile.jvm",
            "writer-service/src/main/docker/Dockerfile.native-micro", "gather-service/src/main/docker/Dockerfile.jvm",
            "gather-service/src/main/docker/Dockerfile.native-micro", "local-aws/src/main/docker/Dockerfile" })
    void itKeepsToTheRules(String file) throws IOException {
        Path module = Images.ROOT.resolve(file.substring(0, file.indexOf('/')));
        List<Instruction> instructions = instructions(Images.ROOT.resolve(file));

        // the base image is the builder's choice and needs no shell
        assertThat(instructions.get(0)).satisfies(first -> assertThat(first.text()).startsWith("BASE_IMAGE="));
        List<String> stages = of("FROM", instructions);
        assertThat(stages.get(stages.size() - 1)).isEqualTo("${BASE_IMAGE}");
        assertThat(instructions).extracting(Instruction::name).doesNotContain("RUN", "ADD", "SHELL", "HEALTHCHECK", "CMD",
                "VOLUME");
        JsonNode entryPoint = new ObjectMapper().readTree(of("ENTRYPOINT", instructions).get(0));
        assertThat(entryPoint.isArray()).isTrue();
        assertThat(entryPoint.path(0).asText()).isIn("java", "/app/windrow-writer", "/app/windrow-gatherer");

        // never root, and labeled with its name and contents
        assertThat(of("USER", instructions)).containsExactly("1001:0");
        assertThat(of("LABEL", instructions)).hasSize(1).allSatisfy(labels -> assertThat(LABELS)
                .allSatisfy(label -> assertThat(labels).contains("org.opencontainers.image." + label + "=")));
        List<String> copied = of("COPY", instructions).stream().filter(copy -> !copy.startsWith("--from=")).toList();
        assertThat(copied).contains("--chown=1001:0 target/bom.json /app/sbom.cdx.json")
                .allSatisfy(copy -> assertThat(copy).startsWith("--chown=1001:0 target/"));

        // and nothing is copied that the build is not given
        List<String> given = Files.readAllLines(module.resolve(".dockerignore")).stream()
                .filter(line -> line.startsWith("!")).map(line -> line.substring(1)).toList();
        assertThat(copied).map(copy -> copy.split(" ", -1)[1])
                .allSatisfy(source -> assertThat(given).anyMatch(source::startsWith));

        // the heap has a maximum below the container's memory, or the kernel ends the process before its own collector has
        // worked hard
        String option = file.endsWith("native-micro") ? "-XX:MaximumHeapSizePercent=" : "-XX:MaxRAMPercentage=";
        assertThat(entryPoint).map(JsonNode::asText).filteredOn(argument -> argument.startsWith(option)).singleElement()
                .satisfies(argument -> assertThat(Integer.parseInt(argument.substring(option.length()))).isBetween(40, 70));

        // a process without memory answers some requests and not others; its replacement answers all
        assertThat(entryPoint).map(JsonNode::asText).contains("-XX:+ExitOnOutOfMemoryError");

        // Java does TLS and HTTP by itself, so a service is the same on any base image
        if (!file.startsWith("local-aws")) {
            assertThat(stages).containsExactly("${BASE_IMAGE}");
            assertThat(of("COPY", instructions)).allSatisfy(copy -> assertThat(copy).doesNotContain("target/native", ".so"));
        }
    }

    private static List<String> of(String name, List<Instruction> instructions) {
        return instructions.stream().filter(instruction -> instruction.name().equals(name)).map(Instruction::text).toList();
    }

    private static List<Instruction> instructions(Path file) throws IOException {
        List<Instruction> instructions = new ArrayList<>();
        try (Stream<String> lines = Files.lines(file)) {
            String text = String.join("\n", lines.filter(line -> !line.startsWith("#") && !line.isBlank()).toList());
            for (String line : text.replace("\\\n", " ").split("\n", -1)) {
                int end = line.indexOf(' ');
                instructions.add(new Instruction(line.substring(0, end), line.substring(end + 1).strip()));
            }
        }
        return instructions;
    }
}
