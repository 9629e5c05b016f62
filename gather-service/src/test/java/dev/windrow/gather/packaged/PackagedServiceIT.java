package dev.windrow.gather.packaged;

import static io.restassured.RestAssured.given;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.local.StsServer;
import dev.windrow.local.network.PrivateNetwork;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.ContentType;
import io.restassured.http.Method;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** The packaged service answers at every endpoint in every format that it describes. */
@QuarkusIntegrationTest
@Tag("slow")
@TestProfile(PackagedProfile.class)
class PackagedServiceIT {

    private static final String DATASETS = "/api/v1/datasets";
    private static final String DATASET = DATASETS + "/{dataset}/";
    private static final String PROBLEM = "/api/v1/problems/{reason}";
    private static final String SERVER_SENT_EVENTS = "text/event-stream";
    private static final String HOUR = "from=2026-11-20T10:00:00Z&to=2026-11-20T11:00:00Z";

    /** A request for each path, about existing data. A path without one fails the tests. */
    private static final Map<String, String> QUESTIONS = Map.ofEntries(
            entry(DATASETS, "/api/v1/datasets"),
            entry(PROBLEM, "/api/v1/problems/not-found"),
            entry(DATASET + "buckets", DATASETS + "/clicks/buckets?granularity=minute&limit=7&" + HOUR),
            entry(DATASET + "series", DATASETS + "/clicks/series?granularity=minute&label=b&" + HOUR),
            entry(DATASET + "totals", DATASETS + "/clicks/totals?label=b&" + HOUR),
            entry(DATASET + "top", DATASETS + "/clicks/top?by=events&n=2&" + HOUR),
            entry(DATASET + "position", DATASETS + "/clicks/position?by=events&label=b&" + HOUR),
            entry(DATASET + "busiest", DATASETS + "/clicks/busiest?granularity=minute&by=events&n=2&" + HOUR),
            entry(DATASET + "compare", DATASETS + "/clicks/compare?label=b&" + HOUR),
            entry(DATASET + "live", DATASETS + "/clicks/live?granularity=minute&window=1h"),
            entry(DATASET + "dashboard", DATASETS + "/clicks/dashboard"));

    private static final String AS_OF = "\"asOf\":\"[^\"]*\"";

    private StsServer tokens;
    private PrivateNetwork network;

    private URI management;

    @TestHTTPResource("/")
    URI root;

    /** On a slow machine, the service listens before it is warm, and until then rejects requests that it cannot answer. */
    @BeforeEach
    void awaitReadiness() {
        await().atMost(Patience.LIMIT).until(() -> given().get(management.resolve("/q/health/ready")).statusCode() == 200);
    }

    @Test
    void everyPathIsAnsweredInEveryFormatItDescribes() {
        JsonPath description = given().queryParam("format", "json").get("/q/openapi").jsonPath();
        Map<String, Object> paths = description.getMap("paths");

        assertThat(paths).containsKeys(DATASETS, DATASET + "buckets", DATASET + "series", DATASET + "totals");
        assertThat(QUESTIONS).as("a question for each path").containsKeys(paths.keySet().toArray(new String[0]));
        paths.keySet().forEach(path -> {
            String described = "paths.'" + path + "'.";
            Map<String, Object> formats = description.getMap(described + "get.responses.'200'.content");
            assertThat(formats).as(path).isNotEmpty();
            boolean hasTwin = description.get(described + "post") != null;
            formats.keySet().stream().filter(format -> !format.equals(SERVER_SENT_EVENTS)).forEach(format -> {
                String answer = requireAnswer(given(), Method.GET, QUESTIONS.get(path), format);
                if (hasTwin) {
                    requireSameOfTwin(QUESTIONS.get(path), format, answer);
                }
            });
        });
    }

    private static String requireAnswer(RequestSpecification request, Method method, String question, String format) {
        Response answer = request.urlEncodingEnabled(false).accept(format).request(method, question);

        assertThat(answer.statusCode()).as("%s %s as %s: %s", method, question, format, answer.asString()).isEqualTo(200);
        assertThat(answer.contentType()).as(question).startsWith(format);
        assertThat(answer.asString()).as("%s as %s", question, format).isNotBlank();
        return answer.asString();
    }

    /** The same parameters as a JSON object give the same answer, apart from the time of reading. */
    private static void requireSameOfTwin(String question, String format, String answer) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        for (String parameter : question.substring(question.indexOf('?') + 1).split("&", -1)) {
            String name = parameter.substring(0, parameter.indexOf('='));
            String value = parameter.substring(parameter.indexOf('=') + 1);
            boolean isNumber = value.matches("\\d+");
            parameters.put(name, name.equals("label") ? List.of(value) : isNumber ? Integer.valueOf(value) : value);
        }

        String twin = requireAnswer(given().contentType(ContentType.JSON).body(parameters), Method.POST,
                question.substring(0, question.indexOf('?')), format);

        assertThat(twin.replaceAll(AS_OF, "")).as("%s as %s", question, format).isEqualTo(answer.replaceAll(AS_OF, ""));
    }

    @Test
    void bucketsComeAsServerSentEventsForAsLongAsTheClientListens() throws Exception {
        HttpRequest question = HttpRequest.newBuilder(root.resolve(QUESTIONS.get(DATASET + "live")))
                .header("Accept", SERVER_SENT_EVENTS).build();

        HttpResponse<Stream<String>> answer = HttpClient.newHttpClient().send(question, HttpResponse.BodyHandlers.ofLines());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValueSatisfying(
                type -> assertThat(type).startsWith(SERVER_SENT_EVENTS));
        try (Stream<String> lines = answer.body()) {
            Iterator<String> told = lines.iterator();
            assertThat(next(told, "event:")).isEqualTo("bucket");
            assertThat(next(told, "data:")).contains("\"label\":[\"" + PackagedTable.NOW + "\"]", "\"events\":1");
        }
    }

    private static String next(Iterator<String> lines, String field) {
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith(field)) {
                return line.substring(field.length()).strip();
            }
        }
        throw new AssertionError("the stream ended without " + field);
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
    void credentialsCameInExchangeForTheWebIdentity() {
        given().get(QUESTIONS.get(DATASET + "totals")).then().statusCode(200);

        assertThat(tokens.hasExchangedTheToken()).isTrue();
    }

    @Test
    void everyConnectionToAwsIsATunnelThroughTheProxy() {
        given().get(QUESTIONS.get(DATASET + "totals")).then().statusCode(200);

        assertThat(network.passed()).containsOnly("CONNECT " + PackagedTable.DYNAMO_DB + ":443",
                "CONNECT " + PackagedTable.STS + ":443");
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
    void healthAndMetricsAreServedOnTheManagementPort() {
        for (String path : List.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started")) {
            assertThat(given().get(management.resolve(path)).jsonPath().getString("status")).as(path).isEqualTo("UP");
        }
        assertThat(given().get(management.resolve("/q/metrics")).asString()).contains("http_server_requests_seconds_count");
        assertThat(given().get("/q/health").statusCode()).isEqualTo(404);
        assertThat(given().get("/q/metrics").statusCode()).isEqualTo(404);
    }

    @Test
    void thePageIsServedWithItsFiles() {
        String page = given().get("/").asString();

        String module = page.replaceFirst("(?s).*\"(page/[0-9a-f]+/main\\.js)\".*", "/$1");
        assertThat(given().get(module).contentType()).isEqualTo("text/javascript;charset=UTF-8");
    }
}
