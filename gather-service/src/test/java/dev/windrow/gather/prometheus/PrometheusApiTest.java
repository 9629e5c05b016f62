package dev.windrow.gather.prometheus;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

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

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Prometheus' HTTP API over datasets, with a tenant of its own. */
@QuarkusTest
@Tag("prometheus")
class PrometheusApiTest extends TableTest {

    private static final String API = "/api/v1/prometheus/api/v1/";
    private static final String DAY = "2026-11-20T";

    @BeforeEach
    void write() {
        Aggregated tolls = events("prom", "tolls");
        toll(tolls, "A1", "north", "10:05:10", "2.5");
        toll(tolls, "A1", "north", "10:50:00", "1");
        toll(tolls, "A1", "south", "11:10:00", "4");
        toll(tolls, "A2", "north", "11:59:59", "100");
        toll(tolls, "B1", "north", "12:00:00", "7");
        toll(tolls, "A1", "north", "13:30:00", "3");
        tolls.writeTo(client, "windrow");
        Aggregated byRoad = events("prom", "tolls-by-road");
        List.of(List.of("A1", "10:05:10", "2.5"), List.of("A1", "10:50:00", "1"), List.of("A1", "11:10:00", "4"),
                List.of("A2", "11:59:59", "100"), List.of("B1", "12:00:00", "7"), List.of("A1", "13:30:00", "3"))
                .forEach(event -> byRoad.event(Label.of(event.get(0)), Instant.parse(DAY + event.get(1) + "Z"), event.get(2)));
        byRoad.writeTo(client, "windrow");
    }

    private static void toll(Aggregated tolls, String road, String gate, String time, String fee) {
        tolls.event(Label.of(road, gate), Instant.parse(DAY + time + "Z"), fee);
    }

    private static JsonPath answered(String path, Object... parameters) {
        Response response = ask(path, parameters);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        assertThat(response.jsonPath().getString("status")).isEqualTo("success");
        return response.jsonPath();
    }

    private static Response ask(String path, Object... parameters) {
        var request = given().queryParam("tenant", "prom");
        for (int i = 0; i < parameters.length; i += 2) {
            request.queryParam((String) parameters[i], parameters[i + 1]);
        }
        return request.get(API + path);
    }

    private static JsonPath instant(String query, String time) {
        return answered("query", "query", query, "time", DAY + time + "Z");
    }

    private static long at(String time) {
        return Instant.parse(DAY + time + "Z").getEpochSecond();
    }

    @Test
    void extremesHaveFunctionsOfTheirOwn() {
        assertThat(instant("max by (gate) (max_over_time(windrow_tolls_dearest{road=~\"A.*\"}[3h]))", "12:00:00")
                .getList("data.result.collect { it.metric.gate + it.value[1] }")).containsExactly("north100", "south4");
        assertThat(ask("query", "query", "increase(windrow_tolls_dearest[1h])").jsonPath().getString("error"))
                .contains("increase", "max_over_time");
    }

    /** As Prometheus 3 answers them. */
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
    void whatIsAbsentIsOne() {
        assertThat(instant("absent(windrow_tolls_fees{road=\"C1\"})", "12:00:00").getList("data.result")).isEqualTo(
                List.of(Map.of("metric", Map.of("road", "C1"), "value", List.of((int) at("12:00:00"), "1"))));
        assertThat(instant("absent(windrow_tolls_fees)", "12:00:00").getList("data.result")).isEmpty();
        assertThat(instant("absent(up)", "12:00:00").getList("data.result")).hasSize(1);
    }

    @Test
    void aFormThatIsMalformedIsRefused() {
        Response answer = given().contentType("application/x-www-form-urlencoded").body("query=%zz").post(API + "query");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.<String> path("reason")).isEqualTo("bad-request");
    }

    @Test
    void seriesLabelsAndValuesAreListed() {
        assertThat(answered("series", "match[]", "{__name__=~\"windrow_tolls_.*\", road=\"A1\"}").getList("data")).hasSize(
                3 * 2 + 3).contains(Map.of("__name__", "windrow_tolls_fees", "road", "A1", "gate", "south"));
        assertThat(answered("labels").getList("data", String.class)).startsWith("__name__", "candidate", "city");
        assertThat(answered("labels", "match[]", "windrow_tolls_events").getList("data")).isEqualTo(
                List.of("__name__", "gate", "road"));
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
}
