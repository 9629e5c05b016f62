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
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** VictoriaMetrics' evaluator of rules, unmodified, against the gatherer; skipped where it is not on the PATH. */
@QuarkusTest
@Tag("prometheus")
class VmalertTest extends TableTest {

    private static final String TENANT = "vmalert";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TestHTTPResource("/api/v1/prometheus")
    URI service;

    @TempDir
    Path folder;

    private final Queue<Notified> notified = new ConcurrentLinkedQueue<>();
    private HttpServer notifier;
    private Process vmalert;

    /** An alert, and whether it was over when it was received. */
    private record Notified(String name, String referrer, String summary, boolean resolved) {

        static Notified of(JsonNode alert) {
            return new Notified(alert.at("/labels/alertname").asText(), alert.at("/labels/referrer").asText(),
                    alert.at("/annotations/summary").asText(),
                    !Instant.parse(alert.at("/endsAt").asText()).isAfter(Instant.now()));
        }
    }

    @BeforeEach
    void listen() throws IOException {
        assumeTrue(executable().isPresent(), "no vmalert on the PATH: rules were not tried out with it");
        notifier = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        notifier.createContext("/", this::receive);
        notifier.start();
    }

    @AfterEach
    void stop() {
        if (vmalert != null) {
            vmalert.destroyForcibly().onExit().join();
        }
        if (notifier != null) {
            notifier.stop(0);
        }
    }

    @Test
    void aRuleOverAQuotientFiresAndResolves() throws IOException {
        // Given a host with nine large answers for each request, and one with two
        Instant time = Instant.now().minusSeconds(30);
        write("heavy", time, 9);
        write("light", time, 2);

        // When
        start("sum by (referrer) (increase(windrow_clicks_bytes[1h])) / sum by (referrer) (increase(windrow_clicks_events[1h])) > 5");

        // Then it fires for one of them
        await().atMost(Patience.LIMIT).until(() -> !notified.isEmpty());
        assertThat(notified).containsOnly(new Notified("LargeAnswers", "heavy", "heavy: 9", false));

        // When the answers are small again
        write("heavy", time, 3);

        // Then it is resolved
        await().atMost(Patience.LIMIT).until(() -> notified.stream().anyMatch(Notified::resolved));
    }

    private void write(String referrer, Instant time, int bytes) {
        events(TENANT, "clicks")
                .event(Label.of(referrer), time, Integer.toString(bytes)).writeTo(client, "windrow");
    }

    private void start(String expression) throws IOException {
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
        vmalert = new ProcessBuilder(executable().orElseThrow().toString(), "-rule=" + rules,
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

    private static Optional<Path> executable() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(path -> Path.of(path, "vmalert"))
                .filter(Files::isExecutable).findFirst();
    }
}
