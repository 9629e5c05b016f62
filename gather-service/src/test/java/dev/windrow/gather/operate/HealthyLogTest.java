package dev.windrow.gather.operate;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.RequestFailedException;
import dev.windrow.gather.testing.FaultyTable;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.VertxException;

/** A healthy service logs no warnings or errors from its start on, whatever its clients do. */
@QuarkusTest
@QuarkusTestResource(value = HealthyLogTest.LoggingTable.class, restrictToAnnotatedClass = true)
@Tag("slow")
class HealthyLogTest extends TableTest {

    private static final String EMBEDDED_TABLE = " software.amazon.dynamodb.services.local.";
    /** The services of other tests in this JVM registered the same meters in Micrometer's one global registry. */
    private static final String SEVERAL_SERVICES = "has been already registered";
    private static final String SLOW_SHARD = "default#clicks#minute#3";

    FaultProxy proxy;

    @ConfigProperty(name = "quarkus.log.file.path")
    Path log;

    /** With hedges, and a log in a file. */
    public static class LoggingTable extends FaultyTable {
        @Override
        public Map<String, String> start() {
            Map<String, String> settings = new HashMap<>(super.start());
            settings.put("windrow.gather.fanout.hedging.enabled", "true");
            // Late reads of lanes on an overloaded machine would log a warning.
            settings.put("test.lanes-timeout", "30S");
            settings.put("quarkus.log.file.enabled", "true");
            settings.put("quarkus.log.file.json.enabled", "false");
            settings.put("quarkus.log.file.format", " %p %c %m%n");
            settings.put("quarkus.log.file.path", logFile().toString());
            return settings;
        }

        private static Path logFile() {
            try {
                Path file = Files.createTempFile("windrow-gatherer", ".log");
                file.toFile().deleteOnExit();
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void hedgesAndClientsThatLeaveAreNoErrors() throws IOException {
        events("default", "clicks")
                .event(Label.of("a"), Instant.now(), "1").writeTo(client, "windrow");
        ask(20);
        // Few enough that slow reads stay the exception.
        AtomicLong queries = new AtomicLong();
        proxy.use(request -> queries.incrementAndGet() % 40 == 0
                ? new Fault.DelayBefore(Duration.ofSeconds(1), new Fault.Pass())
                : new Fault.Pass());
        Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> {
            ask(1);
            assertThat(ManagementPort.sum("windrow_gather_hedged_reads_total", "")).isGreaterThan(2);
        });
        proxy.use(FaultPlan.none());

        leave("/api/v1/datasets/clicks/live?granularity=minute&window=1h", "event:bucket");
        leave("/api/v1/datasets/clicks/live?granularity=minute&window=1h&prefix=nobody", "");
        proxy.use(FaultPlan.slow(SLOW_SHARD::equals, Duration.ofMillis(500)));
        leave("/api/v1/datasets/clicks/buckets?granularity=minute&timeout=30s", "");
        proxy.use(FaultPlan.none());
        // As when a client leaves in the microseconds in which a read fails.
        Infrastructure.handleDroppedException(new RequestFailedException("shard 3", new VertxException("closed")));

        AtomicLong before = new AtomicLong(-1);
        Awaitility.await().atMost(Patience.LIMIT).pollInterval(Duration.ofSeconds(2))
                .until(() -> before.getAndSet(proxy.audit().requests("Query")) == proxy.audit().requests("Query"));
        List<String> lines = Files.readAllLines(log).stream()
                .filter(line -> !line.contains(EMBEDDED_TABLE) && !line.contains(SEVERAL_SERVICES)).toList();
        assertThat(lines).anyMatch(line -> line.contains(" INFO "));
        assertThat(lines).filteredOn(line -> line.contains(" ERROR ") || line.contains(" WARN ")).isEmpty();
    }

    private static void ask(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(given().get("/api/v1/datasets/clicks/buckets?granularity=minute&limit=10").statusCode()).isEqualTo(200);
        }
    }

    /** Sends a request, reads up to a text, and closes the connection. */
    private static void leave(String path, String text) throws IOException {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("localhost", port));
            socket.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            StringBuilder read = new StringBuilder();
            while (!text.isEmpty() && read.indexOf(text) < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException("no " + text + " in " + read);
                }
                read.append((char) next);
            }
        }
    }
}
