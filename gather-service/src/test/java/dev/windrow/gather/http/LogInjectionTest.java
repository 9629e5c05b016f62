package dev.windrow.gather.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.LogRecord;

import org.awaitility.Awaitility;
import org.jboss.logmanager.LogContext;
import org.junit.jupiter.api.Test;

import dev.windrow.testing.LogLines;
import dev.windrow.testing.Patience;
import io.quarkus.logging.json.runtime.JsonFormatter;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonObject;

/** The content of a request must not look like a log line. */
@QuarkusTest
class LogInjectionTest {

    private static final int MAX_LINE = 1_500;
    /** The embedded server in this JVM logs its own requests if another test enabled that. */
    private static final String EMBEDDED_TABLE = "software.amazon.dynamodb.services.local.";

    @Test
    void noRequestForgesALineOfTheLog() {
        RawHttp http = new RawHttp();
        List<String> lines = new ArrayList<>();
        try (LogLines logged = LogLines.of(LogContext.getLogContext().getLogger(""), LogInjectionTest::plain)) {
            for (String hostile : List.of("%0aFORGED", "%0d%0aFORGED", "%c2%85FORGED", "%e2%80%a8FORGED", "%1b%5b31mFORGED",
                    "\u0085FORGED", "\u001bFORGED", "x".repeat(5_000))) {
                http.get("/api/v1/datasets/clicks" + hostile + "/totals?label=a");
                http.get("/api/v1/" + hostile);
                http.get("/q/swagger-ui/" + hostile);
                http.get("/api/v1/datasets/clicks/totals?label=a&from=" + hostile);
                http.get("/api/v1/datasets/clicks/totals?label=a", "X-Request-Id: " + hostile, "Accept: " + hostile);
                http.request(hostile.startsWith("x") ? hostile : "FORGED", "/api/v1/datasets", "");
            }
            lines.addAll(logged.all());
        }
        lines.removeIf(line -> line.startsWith(EMBEDDED_TABLE));

        assertThat(lines).as("access log").anyMatch(line -> line.contains("path=/api/v1/datasets/clicks"));
        assertThat(lines).allSatisfy(line -> assertThat(line.strip().lines()).hasSizeLessThanOrEqualTo(1))
                .allMatch(line -> line.length() <= MAX_LINE)
                .noneMatch(line -> line.strip().chars().anyMatch(Character::isISOControl))
                .noneMatch(line -> line.contains("\u2028"));
    }

    @Test
    void aRequestThatIsReroutedIsOneLine() {
        assertThat(accessLog("/q/swagger-ui/", "X-Request-Id: rerouted")).singleElement().asString()
                .contains("path=/q/swagger-ui/ ");
    }

    @Test
    void fieldsAreFieldsOfJson() {
        // When
        List<String> lines = accessLog("/api/v1/datasets/none/totals?label=a", "X-Request-Id: of-this-test");

        // Then
        assertThat(lines.stream().map(JsonObject::new)).singleElement().satisfies(line -> {
            assertThat(line.getString("message")).contains("path=/api/v1/datasets/none/totals");
            assertThat(line.getJsonObject("mdc").getMap()).containsEntry("path", "/api/v1/datasets/none/totals")
                    .containsEntry("status", "404").containsEntry("method", "GET").containsEntry("request_id", "of-this-test")
                    .containsKeys("remote", "bytes", "duration_ms");
        });
    }

    /** The entry in the plain format, without the stack trace. */
    private List<String> accessLog(String target, String header) {
        try (LogLines logged = LogLines.of(LogContext.getLogContext().getLogger("dev.windrow.gather.access"),
                new JsonFormatter()::format)) {
            new RawHttp().get(target, header);
            return Awaitility.await().atMost(Patience.LIMIT).until(logged::all, all -> !all.isEmpty());
        }
    }

    private static String plain(LogRecord entry) {
        Object[] parameters = entry.getParameters();
        String message = parameters == null || !entry.getMessage().contains("%s")
                ? entry.getMessage() + Arrays.toString(parameters)
                : String.format(entry.getMessage(), parameters);
        return entry.getLoggerName() + " " + message + (entry.getThrown() == null ? "" : entry.getThrown());
    }
}
