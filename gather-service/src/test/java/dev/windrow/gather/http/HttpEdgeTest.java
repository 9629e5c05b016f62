package dev.windrow.gather.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.gather.http.RawHttp.Answer;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;

/** Malformed requests, and unusual ones that are well-formed. */
@QuarkusTest
class HttpEdgeTest extends TableTest {

    private static final String TOTALS = "/api/v1/datasets/clicks/totals";
    /** Stands for the reason of requests that are not HTTP: they are refused before the router, with a status only. */
    private static final String BARE = "-";
    private static final String QUESTION = TOTALS + "?label=a";
    private static final String PARAMETERS = "{\"label\":\"a\"}";

    private final RawHttp http = new RawHttp();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
            "/api/v1/datasets/%zz/totals | 400 | -",
            "/api/v1/datasets/% | 400 | -",
            TOTALS + "?label=% | 400 | -",
            TOTALS + "?label=%ff | 400 | bad-request",
            TOTALS + "?label=^ | 400 | -",
            TOTALS + "?label=\\ | 400 | -",
            TOTALS + "?label={} | 400 | -",
            TOTALS + "?label=é | 400 | bad-request",
            "/^ | 400 | -",
            "/\\ | 400 | -",
            "* | 404 | not-found",
            "foo | 404 | not-found",
            "//api/v1/datasets | 400 | bad-request",
            "/api/v1/problems/%2e%2e/datasets | 400 | bad-request",
            "/api/v1/problems/../datasets | 400 | bad-request",
            "/api/v1/problems/..;/datasets | 400 | bad-request",
            "/api/v1/datasets%2fclicks | 400 | bad-request",
            "/q/swagger-ui/%00 | 400 | bad-request",
            "/q/swagger-ui/..%5c..%5capplication.properties | 400 | bad-request",
            "/nowhere | 404 | not-found",
            "/api/v1/datasets/clicks/nowhere | 404 | not-found",
    })
    void aTargetThatIsNotGoodIsAProblem(String target, int status, String reason) {
        requireProblem(status, reason, http.get(target));
    }

    @Test
    void absoluteTargetsAreServedAsOriginsAre() {
        assertThat(http.get("http://gatherer" + QUESTION).status()).isEqualTo(200);
    }

    @Test
    void namesThatNoStrangerCanOwnAreServed() {
        Answer answer = http.send(
                "GET " + QUESTION + " HTTP/1.1\r\nHost: windrow-gather.counting.svc:8080\r\nConnection: close\r\n\r\n");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** DNS rebinding: the owner of a name can resolve it to this address, so that its pages have the answers' origin. */
    @Test
    void withoutAuthenticationNamesThatAStrangerMayOwnAreRefused() {
        String host = "evil.example:8080";
        String headers = " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";

        for (String target : List.of(QUESTION, "/", "/q/openapi")) {
            Answer answer = http.send("GET " + target + headers);

            requireProblem(403, "forbidden", answer);
            assertThat(answer.body()).contains("windrow.gather.api.allowed-hosts").contains("\"parameter\":\"Host\"");
        }
        assertThat(http.send("GET /api/v1/prometheus/api/v1/labels" + headers).body())
                .contains("\"status\":\"error\"").contains("\"reason\":\"forbidden\"");
        requireProblem(403, "forbidden", http.get("http://" + host + QUESTION));
    }

    @ParameterizedTest
    @ValueSource(strings = { "Accept: ", "Accept: ,", "Accept: application/json\r\nAccept: ", "Accept: *", "Accept: */*;q=.2",
            "Accept: text/html, *; q=.2",
            "Accept: application/json;q=2", "Content-Type: ", "If-None-Match: x", "If-None-Match: \"", "Range: bytes=x",
            "Cookie: ;;;=;", "Expect: 100-continue", "Upgrade: h2c", "Upgrade: websocket", "traceparent: x" })
    void headersThatSayNothingAreIgnored(String header) {
        Answer answer = http.get(QUESTION, header);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
            "Accept: x | 400 | bad-request",
            "Accept: / | 400 | bad-request",
            "Accept: a/b/c | 400 | bad-request",
            "Accept: text/html;q=NaN, */*;q=0.1 | 400 | bad-request",
            "Accept: text/html | 406 | not-acceptable",
            "Accept: text/html;q=x | 406 | not-acceptable",
            "Content-Type: x | 415 | unsupported-media-type",
            "Transfer-Encoding: x | 400 | -",
            "Transfer-Encoding: gzip, chunked | 400 | bad-request",
            "Content-Length: x | 400 | -",
            "Content-Length: -1 | 400 | -",
            "bad header | 400 | -",
            "If-Match: \"x\" | 412 | precondition-failed",
    })
    void aHeaderThatIsNotGoodIsAProblem(String header, int status, String reason) {
        requireProblem(status, reason, http.get(QUESTION, header));
    }

    @Test
    void whatIsTooLargeIsAProblemAndTheLongestLabelIsNot() {
        String large = "x".repeat(100_000);

        requireProblem(414, BARE, http.get("/" + large));
        requireProblem(431, BARE, http.get(QUESTION, "X-Long: " + large));
        requireProblem(413, "content-too-large", post(large));
        Answer chunked = http.request("POST", TOTALS, "186a0\r\n" + large + "\r\n0\r\n\r\n", "Content-Type: application/json",
                "Transfer-Encoding: chunked");
        requireProblem(413, "content-too-large", chunked);
        assertThat(chunked.header("Connection")).hasValue("close");
        assertThat(http.get(TOTALS + "?label=" + "%C3%A9".repeat(900)).status()).isEqualTo(200);
    }

    @Test
    void nothingFollowsARequestWithTwoLengths() {
        String smuggled = "GET /api/v1/datasets HTTP/1.1\r\nHost: a\r\n\r\n";

        String answer = http.sendAndReadToEnd("POST " + TOTALS + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Content-Length: 13\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n" + PARAMETERS + "\r\n0\r\n\r\n" + smuggled);

        assertThat(answer).matches("(?s)HTTP/1\\.1 (200|400) .*");
        assertThat(answer.substring(1)).doesNotContain("HTTP/1.1");
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "Content-Length: 13\r\n" })
    void aRequestWithTransferEncodingIsTheLastOnItsConnection(String length) {
        String head = " HTTP/1.1\r\nHost: a\r\n";

        String answers = http.sendAndReadToEnd("GET " + QUESTION + head + "\r\n" + "POST " + TOTALS + head
                + "Content-Type: application/json\r\n" + length + "Transfer-Encoding: chunked\r\n\r\n"
                + "d\r\n" + PARAMETERS + "\r\n0\r\n\r\n" + "GET /nowhere" + head + "\r\n");

        assertThat(answers.split("HTTP/1\\.1 ", -1)).as(answers).hasSize(3);
        assertThat(answers).doesNotContain("not-found");
    }

    @Test
    void namesOfParametersAreCaseSensitive() {
        assertThat(http.get(QUESTION + "&Label=us").body()).contains("/unknown-parameter\"", "\"parameter\":\"Label\"");
        assertThat(http.get("/api/v1/datasets/clicks/buckets?granularity=hour&Format=csv").body())
                .contains("/unknown-parameter\"");
        assertThat(http.get("/api/v1/prometheus/api/v1/query?Query=1").body()).contains("query");
        assertThat(http.get(TOTALS + "?label=a;b%3Bc+d").body()).contains("[\"a;b;c d\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = { "totals?label=a&from=9999-12-31T23:59:59Z&explain=true",
            "compare?label=a&from=9999-12-31T23:59:59Z&explain=true",
            "series?label=a&granularity=day&tz=Europe/Berlin&from=9999-12-30T00:00:00Z&to=9999-12-31T23:59:59Z&fill=zero" })
    void noAnswerHasAYearOfFiveDigits(String query) {
        Answer answer = http.get("/api/v1/datasets/clicks/" + query);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain("10000").contains("9999-12-31T23:");
    }

    @Test
    void problemsOfAKnownPathNameIt() {
        String instance = "\"instance\":\"" + TOTALS + "\"";

        assertThat(http.get(QUESTION, "Content-Length: 1000000").body()).contains("content-too-large", instance);
        assertThat(http.get(QUESTION, "If-Match: \"x\"").body()).contains("precondition-failed", instance);
    }

    @Test
    void theLinkToTheNextPageHasTheParametersInTheirOrder() {
        Aggregated clicks = events("ordered", "clicks");
        for (String label : List.of("a", "b")) {
            clicks.event(Label.of(label), Instant.parse("2026-11-20T10:00:00Z"), "1");
        }
        clicks.writeTo(client, "windrow");
        String path = "/api/v1/datasets/clicks/buckets?to=now&tenant=ordered&timeout=9s&limit=1&granularity=hour&prefix=";

        String link = http.get(path).header("Link").orElseThrow();

        assertThat(link).startsWith("<" + path + "&cursor=").endsWith(">; rel=\"next\"");
        assertThat(http.get(link.substring(1, link.indexOf('>'))).body()).contains("[\"b\"]");
    }

    @Test
    @Tag("prometheus")
    void readUnitsAndMetadataHaveOneForm() {
        assertThat(http.get(QUESTION + "&explain=true").body()).containsPattern("\"readUnits\":[0-9]+(\\.5)?[,}]");
        assertThat(http.get("/api/v1/prometheus/api/v1/metadata?metric=windrow_clicks_events").body())
                .containsPattern("\\[\\{\"type\":\"[a-z]+\",\"help\":\"[^\"]*\",\"unit\":\"\"}]");
        assertThat(http.get("/api/v1/prometheus/api/v1/status/buildinfo").body())
                .contains("{\"version\":\"", "\",\"revision\":\"windrow\",\"branch\":\"\",");
    }

    @Test
    void http10NeedsNoHostAndHttp11Does() {
        Answer old = http.send("GET " + QUESTION + " HTTP/1.0\r\n\r\n");

        assertThat(old.status()).as(old.toString()).isEqualTo(200);
        requireProblem(400, "missing-parameter", http.send("GET /api/v1/datasets/clicks/series HTTP/1.0\r\n\r\n"));
        requireProblem(400, "bad-request", http.send("GET " + QUESTION + " HTTP/1.1\r\n\r\n"));
        requireProblem(400, "bad-request", http.send("GET " + QUESTION + " HTTP/1.1\r\nHost: a b\r\n\r\n"));
        requireProblem(400, "bad-request", http.send("GET " + QUESTION + " HTTP/2.0\r\n\r\n"));
    }

    @Test
    void pagesOfHttp10LeadToTheNext() {
        // Given two buckets, and pages of one bucket
        events("http10", "clicks")
                .event("a", "2026-11-20T10:11:00Z").event("a", "2026-11-20T11:11:00Z").writeTo(client, "windrow");

        // When
        Answer first = http10("/api/v1/datasets/clicks/buckets?tenant=http10&granularity=hour&limit=1");
        String link = first.header("Link").orElseThrow(() -> new AssertionError(first.toString()));
        Answer second = http10(link.substring(1, link.indexOf('>')));

        // Then
        assertThat(first.body()).contains("2026-11-20T10:00:00Z").doesNotContain("2026-11-20T11:00:00Z");
        assertThat(second.body()).contains("2026-11-20T11:00:00Z").doesNotContain("2026-11-20T10:00:00Z");
    }

    /** Sends an HTTP/1.0 request, which needs no Host header. */
    private Answer http10(String target) {
        Answer answer = http.send("GET " + target + " HTTP/1.0\r\n\r\n");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
            "{\"label\":\"a\",\"from\":1e400} | invalid-time",
            "{\"label\":\"a\",\"from\":1e999999999} | invalid-time",
            "{\"label\":\"a\",\"timeout\":1e400} | invalid-parameter",
            "{\"label\":1e99999999999} | not-json",
            "{\"label\":\"a\",\"from\":1e-999999999,\"to\":-1} | invalid-time",
            "{\"label\":NaN} | not-json",
            "{\"label\":\"a\"}x | not-json",
            "{\"label\":\"a\",\"label\":\"b\"} | not-json",
            "{\"label\":\"ÿ\"} | not-json",
            "{\"label\":\"\\ud800\"} | invalid-text",
            "{\"label\":\"a\",\"format\":\"xml\"} | unknown-parameter",
            "null | not-an-object",
            "{\"labels\":\"[\\\"https://a.example/\\\"]\"} | invalid-parameter",
            "{\"labels\":\"a#b\"} | invalid-parameter",
            "{\"labels\":{\"a\":[\"b\"]}} | invalid-parameter",
            "{\"labels\":[]} | invalid-parameter",
            "{\"from\":[]} | wrong-field-type",
    })
    void aBodyThatIsNotGoodIsAProblem(String body, String reason) {
        requireProblem(400, reason, post(body));
    }

    @Test
    void numbersInABodyAreTextInTheirShortestPlainForm() {
        assertThat(post("{\"label\":1.50}").body()).contains("\"label\":[\"1.5\"]");
        assertThat(post("{\"label\":1e3}").body()).contains("\"label\":[\"1000\"]");
        assertThat(post("{\"label\":1e-999999999}").body()).contains("E-999999999");
    }

    @ParameterizedTest
    @CsvSource({ "GE,totals,405", "PUT,totals,405", "get,totals,405", "POST,live,405", "GE,live,405", "TRACE,totals,405" })
    void anotherMethodIsNotAllowed(String method, String operation, int status) {
        Answer answer = http.request(method, "/api/v1/datasets/clicks/" + operation, "");

        requireProblem(status, "method-not-allowed", answer);
        assertThat(answer.header("Allow")).hasValue(operation.equals("live") ? "GET, HEAD, OPTIONS"
                : "GET, HEAD, OPTIONS, POST");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "totals | GET, HEAD, OPTIONS, POST", "live | GET, HEAD, OPTIONS" })
    void optionsNamesTheMethodsOfAQuery(String query, String expected) {
        Answer answer = http.request("OPTIONS", "/api/v1/datasets/clicks/" + query, "");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Allow").orElseThrow().split(", ")).containsExactlyInAnyOrder(expected.split(", "));
    }

    private Answer post(String body) {
        return http.request("POST", TOTALS, body, "Content-Type: application/json", "Content-Length: " + body.length());
    }

    private static void requireProblem(int status, String reason, Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        if (reason.equals(BARE)) {
            assertThat(answer.body()).isEmpty();
            return;
        }
        assertThat(answer.isProblem()).as(answer.toString()).isTrue();
        assertThat(answer.body()).contains("/api/v1/problems/" + reason + "\"");
    }
}
