package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * All that the chart renders and prints in each shape, and the plain manifests, compared with the files in {@code golden}. With
 * {@code -Dwindrow.write=true} the files are written anew.
 */
class GoldenTest {

    private static final Path FOLDER = Path.of("src/test/resources/golden");
    private static final int SHOWN_LINES = 8;
    private static final String COMMAND = "if the difference is meant, write the files anew and look at their diff:"
            + " ./mvnw -pl helm -am test -Dtest='GoldenTest,SubchartTest,ValuesFileTest'"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dwindrow.write=true";

    static List<String> shapes() {
        return WindrowChart.shapes();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void theChartRendersAndPrintsWhatItDid(String shape) {
        compare(shape + ".yaml", new WindrowChart().shape(shape).text());
        compare(shape + ".notes.txt", new WindrowChart().shape(shape).notes());
    }

    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors", "production" })
    void thePlainManifestsAreWhatTheyWere(String overlay) throws IOException {
        StringBuilder text = new StringBuilder();
        for (JsonNode document : Kustomization.overlay(overlay)) {
            text.append(StrictKubernetes.YAML.writeValueAsString(document));
        }

        compare("k8s-" + overlay + ".yaml", text.toString());
    }

    /** The comparison is worth as much as our reading of kustomize: where the real one is installed, it must agree. */
    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors", "production" })
    void kubectlMakesTheSame(String overlay) throws Exception {
        Optional<Tool> kubectl = Tool.named("kubectl");
        assumeTrue(kubectl.isPresent(), "no kubectl on the PATH");

        String made = kubectl.get().run(Kustomization.OVERLAYS, "kustomize", overlay);
        // the name of the ConfigMap ends in a hash of its content
        String withoutHash = made.replaceAll("windrow-datasets-[a-z0-9]{10}", "windrow-datasets");
        assertThat(Manifests.parse(withoutHash).all())
                .containsExactlyInAnyOrderElementsOf(Manifests.of(Kustomization.overlay(overlay)).all());
    }

    @Test
    void everyFileIsCompared() {
        Stream<String> ofChart = shapes().stream().flatMap(shape -> Stream.of(shape + ".yaml", shape + ".notes.txt"));
        Stream<String> others = Stream.of("k8s-local.yaml", "k8s-vendors.yaml", "k8s-production.yaml", "subchart.yaml");

        assertThat(FOLDER.toFile().list()).isSubsetOf(Stream.concat(ofChart, others).toList());
    }

    @Test
    void aDifferenceIsShownWithTheCommandThatAcceptsIt() {
        assertThatThrownBy(() -> requireEqual("a.yaml", "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 4\nc: 3\n"))
                .hasMessageContainingAll("a.yaml, line 2", "- b: 2", "+ b: 4", "-Dwindrow.write=true")
                .hasMessageNotContaining("a: 1");
        assertThatThrownBy(() -> requireEqual("a.yaml", "a: 1\n", "a: 1\nb: 2\n")).hasMessageContaining("+ b: 2");
    }

    static void compare(String name, String rendered) {
        String text = comparable(rendered);
        Path file = FOLDER.resolve(name);
        try {
            if (Boolean.getBoolean("windrow.write")) {
                Files.writeString(file, text);
            } else {
                requireEqual(name, Files.exists(file) ? Files.readString(file) : "", text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without versions, which change with each release, and without the dashboard, which is a file of its own. */
    private static String comparable(String rendered) {
        return rendered.replace(WindrowChart.SHOWN_HOOK, "helm.sh/hook")
                .replaceAll("(helm.sh/chart: [a-z]+-|/version: \"?|windrow/[a-z-]+:|windrow )\\d+\\.\\d+\\.\\d+", "$1VERSION")
                .replaceAll("(?s)(\\.json: )\\|\n.*?(?=\n---|\\z)", "$1# files/dashboard.json, see MonitoringTest")
                .replaceAll("[ \\t]+\n", "\n");
    }

    private static void requireEqual(String name, String expected, String found) {
        List<String> before = expected.lines().toList();
        List<String> after = found.lines().toList();
        IntStream.range(0, Math.max(before.size(), after.size()))
                .filter(line -> !Objects.equals(at(before, line), at(after, line))).findFirst().ifPresent(line -> {
                    throw new AssertionError("%s, line %d:%n%s%s%s".formatted(name, line + 1, shown("- ", before, line),
                            shown("+ ", after, line), COMMAND));
                });
    }

    private static String at(List<String> lines, int line) {
        return line < lines.size() ? lines.get(line) : "(end)";
    }

    private static String shown(String prefix, List<String> lines, int from) {
        StringBuilder shown = new StringBuilder();
        lines.stream().skip(from).limit(SHOWN_LINES).forEach(line -> shown.append(prefix).append(line).append('\n'));
        return shown.toString();
    }
}
