package dev.windrow.gather.prometheus;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.gather.http.RawHttp;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** The requests of Grafana's data source and of vmalert, in the form that they send them. */
@QuarkusTest
@Tag("prometheus")
class PrometheusClientsTest extends TableTest {

    private static final String API = "/api/v1/prometheus/api/v1/";

    @TestHTTPResource("/")
    URI base;

    @BeforeEach
    void write() {
        Aggregated tolls = events("clients", "tolls");
        Aggregated byRoad = events("clients", "tolls-by-road");
        List.of(List.of("A1", "north", "10:05:10", "2.5"), List.of("A1", "south", "11:10:00", "4"),
                List.of("A2 west", "north", "11:59:59", "100")).forEach(event -> {
                    Instant time = Instant.parse("2026-11-20T" + event.get(2) + "Z");
                    tolls.event(Label.of(event.get(0), event.get(1)), time, event.get(3));
                    byRoad.event(Label.of(event.get(0)), time, event.get(3));
                });
        tolls.writeTo(client, "windrow");
        byRoad.writeTo(client, "windrow");
    }

    private static RequestSpecification request() {
        return given().queryParam("tenant", "clients");
    }

    /** Parameters in the address, or a form where the data source posts it. */
    private static Response grafana(String method, String path, List<String> parameters) {
        RequestSpecification request = method.equals("POST")
                ? request().contentType("application/x-www-form-urlencoded")
                : request();
        for (int i = 0; i < parameters.size(); i += 2) {
            if (method.equals("POST")) {
                request.formParam(parameters.get(i), parameters.get(i + 1));
            } else {
                request.queryParam(parameters.get(i), parameters.get(i + 1));
            }
        }
        return request.request(method, API + path);
    }

    private static List<Object> listed(String method, String path, String... parameters) {
        Response answer = grafana(method, path, List.of(parameters));
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        assertThat(answer.jsonPath().getString("status")).isEqualTo("success");
        return answer.jsonPath().getList("data");
    }

    /** The second request is whether rules may be changed, which those of Mimir may: its build information has features. */
    @ParameterizedTest
    @ValueSource(strings = { "GET", "POST" })
    void grafanaFindsTheDataSourceHealthy(String method) {
        Response sum = grafana(method, "query", List.of("query", "1+1", "time", "4"));
        Response information = grafana("GET", "status/buildinfo", List.of());

        assertThat(sum.jsonPath().getMap("data")).isEqualTo(Map.of("resultType", "scalar", "result", List.of(4, "2")));
        assertThat(information.jsonPath().getMap("data")).containsKeys("version", "revision", "goVersion")
                .doesNotContainKey("features");
    }

    /** It posts to every path first, and repeats as GET what is answered with 405, or with 400. */
    @ParameterizedTest
    @ValueSource(strings = { "status/buildinfo", "rules", "metadata", "label/road/values" })
    void grafanaLearnsWhatItMustNotPost(String path) {
        Response posted = grafana("POST", path, List.of());

        assertThat(posted.statusCode()).isEqualTo(405);
        assertThat(posted.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(grafana("GET", path, List.of()).statusCode()).isEqualTo(200);
    }

    /** Of a Prometheus without rules, exemplars, search, notifications and metadata of targets. */
    @Test
    void grafanaLearnsWhatThereIsNot() {
        Response exemplars = grafana("POST", "query_exemplars",
                List.of("query", "test", "start", "1795174200000", "end", "1795176000000"));

        assertThat(grafana("GET", "rules", List.of()).jsonPath().getMap("data")).isEqualTo(Map.of("groups", List.of()));
        assertThat(List.of(exemplars, grafana("GET", "features", List.of()), grafana("GET", "status/flags", List.of()),
                grafana("POST", "search/metric_names", List.of()))).allSatisfy(answer -> {
                    assertThat(answer.statusCode()).isEqualTo(404);
                    assertThat(answer.jsonPath().getString("status")).isEqualTo("error");
                    assertThat(answer.jsonPath().getString("errorType")).isEqualTo("not_found");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = { "GET", "POST" })
    void grafanaReadsPanels(String method) {
        Response lines = grafana(method, "query_range", List.of("end", "1795176000", "query",
                "sum by(road) (increase(windrow_tolls_fees{gate!=\"\"}[1h]))", "start", "1795168800", "step", "3600"));
        Response table = grafana(method, "query", List.of("query", "topk(1, windrow_tolls_fees{gate!~\"s.*\"})", "time",
                "1795176000.123", "timeout", "30s"));

        assertThat(lines.jsonPath().getString("data.resultType")).isEqualTo("matrix");
        assertThat(lines.jsonPath().getList("data.result")).isEqualTo(List.of(
                Map.of("metric", Map.of("road", "A1"), "values", List.of(List.of(1795172400, "2.5"), List.of(1795176000, "4"))),
                Map.of("metric", Map.of("road", "A2 west"), "values", List.of(List.of(1795176000, "100")))));
        assertThat(table.jsonPath().getList("data.result.metric")).isEqualTo(
                List.of(Map.of("__name__", "windrow_tolls_fees", "road", "A2 west", "gate", "north")));
        assertThat(table.asString()).contains("[1795176000.123,\"100\"]");
    }

    @Test
    void grafanaListsMetricsAndLabels() {
        List<Object> names = listed("GET", "label/__name__/values", "limit", "40000", "start", "1795158000", "end",
                "1795176000");
        List<Object> labels = listed("POST", "labels", "limit", "40000", "start", "1795158000", "end", "1795176000");

        assertThat(names).contains("windrow_tolls_fees", "windrow_votes_votes");
        assertThat(listed("GET", "label/__name__/values", "start", "1795158000", "end", "1795176000", "limit", "0"))
                .isEqualTo(names);
        assertThat(labels).contains("__name__", "road", "gate");
        assertThat(listed("GET", "labels", "start", "1795158000", "end", "1795176000")).isEqualTo(labels);
        assertThat(listed("POST", "labels", "match[]", "{__name__=~\".*tolls_fees.*\"}", "match[]", "windrow_votes_votes"))
                .hasToString("[__name__, candidate, gate, road]");
        assertThat(grafana("GET", "metadata", List.of("limit", "40000")).jsonPath().getMap("data").keySet())
                .isEqualTo(grafana("GET", "metadata", List.of()).jsonPath().getMap("data").keySet());
    }

    /** Words that are typed stand apart; the list of all metrics looks for them in any case. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '\0', value = {
            "{__name__=~\".*tolls fee.*\"}; []",
            "{__name__=~\".*fees.*road.*\"}; []",
            "{__name__=~\".*tolls_fee\"}; []",
            "{__name__=~\".*tolls_fee.*\"}; [windrow_tolls_fees]",
            "{__name__=~\".*road.*fees.*\"}; [windrow_tolls_by_road_fees]",
            "{__name__=~\"(?i).*TOLLS.*Fees.*\",gate=\"north\"}; [windrow_tolls_fees, windrow_tolls_in_minutes_fees]",
            "{__name__=~\"(?i).*tolls_by.*fees.*\",road!=\"A1\"}; [windrow_tolls_by_road_fees]",
            "{__name__=~\".*tolls.*fees.*\",color=\"red\"}; []",
            "{__name__=~\".*tolls.*fees.*\",color=\"\",gate=~\".*\",__name__!~\".*minutes.*\"};"
                    + " [windrow_tolls_by_road_fees, windrow_tolls_fees]",
            "{__name__=~\"windrow_tolls_fees|windrow_tolls_dearest\"}; [windrow_tolls_dearest, windrow_tolls_fees]",
            "{__name__=~\".*tolls_fees|.*votes.*\"}; [windrow_tolls_fees, windrow_votes_votes]"
    })
    void grafanaSearchesMetrics(String match, String expected) {
        assertThat(listed("GET", "label/__name__/values", "limit", "40000", "match[]", match, "start", "1795158000", "end",
                "1795176000")).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '\0', value = {
            "windrow_tolls_fees; [A1, A2 west]",
            "{__name__=\"windrow_tolls_fees\"}; [A1, A2 west]",
            "{road=~\".*A.*\",__name__=\"windrow_tolls_fees\"}; [A1, A2 west]",
            "{road=~\".*2.*west.*\",__name__=\"windrow_tolls_fees\"}; [A2 west]",
            "{gate!=\"south\",road!~\"A1|B1\",__name__=\"windrow_tolls_fees\"}; [A2 west]",
            "{gate=~\"(south|x-1\\\\.b)\"}; [A1]",
            "{__name__!=\"\"}; [A1, A2 west]",
            "{road!=\"\"}; [A1, A2 west]"
    })
    void grafanaSearchesValuesOfLabels(String match, String expected) {
        assertThat(listed("GET", "label/road/values", "match[]", match, "start", "1795158000", "end", "1795176000", "limit",
                "40000")).hasToString(expected);
    }

    /** As with a data source that is set to use series instead of labels. */
    @ParameterizedTest
    @ValueSource(strings = { "GET", "POST" })
    void grafanaListsSeries(String method) {
        assertThat(listed(method, "series", "start", "1795158000", "end", "1795176000", "match[]", "{__name__!=\"\"}", "limit",
                "40000")).hasSize(15).contains(Map.of("__name__", "windrow_tolls_fees", "road", "A1", "gate", "south"));
        assertThat(listed(method, "series", "start", "1795158000", "end", "1795176000", "match[]",
                "{__name__=\"windrow_tolls_fees\",gate!=\"\",road=~\"A1.*\"}", "limit", "40000")).hasSize(2);
    }

    /** As a Prometheus without that function. */
    @Test
    void functionsThatThereAreNotAreNamed() {
        Response answer = grafana("POST", "query", List.of("query", "vector(1)", "time", "4"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.jsonPath().getString("errorType")).isEqualTo("bad_data");
        assertThat(answer.jsonPath().getString("error")).contains("vector is not supported: functions are");
    }

    /** Whole seconds, as vmalert takes other times for zero. */
    @Test
    void vmalertReplaysRules() {
        Response answer = request().header("Content-Type", "application/json").header("X-API-Key", "key")
                .queryParam("query", "sum by (road) (increase(windrow_tolls_fees[1h])) > 50")
                .queryParam("start", "2026-11-20T11:00:00Z").queryParam("end", "2026-11-20T13:00:00Z")
                .queryParam("step", "3600s").queryParam("nocache", "1").queryParam("partial", "false")
                .post(API + "query_range");

        assertThat(answer.asString()).isEqualTo("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":"
                + "[{\"metric\":{\"road\":\"A2 west\"},\"values\":[[1795176000,\"100\"]]}]}}");
    }

    @Test
    void vmalertEvaluatesRules() {
        Response answer = request().header("Content-Type", "application/json")
                .queryParam("query", "absent(windrow_tolls_fees{road=\"C1\"} offset 1m)")
                .queryParam("time", "2026-11-20T12:00:00Z").queryParam("step", "60s").queryParam("round_digits", "3")
                .queryParam("partial", "false").post(API + "query");

        assertThat(answer.asString()).isEqualTo("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":"
                + "[{\"metric\":{\"road\":\"C1\"},\"value\":[1795176000,\"1\"]}]}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = { "DELETE; query; ; 405; bad_data", "PUT; labels; ; 405; bad_data",
            "DELETE; rules; ; 405; bad_data", "GET; nothing; ; 404; not_found", "POST; label; ; 404; not_found",
            "GET; query; text/html; 406; not_acceptable" })
    void whatIsRefusedIsRefusedInTheFormOfPrometheus(String method, String path, String accept, int status, String type) {
        Response answer = (accept == null ? request() : request().accept(accept)).queryParam("query", "1")
                .request(method, API + path);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.contentType()).startsWith("application/json");
        assertThat(answer.jsonPath().getString("status")).isEqualTo("error");
        assertThat(answer.jsonPath().getString("errorType")).isEqualTo(type);
        assertThat(answer.jsonPath().getString("error")).isNotEmpty();
        assertThat(answer.header("Allow")).isEqualTo(status != 405 ? null
                : path.equals("rules") ? "GET, HEAD, OPTIONS" : "GET, HEAD, OPTIONS, POST");
    }

    @ParameterizedTest
    @ValueSource(strings = { "text/plain", "application/json", "multipart/form-data; boundary=x", "application/octet-stream",
            "image/*", "a/b; charset=latin1" })
    void aBodyMayBeSaidToBeAnything(String type) {
        Response answer = request().header("Content-Type", type).queryParam("query", "1").queryParam("time", "4")
                .body("{".getBytes(StandardCharsets.UTF_8)).post(API + "query");

        assertThat(answer.asString()).contains("[4,\"1\"]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = { "x | 415",
            "application/x-www-form-urlencoded, text/plain | 415",
            "application/x-www-form-urlencoded; charset=none | 415", "application/x-www-form-urlencoded; charset=\"\" | 415",
            "application/x-www-form-urlencoded; charset=UTF-8 | 200", "Application/X-WWW-Form-Urlencoded; Charset=utf8 | 200" })
    void typesThatAreNoneAreRefused(String type, int status) {
        RawHttp.Answer answer = new RawHttp(base.getPort())
                .send("POST " + API + "query HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                        + type + "\r\nContent-Length: 14\r\n\r\nquery=1&time=4");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.body()).contains(status == 200 ? "[4,\"1\"]" : "\"errorType\":\"bad_data\"");
    }
}
