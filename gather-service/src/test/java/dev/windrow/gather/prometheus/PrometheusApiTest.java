package dev.windrow.gather.prometheus;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
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
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** Prometheus' HTTP API over datasets; requests of Grafana's data source and of vmalert have their original form. */
@QuarkusTest
@Tag("prometheus")
class PrometheusApiTest extends TableTest {

    private static final String API = "/api/v1/prometheus/api/v1/";
    private static final String DAY = "2026-11-20T";

    @BeforeEach
    void write() {
        tolls("prom", "A1, north, 10:05:10, 2.5", "A1, north, 10:50:00, 1", "A1, south, 11:10:00, 4",
                "A2, north, 11:59:59, 100",
                "B1, north, 12:00:00, 7", "A1, north, 13:30:00, 3");
        tolls("clients", "A1, north, 10:05:10, 2.5", "A1, south, 11:10:00, 4", "A2 west, north, 11:59:59, 100");
    }

    private void tolls(String tenant, String... events) {
        Aggregated tolls = events(tenant, "tolls");
        Aggregated byRoad = events(tenant, "tolls-by-road");
        for (String event : events) {
            String[] parts = event.split(", ", -1);
            Instant time = Instant.parse(DAY + parts[2] + "Z");
            tolls.event(Label.of(parts[0], parts[1]), time, parts[3]);
            byRoad.event(Label.of(parts[0]), time, parts[3]);
        }
        tolls.writeTo(client, "windrow");
        byRoad.writeTo(client, "windrow");
    }

    /** Sends parameters in the address, or in a form if they are posted. */
    private static Response sent(String tenant, String method, String path, Object... parameters) {
        RequestSpecification request = given().queryParam("tenant", tenant);
        if (method.equals("POST")) {
            request.contentType("application/x-www-form-urlencoded");
        }
        for (int i = 0; i < parameters.length; i += 2) {
            if (method.equals("POST")) {
                request.formParam((String) parameters[i], parameters[i + 1]);
            } else {
                request.queryParam((String) parameters[i], parameters[i + 1]);
            }
        }
        return request.request(method, API + path);
    }

    private static JsonPath successful(Response response) {
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        assertThat(response.jsonPath().getString("status")).isEqualTo("success");
        return response.jsonPath();
    }

    private static Response ask(String path, Object... parameters) {
        return sent("prom", "GET", path, parameters);
    }

    private static JsonPath answered(String path, Object... parameters) {
        return successful(ask(path, parameters));
    }

    private static JsonPath instant(String query, String time) {
        return answered("query", "query", query, "time", DAY + time + "Z");
    }

    private static long at(String time) {
        return Instant.parse(DAY + time + "Z").getEpochSecond();
    }

    /** Expects the answers of Prometheus 3. */
    @ParameterizedTest
    @CsvSource({ "NaN, NaN", "inf, +Inf", "-INF, -Inf", "Inf - Inf, NaN", "1 / Inf, 0", "-7 % Inf, -7", "nan * 2, NaN" })
    void infinitiesAndWhatIsNoNumberAreNumbers(String query, String expected) {
        assertThat(instant(query, "12:00:00").getList("data.result")).isEqualTo(List.of((int) at("12:00:00"), expected));
    }

    @Test
    void vectorsAreComputedWithThem() {
        JsonPath products = instant("sum by (road) (increase(windrow_tolls_fees[1d])) * Inf", "20:00:00");
        JsonPath largest = instant("topk(2, increase(windrow_tolls_fees{road=~\"A.*\"}[1d]) * NaN)", "20:00:00");
        JsonPath most = instant("max(windrow_tolls_fees - Inf)", "20:00:00");

        assertThat(products.getList("data.result.collect { it.value[1] }")).containsExactly("+Inf", "+Inf", "+Inf");
        assertThat(largest.getList("data.result.collect { it.value[1] }")).containsExactly("NaN", "NaN");
        assertThat(most.getString("data.result[0].value[1]")).isEqualTo("-Inf");
        assertThat(ask("query", "query", "topk(Inf, windrow_tolls_fees)").jsonPath().getString("error"))
                .contains("finite number");
    }

    @Test
    void namesAreKeptAndDroppedAsInPrometheus() {
        assertThat(names("+windrow_tolls_fees")).containsOnly("windrow_tolls_fees");
        assertThat(names("--windrow_tolls_fees")).containsOnlyNulls();
        assertThat(names("-windrow_tolls_fees")).containsOnlyNulls();
        events("prom-names", "clicks")
                .event(Label.of("r"), Instant.parse(DAY + "10:00:00Z"), "1").writeTo(client, "windrow");
        assertThat(given().queryParam("tenant", "prom-names").queryParam("time", DAY + "20:00:00Z")
                .queryParam("query", "last_over_time(windrow_clicks_closing[1d])").get(API + "query").jsonPath()
                .getList("data.result.metric.__name__")).isEqualTo(List.of("windrow_clicks_closing"));
        assertThat(names("max_over_time(windrow_tolls_dearest[1d])")).containsOnlyNulls();
    }

    private static List<String> names(String query) {
        return instant(query, "20:00:00").getList("data.result.metric.__name__");
    }

    @Test
    void aTenantThatIsThereTwiceIsAnError() {
        Response answer = given().queryParam("tenant", "prom", "other").queryParam("query", "1").get(API + "query");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.jsonPath().getString("error")).contains("tenant", "one value");
    }

    @Test
    void topSeriesComeFirst() {
        JsonPath answer = instant("topk(2, sum by (road) (increase(windrow_tolls_fees[1d])))", "20:00:00");

        assertThat(answer.getList("data.result.metric.road")).containsExactly("A2", "A1");
        assertThat(answer.getList("data.result.collect { it.value[1] }")).containsExactly("100", "10.5");
    }

    @Test
    void aFormThatIsMalformedIsRefused() {
        Response answer = given().contentType("application/x-www-form-urlencoded").body("query=%zz").post(API + "query");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.<String> path("reason")).isEqualTo("bad-request");
    }

    @Test
    void seriesLabelsAndValuesAreListed() {
        assertThat(answered("label/road/values").getList("data")).isEqualTo(List.of("A1", "A2", "B1"));
        assertThat(answered("label/road/values", "start", DAY + "12:00:00Z", "end", DAY + "12:30:00Z", "match[]",
                "windrow_tolls_events").getList("data")).isEqualTo(List.of("B1"));
        assertThat(answered("label/__name__/values").getList("data", String.class)).contains("windrow_tolls_by_road_fees",
                "windrow_visits_events");
        JsonPath cut = answered("label/road/values", "limit", 2);
        assertThat(cut.getList("data")).isEqualTo(List.of("A1", "A2"));
        assertThat(cut.getString("warnings[0]")).contains("limit");
    }

    @Test
    void whatCannotBeAskedIsNamed() {
        assertThat(ask("query_range", "query", "1", "start", "0", "end", "100000", "step", "1").jsonPath().getString("error"))
                .contains("11000 points");
        assertThat(ask("query").jsonPath().getString("error")).startsWith("query: expected");
        assertThat(ask("query", "query", "sum({__name__=~\"windrow_tolls.*\"})").jsonPath().getString("error"))
                .contains("one metric");
        assertThat(ask("query", "query", "increase(windrow_tolls_dearest[1h])").jsonPath().getString("error"))
                .contains("increase", "max_over_time");
        assertThat(answered("query", "query", "absent(up)").getList("data.result")).hasSize(1);
        assertThat(answered("query", "query", "up").getString("warnings[0]")).contains("windrow_<dataset>_<measure>");
    }

    @Test
    void metadataAndBuildInformationSatisfyClients() {
        assertThat(answered("metadata", "metric", "windrow_tolls_dearest").getMap("data")).isEqualTo(
                Map.of("windrow_tolls_dearest", List.of(
                        Map.of("type", "gauge", "unit", "", "help", "Measure dearest (max of fee) of dataset tolls"))));
        assertThat(answered("metadata").getString("data.windrow_tolls_events[0].type")).isEqualTo("counter");
        assertThat(answered("metadata").getString("data.windrow_matches_minutes[0].unit")).isEqualTo("seconds");
        assertThat(answered("metadata").getList("warnings")).isNull();
        assertThat(answered("metadata", "limit", 2).getMap("data")).hasSize(2);
        assertThat(answered("metadata", "limit", 2).getString("warnings[0]")).contains("limit of 2");
        assertThat(answered("status/buildinfo").getString("data.version")).matches("2\\.\\d+\\.\\d+");
    }

    @Test
    void timesBeforeAllDataAreTimesAsAnyOther() {
        JsonPath answer = answered("query_range", "query", "2", "start", "1900-01-01T00:00:00Z", "end", "1900-01-02T00:00:00Z",
                "step", "1d");

        assertThat(answer.getList("data.result[0].values.collect { it[0] }").toString())
                .isEqualTo("[-2208988800, -2208902400]");
        assertThat(answered("label/road/values", "start", "-9223309901257974", "end", "9223309901257974").getList("data"))
                .isEqualTo(List.of("A1", "A2", "B1"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "series", "labels", "label/road/values" })
    void selectorsAreLimited(String path) {
        Response most = matched(path, Collections.nCopies(100, "windrow_tolls_events{road=\"A2\"}"));
        Response tooMany = matched(path, Collections.nCopies(101, "windrow_tolls_events"));

        assertThat(most.statusCode()).as(most.asString()).isEqualTo(200);
        assertThat(most.jsonPath().getList("data")).isNotEmpty();
        assertThat(tooMany.statusCode()).isEqualTo(400);
        assertThat(tooMany.jsonPath().getString("error")).isEqualTo("match[]: expected at most 100 selectors, found 101");
    }

    private static Response matched(String path, List<String> selectors) {
        return given().queryParam("tenant", "prom").queryParam("match[]", selectors).get(API + path);
    }

    @Test
    void aDatasetWithoutAnIndexAnswersAboutWholeLabels() {
        Aggregated votes = events("prom", "votes");
        votes.event(Label.of("amy"), Instant.parse(DAY + "10:00:00Z"), "1");
        votes.writeTo(client, "windrow");

        assertThat(instant("windrow_votes_votes{candidate=\"amy\"}", "12:00:00").getString("data.result[0].value[1]"))
                .isEqualTo("1");
        assertThat(ask("query", "query", "windrow_votes_votes").jsonPath().getString("error")).contains("index");
        assertThat(ask("query", "query", "increase(windrow_votes_votes{candidate=\"amy\"}[1h])").jsonPath()
                .getString("error")).contains("all-time totals");
    }

    private static RequestSpecification clients() {
        return given().queryParam("tenant", "clients");
    }

    private static Response grafana(String method, String path, Object... parameters) {
        return sent("clients", method, path, parameters);
    }

    private static List<Object> listed(String method, String path, Object... parameters) {
        return successful(grafana(method, path, parameters)).getList("data");
    }

    /** The second request asks whether rules may be changed, as in Mimir, whose build information has features. */
    @ParameterizedTest
    @ValueSource(strings = { "GET", "POST" })
    void grafanaFindsTheDataSourceHealthy(String method) {
        Response sum = grafana(method, "query", "query", "1+1", "time", "4");
        Response information = grafana("GET", "status/buildinfo");

        assertThat(sum.jsonPath().getMap("data")).isEqualTo(Map.of("resultType", "scalar", "result", List.of(4, "2")));
        assertThat(information.jsonPath().getMap("data")).containsKeys("version", "revision", "goVersion")
                .doesNotContainKey("features");
    }

    /** Grafana posts to every path first, and repeats the request as GET after a 405 or 400. */
    @ParameterizedTest
    @ValueSource(strings = { "status/buildinfo", "rules", "metadata", "label/road/values" })
    void grafanaLearnsWhatItMustNotPost(String path) {
        Response posted = grafana("POST", path);

        assertThat(posted.statusCode()).isEqualTo(405);
        assertThat(posted.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(grafana("GET", path).statusCode()).isEqualTo(200);
    }

    /** Expects the answers of a Prometheus without rules, exemplars, search, notifications and metadata of targets. */
    @Test
    void grafanaLearnsWhatThereIsNot() {
        Response exemplars = grafana("POST", "query_exemplars",
                "query", "test", "start", "1795174200000", "end", "1795176000000");

        assertThat(grafana("GET", "rules").jsonPath().getMap("data")).isEqualTo(Map.of("groups", List.of()));
        assertThat(List.of(exemplars, grafana("GET", "features"), grafana("GET", "status/flags"),
                grafana("POST", "search/metric_names"))).allSatisfy(answer -> {
                    assertThat(answer.statusCode()).isEqualTo(404);
                    assertThat(answer.jsonPath().getString("status")).isEqualTo("error");
                    assertThat(answer.jsonPath().getString("errorType")).isEqualTo("not_found");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = { "GET", "POST" })
    void grafanaReadsPanels(String method) {
        Response lines = grafana(method, "query_range", "end", "1795176000", "query",
                "sum by(road) (increase(windrow_tolls_fees{gate!=\"\"}[1h]))", "start", "1795168800", "step", "3600");
        Response table = grafana(method, "query", "query", "topk(1, windrow_tolls_fees{gate!~\"s.*\"})", "time",
                "1795176000.123", "timeout", "30s");

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
        assertThat(grafana("GET", "metadata", "limit", "40000").jsonPath().getMap("data").keySet())
                .isEqualTo(grafana("GET", "metadata").jsonPath().getMap("data").keySet());
    }

    /** Typed words may be apart from each other; the list of all metrics finds them in any letter case. */
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

    /** Sends the requests of a data source that is configured to use series instead of labels. */
    @ParameterizedTest
    @ValueSource(strings = { "GET", "POST" })
    void grafanaListsSeries(String method) {
        assertThat(listed(method, "series", "start", "1795158000", "end", "1795176000", "match[]", "{__name__!=\"\"}", "limit",
                "40000")).hasSize(15).contains(Map.of("__name__", "windrow_tolls_fees", "road", "A1", "gate", "south"));
        assertThat(listed(method, "series", "start", "1795158000", "end", "1795176000", "match[]",
                "{__name__=\"windrow_tolls_fees\",gate!=\"\",road=~\"A1.*\"}", "limit", "40000")).hasSize(2);
    }

    /** Expects the answer of a Prometheus without the function. */
    @Test
    void functionsThatThereAreNotAreNamed() {
        Response answer = grafana("POST", "query", "query", "scalar(vector(1))", "time", "4");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.jsonPath().getString("errorType")).isEqualTo("bad_data");
        assertThat(answer.jsonPath().getString("error")).contains("scalar is not supported: functions are");
    }

    /** Grafana tries a data source with it. */
    @Test
    void aNumberAsAVectorIsASeriesWithoutLabels() {
        Response answer = grafana("POST", "query", "query", "vector(1)+vector(1)", "time", "4");

        assertThat(answer.asString()).contains("\"result\":[{\"metric\":{},\"value\":[4,\"2\"]}]");
    }

    /** Expects whole seconds, because vmalert reads other times as zero. */
    @Test
    void vmalertReplaysRules() {
        Response answer = clients().header("Content-Type", "application/json")
                .header("X-API-Key", "key")
                .queryParam("query", "sum by (road) (increase(windrow_tolls_fees[1h])) > 50")
                .queryParam("start", "2026-11-20T11:00:00Z").queryParam("end", "2026-11-20T13:00:00Z")
                .queryParam("step", "3600s").queryParam("nocache", "1").queryParam("partial", "false")
                .post(API + "query_range");

        assertThat(answer.asString()).isEqualTo("{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":"
                + "[{\"metric\":{\"road\":\"A2 west\"},\"values\":[[1795176000,\"100\"]]}]}}");
    }

    @Test
    void vmalertEvaluatesRules() {
        Response answer = clients().header("Content-Type", "application/json")
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
        Response answer = (accept == null ? clients() : clients().accept(accept)).queryParam("query", "1")
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
        Response answer = clients().header("Content-Type", type).queryParam("query", "1")
                .queryParam("time", "4")
                .body("{".getBytes(StandardCharsets.UTF_8)).post(API + "query");

        assertThat(answer.asString()).contains("[4,\"1\"]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = { "x | 415",
            "application/x-www-form-urlencoded, text/plain | 415",
            "application/x-www-form-urlencoded; charset=none | 415", "application/x-www-form-urlencoded; charset=\"\" | 415",
            "application/x-www-form-urlencoded; charset=UTF-8 | 200", "Application/X-WWW-Form-Urlencoded; Charset=utf8 | 200" })
    void typesThatAreNoneAreRefused(String type, int status) {
        RawHttp.Answer answer = new RawHttp()
                .send("POST " + API + "query HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                        + type + "\r\nContent-Length: 14\r\n\r\nquery=1&time=4");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.body()).contains(status == 200 ? "[4,\"1\"]" : "\"errorType\":\"bad_data\"");
    }
}
