package dev.windrow.gather.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Unmodified vmalert of VictoriaMetrics and promtool of Prometheus; skipped if they are not on the PATH. */
@QuarkusTest
@Tag("prometheus")
class PrometheusToolsTest extends TableTest {

    private static final String TENANT = "vmalert";
    private static final String SELECTOR = "{road=~\"promtool.*\"}";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TestHTTPResource("/api/v1/prometheus")
    URI service;

    @TempDir
    Path folder;

    private final Queue<Notified> notified = new ConcurrentLinkedQueue<>();
    private HttpServer notifier;
    private Process evaluator;

    private record Notified(String name, String referrer, String summary, boolean resolved) {

        static Notified of(JsonNode alert) {
            return new Notified(alert.at("/labels/alertname").asText(), alert.at("/labels/referrer").asText(),
                    alert.at("/annotations/summary").asText(),
                    !Instant.parse(alert.at("/endsAt").asText()).isAfter(Instant.now()));
        }
    }

    @AfterEach
    void stop() {
        if (evaluator != null) {
            evaluator.destroyForcibly().onExit().join();
        }
        if (notifier != null) {
            notifier.stop(0);
        }
    }

    @Test
    void aRuleOverAQuotientFiresAndResolves() throws IOException {
        // Given a referrer with an average of nine bytes per click, and one with two
        Path vmalert = executable("vmalert");
        notifier = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        notifier.createContext("/", this::receive);
        notifier.start();
        Instant time = Instant.now().minusSeconds(30);
        clicks("heavy", time, 9);
        clicks("light", time, 2);

        // When
        evaluate(vmalert, "sum by (referrer) (increase(windrow_clicks_bytes[1h]))"
                + " / sum by (referrer) (increase(windrow_clicks_events[1h])) > 5");

        // Then it fires for the first one
        await().atMost(Patience.LIMIT).until(() -> !notified.isEmpty());
        assertThat(notified).containsOnly(new Notified("LargeAnswers", "heavy", "heavy: 9", false));

        // When the average falls again
        clicks("heavy", time, 3);

        // Then it is resolved
        await().atMost(Patience.LIMIT).until(() -> notified.stream().anyMatch(Notified::resolved));
    }

    private void clicks(String referrer, Instant time, int bytes) {
        events(TENANT, "clicks")
                .event(Label.of(referrer), time, Integer.toString(bytes)).writeTo(client, "windrow");
    }

    private void evaluate(Path vmalert, String expression) throws IOException {
        Path rules = Files.writeString(folder.resolve("rules.yaml"), """
                groups:
                  - name: windrow
                    interval: 1s
                    params:
                      tenant: ["%s"]
                    rules:
                      - alert: LargeAnswers
                        expr: "%s"
                        annotations:
                          summary: "{{ $labels.referrer }}: {{ $value }}"
                """.formatted(TENANT, expression));
        evaluator = new ProcessBuilder(vmalert.toString(), "-rule=" + rules,
                "-datasource.url=" + service, "-httpListenAddr=127.0.0.1:0",
                "-notifier.url=http://127.0.0.1:" + notifier.getAddress().getPort()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("vmalert.log").toFile()).start();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            if (exchange.getRequestURI().getPath().endsWith("/alerts")) {
                StreamSupport.stream(JSON.readTree(body).spliterator(), false).map(Notified::of).forEach(notified::add);
            }
            exchange.sendResponseHeaders(200, -1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path executable(String name) {
        Optional<Path> found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(path -> Path.of(path, name))
                .filter(Files::isExecutable).findFirst();
        assumeTrue(found.isPresent(), "no " + name + " on the PATH: the API was not tried out with it");
        return found.orElseThrow();
    }

    @Test
    void instantQueriesAreAnswered() {
        writeTolls();

        String answer = run("query", "instant", "--time=2026-11-19T12:00:00Z", service.toString(),
                "topk(1, sum by (road) (increase(windrow_tolls_fees" + SELECTOR + "[1d])))");

        assertThat(answer).isEqualTo("{road=\"promtool \\\"2\\\"\"} => 40 @[1795089600]\n");
        assertThat(run("query", "instant", "--time=2026-11-19T12:00:00Z", service.toString(), "1 + 1"))
                .isEqualTo("scalar: 2 @[1795089600]\n");
    }

    @Test
    void seriesAndLabelValuesAreListed() {
        writeTolls();

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

    private void writeTolls() {
        for (String name : List.of("tolls", "tolls-by-road")) {
            Aggregated tolls = events("default", name);
            for (String event : List.of("promtool 1,10:20:00,2.5", "promtool 1,11:40:00,1", "promtool \"2\",11:50:00,40")) {
                String[] parts = event.split(",", -1);
                tolls.event(name.equals("tolls") ? Label.of(parts[0], "gate") : Label.of(parts[0]),
                        Instant.parse("2026-11-19T" + parts[1] + "Z"), parts[2]);
            }
            tolls.writeTo(client, "windrow");
        }
    }

    private static String run(String... arguments) {
        return output(List.of(arguments), 0);
    }

    private static String output(List<String> arguments, int expectedExit) {
        List<String> command = new ArrayList<>(List.of(executable("promtool").toString()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
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
