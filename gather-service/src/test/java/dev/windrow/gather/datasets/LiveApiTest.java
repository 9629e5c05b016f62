package dev.windrow.gather.datasets;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class LiveApiTest extends TableTest {

    /** As in the settings for tests. */
    private static final int CLIENTS = 20;
    private static final int BUCKETS = 50;

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Test
    void changedBucketsAreSentAndResumed() {
        Instant now = Instant.now();
        Aggregated clicks = events("live", "clicks");
        clicks.event(Label.of("a"), now, "1").event(Label.of("b"), now, "1").writeTo(client, "windrow");
        String id;
        try (Stream<String> lines = open("live", "granularity=hour&window=2h")) {
            Iterator<String> events = lines.iterator();
            List<String> snapshot = List.of(data(events), data(events));
            clicks.event(Label.of("b"), now, "2").writeTo(client, "windrow");

            id = next(events, "id:");
            String changed = data(events);

            assertThat(snapshot).allMatch(data -> data.contains("\"events\":1"));
            assertThat(changed).contains("\"label\":[\"b\"]").contains("\"events\":2").contains("\"granularity\":\"hour\"");
        }
        try (Stream<String> lines = open("live", "granularity=hour&prefix=b", "Last-Event-ID", id)) {
            assertThat(data(lines.iterator())).contains("\"label\":[\"b\"]");
        }
    }

    @Test
    void aStreamWithoutNewsSaysThatItIsAlive() {
        // Given
        write("quiet", 1, Instant.now());

        // When
        try (Stream<String> lines = open("quiet", "granularity=hour")) {
            Iterator<String> events = lines.iterator();
            String snapshot = data(events);

            // Then comments keep following
            assertThat(snapshot).contains("\"label\":[\"label 0\"]");
            assertThat(List.of(next(events, ":"), next(events, ":"))).containsOnly("alive");
        }
    }

    @Test
    void aClientTooManyGetsTheReason() {
        write("crowd", 1, Instant.now());
        List<Stream<String>> open = new ArrayList<>();
        try {
            String event = "bucket";
            List<String> last = List.of();
            while (event.equals("bucket") && open.size() <= CLIENTS) {
                Stream<String> lines = open("crowd", "granularity=hour");
                open.add(lines);
                Iterator<String> events = lines.iterator();
                event = next(events, "event:");
                if (!event.equals("bucket")) {
                    last = List.of(data(events), Boolean.toString(goesOn(events)));
                }
            }

            assertThat(event).isEqualTo("problem");
            assertThat(last.get(0)).contains("\"reason\":\"overloaded\"").contains("live streams");
            assertThat(last.get(1)).isEqualTo("false");
        } finally {
            open.forEach(Stream::close);
        }
    }

    @Test
    void afterTooManyMissedBucketsTheStreamGoesOnFromItsWindow() {
        // Given
        Instant now = Instant.now();
        Instant missed = now.minus(Duration.ofHours(5));
        write("gap", BUCKETS + 1, missed);
        Aggregated current = events("gap", "clicks");
        current.event(Label.of("current"), now, "1").writeTo(client, "windrow");
        long lastId = missed.minus(Duration.ofHours(1)).getEpochSecond();

        // When
        try (Stream<String> lines = open("gap", "granularity=hour&window=2h", "Last-Event-ID", Long.toString(lastId))) {
            Iterator<String> events = lines.iterator();
            String id = next(events, "id:");
            String snapshot = data(events);
            String second = next(events, "event:");
            String problem = data(events);
            current.event(Label.of("current"), now, "1").writeTo(client, "windrow");
            String changed = data(events);

            // Then
            assertThat(Instant.ofEpochSecond(Long.parseLong(id))).isAfter(missed);
            assertThat(snapshot).contains("\"label\":[\"current\"]").contains("\"events\":1");
            assertThat(second).isEqualTo("problem");
            assertThat(problem).contains("\"reason\":\"invalid-parameter\"");
            assertThat(changed).contains("\"label\":[\"current\"]").contains("\"events\":2");
        }
    }

    private void write(String tenant, int labels, Instant time) {
        Aggregated clicks = events(tenant, "clicks");
        for (int i = 0; i < labels; i++) {
            clicks.event(Label.of("label " + i), time, "1");
        }
        clicks.writeTo(client, "windrow");
    }

    private static boolean goesOn(Iterator<String> lines) {
        while (lines.hasNext()) {
            if (!lines.next().isBlank()) {
                return true;
            }
        }
        return false;
    }

    @Test
    void headIsAnsweredAtOnceAndIsNoStream() {
        for (int i = 0; i <= CLIENTS; i++) {
            Response answer = given().queryParam("granularity", "hour").head("/api/v1/datasets/clicks/live");

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.contentType()).startsWith("text/event-stream");
        }
        assertThat(given().queryParam("granularity", "decade").head("/api/v1/datasets/clicks/live").statusCode())
                .isEqualTo(400);
    }

    static String first(String path, String field) {
        try (Stream<String> lines = send(path).body()) {
            return next(lines.iterator(), field);
        }
    }

    private static HttpResponse<Stream<String>> send(String path, String... headers) {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1/datasets/" + path))
                .headers(Stream.concat(Stream.of("Accept", "text/event-stream"), Stream.of(headers)).toArray(String[]::new))
                .build();
        return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofLines()).join();
    }

    private static Stream<String> open(String tenant, String query, String... headers) {
        HttpResponse<Stream<String>> response = send("clicks/live?tenant=" + tenant + "&" + query, headers);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("private, no-cache");
        assertThat(response.headers().firstValue("Vary").orElse("")).contains("Authorization", "X-API-Key");
        return response.body();
    }

    private static String data(Iterator<String> lines) {
        return next(lines, "data:");
    }

    private static String next(Iterator<String> lines, String field) {
        List<String> passed = new ArrayList<>();
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith(field)) {
                return line.substring(field.length()).strip();
            }
            passed.add(line);
        }
        throw new AssertionError("no " + field + " in " + passed);
    }
}
