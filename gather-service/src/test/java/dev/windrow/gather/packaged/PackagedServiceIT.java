package dev.windrow.gather.packaged;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Every endpoint, in every format that it describes, answered by the packaged service. */
@QuarkusIntegrationTest
@TestProfile(PackagedProfile.class)
class PackagedServiceIT {

    private static final String DATASETS = "/api/v1/datasets";
    private static final String DATASET = DATASETS + "/{dataset}/";
    private static final String PROBLEM = "/api/v1/problems/{reason}";
    private static final String SERVER_SENT_EVENTS = "text/event-stream";
    private static final String HOUR = "from=2026-11-20T10:00:00Z&to=2026-11-20T11:00:00Z";

    /** A question for each path, about the data there is. A path without one fails the tests. */
    private static final Map<String, String> QUESTIONS = Map.of(
            DATASETS, "/api/v1/datasets",
            PROBLEM, "/api/v1/problems/not-found",
            DATASET + "buckets", DATASETS + "/clicks/buckets?granularity=minute&limit=7&" + HOUR,
            DATASET + "series", DATASETS + "/clicks/series?granularity=minute&label=b&" + HOUR,
            DATASET + "totals", DATASETS + "/clicks/totals?label=b&" + HOUR,
            DATASET + "top", DATASETS + "/clicks/top?by=events&n=2&" + HOUR,
            DATASET + "busiest", DATASETS + "/clicks/busiest?granularity=minute&by=events&n=2&" + HOUR,
            DATASET + "compare", DATASETS + "/clicks/compare?label=b&" + HOUR,
            DATASET + "live", DATASETS + "/clicks/live?granularity=minute&window=24h");

    private TokenService tokens;

    @TestHTTPResource("/")
    URI service;

    @Test
    void everyPathIsAnsweredInEveryFormatItDescribes() {
        JsonPath description = given().queryParam("format", "json").get("/q/openapi").jsonPath();
        Map<String, Object> paths = description.getMap("paths");

        assertThat(paths).containsKeys(DATASETS, DATASET + "buckets", DATASET + "series", DATASET + "totals");
        assertThat(QUESTIONS).as("a question for each path").containsKeys(paths.keySet().toArray(new String[0]));
        paths.keySet().forEach(path -> {
            Map<String, Object> formats = description.getMap("paths.'" + path + "'.get.responses.'200'.content");
            assertThat(formats).as(path).isNotEmpty();
            formats.keySet().stream().filter(format -> !format.equals(SERVER_SENT_EVENTS))
                    .forEach(format -> requireAnswer(QUESTIONS.get(path), format));
        });
    }

    private static void requireAnswer(String question, String format) {
        Response answer = given().urlEncodingEnabled(false).accept(format).get(question);

        assertThat(answer.statusCode()).as("%s as %s: %s", question, format, answer.asString()).isEqualTo(200);
        assertThat(answer.contentType()).as(question).startsWith(format);
        assertThat(answer.asString()).as("%s as %s", question, format).isNotBlank();
    }

    @Test
    void answersAreExactAndCompressed() {
        Response page = given().get(QUESTIONS.get(DATASET + "buckets"));

        assertThat(page.jsonPath().getList("items")).hasSize(7);
        assertThat(page.jsonPath().getList("items[0].label")).isEqualTo(List.of("b"));
        assertThat(page.jsonPath().getList("items[1].label")).isEqualTo(List.of("https://a.example/?ä=1"));
        assertThat(page.jsonPath().getBoolean("complete")).isTrue();
        assertThat(page.header("Link")).contains("rel=\"next\"");
        assertThat(page.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(given().get(QUESTIONS.get(DATASET + "totals")).jsonPath().getInt("measures.events")).isEqualTo(30);
        assertThat(given().get(QUESTIONS.get(DATASET + "series")).jsonPath().getList("items")).hasSize(30);
    }

    @Test
    @Timeout(60)
    void changesAreToldAsEvents() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(service.resolve(QUESTIONS.get(DATASET + "live")))
                .header("Accept", SERVER_SENT_EVENTS).build();

        HttpResponse<Stream<String>> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofLines());

        assertThat(answer.headers().firstValue("Content-Type")).get().asString().startsWith(SERVER_SENT_EVENTS);
        try (Stream<String> lines = answer.body()) {
            assertThat(lines.anyMatch(line -> line.startsWith("data:")
                    && line.contains("\"label\":[\"" + PackagedTable.JUST_NOW.values().get(0) + "\"]")
                    && line.contains("\"events\":1"))).isTrue();
        }
    }

    @Test
    void credentialsCameInExchangeForTheWebIdentity() {
        given().get(QUESTIONS.get(DATASET + "totals")).then().statusCode(200);

        assertThat(tokens.hasExchangedTheToken()).isTrue();
    }

    @Test
    void problemsAreDocuments() {
        Response problem = given().get(DATASETS + "/clicks/buckets?granularity=minute&limit=x");

        assertThat(problem.statusCode()).isEqualTo(400);
        assertThat(problem.contentType()).startsWith("application/problem+json");
        assertThat(problem.jsonPath().getString("type")).isEqualTo("/api/v1/problems/invalid-parameter");
        assertThat(problem.jsonPath().getString("parameter")).isEqualTo("limit");
        assertThat(given().get("/nowhere").contentType()).startsWith("application/problem+json");
    }

    @Test
    void healthMetricsAndTheDescriptionAreServed() {
        for (String path : List.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started")) {
            assertThat(given().get(path).jsonPath().getString("status")).as(path).isEqualTo("UP");
        }
        assertThat(given().get("/q/metrics").asString()).contains("http_server_requests_seconds_count");
        assertThat(given().get("/q/openapi").asString()).contains("/api/v1/datasets");
        assertThat(given().get("/q/swagger-ui/").statusCode()).isEqualTo(200);
    }
}
