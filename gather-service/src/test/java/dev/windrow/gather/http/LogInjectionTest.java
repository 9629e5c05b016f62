package dev.windrow.gather.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import org.jboss.logmanager.LogContext;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.EmbeddedTable;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** What a request holds must not look like a line of the log. */
@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class LogInjectionTest {

    private static final int MAX_LINE = 1_500;

    @TestHTTPResource("/")
    URI base;

    @Test
    void noRequestForgesALineOfTheLog() {
        RawHttp http = new RawHttp(base.getPort());
        Lines lines = new Lines();
        Logger root = LogContext.getLogContext().getLogger("");
        root.addHandler(lines);
        try {
            for (String hostile : List.of("%0aFORGED", "%0d%0aFORGED", "%c2%85FORGED", "%e2%80%a8FORGED", "%1b%5b31mFORGED",
                    "\u0085FORGED", "\u001bFORGED", "x".repeat(5_000))) {
                http.get("/api/v1/datasets/clicks" + hostile + "/totals?label=a");
                http.get("/api/v1/" + hostile);
                http.get("/q/swagger-ui/" + hostile);
                http.get("/api/v1/datasets/clicks/totals?label=a&from=" + hostile);
                http.get("/api/v1/datasets/clicks/totals?label=a", "X-Request-Id: " + hostile, "Accept: " + hostile);
                http.request(hostile.startsWith("x") ? hostile : "FORGED", "/api/v1/datasets", "");
            }
        } finally {
            root.removeHandler(lines);
        }

        assertThat(lines.all).as("access log").anyMatch(line -> line.contains("path='/api/v1/datasets/clicks"));
        assertThat(lines.all).allSatisfy(line -> assertThat(line.strip().lines()).hasSizeLessThanOrEqualTo(1))
                .allMatch(line -> line.length() <= MAX_LINE)
                .noneMatch(line -> line.strip().chars().anyMatch(Character::isISOControl))
                .noneMatch(line -> line.contains("\u2028"));
    }

    /** Each record as the plain format shows it, without the stack trace. */
    private static final class Lines extends Handler {

        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            all.add(entry.getLoggerName() + " " + message(entry) + (entry.getThrown() == null ? "" : entry.getThrown()));
        }

        private static String message(LogRecord entry) {
            Object[] parameters = entry.getParameters();
            return parameters == null || !entry.getMessage().contains("%s") ? entry.getMessage() + Arrays.toString(parameters)
                    : String.format(entry.getMessage(), parameters);
        }

        @Override
        public void flush() {
        }

        @Override
        public void close() {
        }
    }
}
