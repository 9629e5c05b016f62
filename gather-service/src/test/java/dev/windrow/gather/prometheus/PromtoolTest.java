package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Prometheus' own tool, unmodified, against the gatherer; skipped where it is not on the PATH. */
@QuarkusTest
@Tag("prometheus")
class PromtoolTest extends TableTest {

    private static final String SELECTOR = "{road=~\"promtool.*\"}";

    @TestHTTPResource("/api/v1/prometheus")
    URI service;

    @BeforeEach
    void write() {
        assumeTrue(promtool().isPresent(), "no promtool on the PATH: the API was not tried out with it");
        for (String name : List.of("tolls", "tolls-by-road")) {
            Aggregated tolls = events("default", name);
            boolean gates = name.equals("tolls");
            for (String event : List.of("promtool 1,10:20:00,2.5", "promtool 1,11:40:00,1", "promtool \"2\",11:50:00,40")) {
                String[] parts = event.split(",", -1);
                tolls.event(gates ? Label.of(parts[0], "gate") : Label.of(parts[0]),
                        Instant.parse("2026-11-19T" + parts[1] + "Z"), parts[2]);
            }
            tolls.writeTo(client, "windrow");
        }
    }

    @Test
    void instantQueriesAreAnswered() {
        String answer = run("query", "instant", "--time=2026-11-19T12:00:00Z", service.toString(),
                "topk(1, sum by (road) (increase(windrow_tolls_fees" + SELECTOR + "[1d])))");

        assertThat(answer).isEqualTo("{road=\"promtool \\\"2\\\"\"} => 40 @[1795089600]\n");
        assertThat(run("query", "instant", "--time=2026-11-19T12:00:00Z", service.toString(), "1 + 1"))
                .isEqualTo("scalar: 2 @[1795089600]\n");
    }

    @Test
    void seriesAndLabelValuesAreListed() {
        assertThat(run("query", "series", "--match=windrow_tolls_fees" + SELECTOR, service.toString()).lines())
                .containsExactlyInAnyOrder("{__name__=\"windrow_tolls_fees\", gate=\"gate\", road=\"promtool 1\"}",
                        "{__name__=\"windrow_tolls_fees\", gate=\"gate\", road=\"promtool \\\"2\\\"\"}");
        assertThat(run("query", "labels", service.toString(), "road").lines()).contains("promtool 1", "promtool \"2\"");
        assertThat(run("query", "labels", service.toString(), "__name__").lines()).contains("windrow_tolls_fees");
    }

    @Test
    void errorsAreShown() {
        List<String> command = List.of("query", "instant", service.toString(), "stddev(windrow_tolls_fees)");

        assertThat(output(command, 1)).contains("bad_data").contains("stddev is not supported");
    }

    private static Optional<Path> promtool() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(folder -> Path.of(folder, "promtool"))
                .filter(Files::isExecutable).findFirst();
    }

    private static String run(String... arguments) {
        return output(List.of(arguments), 0);
    }

    private static String output(List<String> arguments, int expectedExit) {
        List<String> command = new ArrayList<>(List.of(promtool().orElseThrow().toString()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isEqualTo(expectedExit);
            return output;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
