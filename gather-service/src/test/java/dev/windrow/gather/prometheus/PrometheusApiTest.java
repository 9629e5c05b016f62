package dev.windrow.gather.prometheus;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.table.Label;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Prometheus' HTTP API over datasets, with a tenant of its own. */
@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
@Tag("prometheus")
class PrometheusApiTest {

    private static final String API = "/api/v1/prometheus/api/v1/";
    private static final String DAY = "2026-11-20T";

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @BeforeEach
    void write() {
        Aggregated tolls = new Aggregated("prom", datasets.named("tolls").orElseThrow(), new SplittableRandom(1));
        toll(tolls, "A1", "north", "10:05:10", "2.5");
        toll(tolls, "A1", "north", "10:50:00", "1");
        toll(tolls, "A1", "south", "11:10:00", "4");
        toll(tolls, "A2", "north", "11:59:59", "100");
        toll(tolls, "B1", "north", "12:00:00", "7");
        toll(tolls, "A1", "north", "13:30:00", "3");
        tolls.writeTo(client, "windrow");
        Aggregated byRoad = new Aggregated("prom", datasets.named("tolls-by-road").orElseThrow(), new SplittableRandom(1));
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

    private static JsonPath range(String query, String step) {
        return answered("query_range", "query", query, "start", DAY + "11:00:00Z", "end", DAY + "14:00:00Z", "step", step);
    }

    private static JsonPath instant(String query, String time) {
        return answered("query", "query", query, "time", DAY + time + "Z");
    }

    private static long at(String time) {
        return Instant.parse(DAY + time + "Z").getEpochSecond();
    }

    @Test
    void increaseOverTimeIsSummedByALabel() {
        JsonPath answer = range("sum by (road) (increase(windrow_tolls_events[1h]))", "3600");

        assertThat(answer.getString("data.resultType")).isEqualTo("matrix");
        assertThat(answer.getList("data.result.metric")).isEqualTo(
                List.of(Map.of("road", "A1"), Map.of("road", "A2"), Map.of("road", "B1")));
        assertThat(answer.getList("data.result[0].values").toString())
                .isEqualTo("[[%d, 2], [%d, 1], [%d, 1]]".formatted(at("11:00:00"), at("12:00:00"), at("14:00:00")));
        assertThat(answer.getList("data.result[2].values").toString()).isEqualTo("[[%d, 1]]".formatted(at("13:00:00")));
        assertThat(answer.getList("warnings")).isNull();
    }

    @Test
    void windowsLongerThanStepsOverlap() {
        JsonPath answer = range("sum(increase(windrow_tolls_fees[2h]))", "30m");

        assertThat(answer.getList("data.result.metric")).isEqualTo(List.of(Map.of()));
        assertThat(answer.getList("data.result[0].values.collect { it[1] }"))
                .containsExactly("3.5", "7.5", "107.5", "112", "111", "107", "10");
    }

    @Test
    void aSelectorIsEverythingUpToATime() {
        JsonPath answer = instant("windrow_tolls_fees{road=\"A1\"}", "11:00:00");

        assertThat(answer.getString("data.resultType")).isEqualTo("vector");
        assertThat(answer.getList("data.result.metric")).isEqualTo(
                List.of(Map.of("__name__", "windrow_tolls_fees", "road", "A1", "gate", "north")));
        assertThat(answer.getString("data.result[0].value")).isEqualTo("[%d, 3.5]".formatted(at("11:00:00")));
        assertThat(range("sum(windrow_tolls_events)", "1h").getList("data.result[0].values.collect { it[1] }"))
                .containsExactly("2", "4", "5", "6");
    }

    @Test
    void extremesHaveFunctionsOfTheirOwn() {
        assertThat(instant("max by (gate) (max_over_time(windrow_tolls_dearest{road=~\"A.*\"}[3h]))", "12:00:00")
                .getList("data.result.collect { it.metric.gate + it.value[1] }")).containsExactly("north100", "south4");
        assertThat(ask("query", "query", "increase(windrow_tolls_dearest[1h])").jsonPath().getString("error"))
                .contains("increase", "max_over_time");
    }

    @Test
    void ratesAndArithmeticAreExact() {
        assertThat(instant("60 * rate(windrow_tolls_fees{road=\"A2\"}[1h]) + 1", "12:00:00")
                .getString("data.result[0].value[1]")).startsWith("2.66666666666666666666");
        assertThat(instant("sum(increase(windrow_tolls_fees[1d])) / 4 - -0.5", "20:00:00")
                .getString("data.result[0].value[1]")).isEqualTo("29.875");
        assertThat(instant("1+1", "12:00:00").getMap("data")).isEqualTo(
                Map.of("resultType", "scalar", "result", List.of((int) at("12:00:00"), "2")));
        assertThat(range("7 % 4", "1h").getList("data.result[0].values.collect { it[1] }")).containsExactly("3", "3", "3", "3");
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
        new Aggregated("prom-names", datasets.named("clicks").orElseThrow(), new SplittableRandom(1))
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
    void keywordsAreReadInAnyCase() {
        assertThat(instant("SUM BY (road) (increase(windrow_tolls_fees[1d]))", "20:00:00").getList("data.result"))
                .hasSize(3).isEqualTo(instant("sum(increase(windrow_tolls_fees[1d])) By (road)", "20:00:00")
                        .getList("data.result"));
        assertThat(instant("TopK(1, Max(windrow_tolls_fees))", "20:00:00").getList("data.result")).hasSize(1);
        assertThat(ask("query", "query", "Increase(windrow_tolls_fees[1d])").statusCode()).isEqualTo(400);
        assertThat(ask("query", "query", "sum WITHOUT (a) (windrow_tolls_fees)").jsonPath().getString("error"))
                .contains("without is not supported");
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
    void labelsAreMatchedByValuesAndPrefixes() {
        assertThat(roads("{road=\"A1\"}")).containsExactly("A1");
        assertThat(roads("{road=~\"A.*\"}")).containsExactly("A1", "A2");
        assertThat(roads("{road=~\"A.+\", gate=\"south\"}")).containsExactly("A1");
        assertThat(roads("{road=~\"(A2|B.*)\"}")).containsExactly("A2", "B1");
        assertThat(roads("{gate=~\"n.*\"}")).containsExactly("A1", "A2", "B1");
        assertThat(roads("{gate=\"\"}")).isEmpty();
        assertThat(roads("{color=\"\"}")).hasSize(3);
        assertThat(roads("{color=\"red\"}")).isEmpty();
    }

    private static List<String> roads(String matchers) {
        return instant("sum by (road) (increase(windrow_tolls_events" + matchers + "[1d]))", "20:00:00")
                .getList("data.result.metric.road");
    }

    @Test
    void aVectorDividedByItselfIsOne() {
        JsonPath answer = range("increase(windrow_tolls_fees[1h]) / increase(windrow_tolls_fees[1h])", "30m");

        assertThat(answer.getList("data.result")).isNotEmpty();
        assertThat(answer.getList("data.result.values.flatten()").stream().filter(String.class::isInstance)).isNotEmpty()
                .containsOnly("1");
        assertThat(
                instant("sum by (road) (increase(windrow_tolls_fees[1d])) / sum by (road) (increase(windrow_tolls_events[1d]))"
                        + " > 5", "20:00:00").getList("data.result.collect { it.metric.road + it.value[1] }"))
                .containsExactly("A2100", "B17");
    }

    @Test
    void offsetsReadEarlierWindows() {
        assertThat(instant("sum(increase(windrow_tolls_fees[1h] offset 1h))", "12:00:00").getList("data.result"))
                .isEqualTo(List.of(Map.of("metric", Map.of(), "value", List.of((int) at("12:00:00"), "3.5"))));
        assertThat(instant("sum(windrow_tolls_events offset -1h)", "12:00:00").getString("data.result[0].value[1]"))
                .isEqualTo("5");
    }

    @Test
    void whatIsAbsentIsOne() {
        assertThat(instant("absent(windrow_tolls_fees{road=\"C1\"})", "12:00:00").getList("data.result")).isEqualTo(
                List.of(Map.of("metric", Map.of("road", "C1"), "value", List.of((int) at("12:00:00"), "1"))));
        assertThat(instant("absent(windrow_tolls_fees)", "12:00:00").getList("data.result")).isEmpty();
        assertThat(instant("absent(up)", "12:00:00").getList("data.result")).hasSize(1);
    }

    /** As vmalert asks: the parameters are in the address, and an empty body is said to be JSON. */
    @Test
    void aRuleFiresAboveItsThresholdAndResolvesBelow() {
        String rule = "sum by (road) (increase(windrow_tolls_fees[1h]))"
                + " / sum by (road) (increase(windrow_tolls_events[1h])) > 50";

        assertThat(evaluated(rule, "12:00:00").getList("data.result")).isEqualTo(List.of(
                Map.of("metric", Map.of("road", "A2"), "value", List.of((int) at("12:00:00"), "100"))));
        assertThat(evaluated(rule, "13:00:00").getList("data.result")).isEmpty();
    }

    private static JsonPath evaluated(String rule, String time) {
        Response answer = given().header("Content-Type", "application/json").queryParam("tenant", "prom")
                .queryParam("query", rule).queryParam("step", "60s").queryParam("time", DAY + time + "Z").post(API + "query");
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        return answer.jsonPath();
    }

    @Test
    void aFormThatIsMalformedIsRefused() {
        Response answer = given().contentType("application/x-www-form-urlencoded").body("query=%zz").post(API + "query");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.<String> path("reason")).isEqualTo("bad-request");
    }

    @Test
    void formsMayBePosted() {
        Response answer = given().queryParam("tenant", "prom").formParam("query", "sum(increase(windrow_tolls_events[1d]))")
                .formParam("time", DAY + "20:00:00Z").post(API + "query");
        Response series = given().formParam("tenant", "prom").formParam("match[]", "windrow_tolls_events{road=\"A2\"}")
                .post(API + "series");

        assertThat(answer.jsonPath().getString("data.result[0].value[1]")).as(answer.asString()).isEqualTo("6");
        assertThat(series.jsonPath().getList("data")).as(series.asString())
                .isEqualTo(List.of(Map.of("__name__", "windrow_tolls_events", "road", "A2", "gate", "north")));
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

    /** As Grafana's query builder searches for what is typed, words apart. */
    @Test
    void namesAreFoundByTheirParts() {
        assertThat(answered("label/__name__/values", "match[]", "{__name__=~\".*olls_fe.*\"}", "start", "1795089600", "end",
                "1795176000", "limit", "40000").getList("data")).isEqualTo(List.of("windrow_tolls_fees"));
        assertThat(answered("label/__name__/values", "match[]", "{__name__=~\".*road.*fees.*\"}").getList("data"))
                .isEqualTo(List.of("windrow_tolls_by_road_fees"));
        assertThat(answered("label/__name__/values", "match[]", "{__name__=~\".*fees.*road.*\"}").getList("data")).isEmpty();
        assertThat(answered("label/__name__/values", "match[]", "{__name__=~\".*tolls_fee\"}").getList("data")).isEmpty();
        assertThat(answered("label/__name__/values", "match[]", "{__name__!=\"\"}").getList("data"))
                .isEqualTo(answered("label/__name__/values").getList("data"));
        assertThat(answered("label/road/values", "match[]", "{__name__=~\".*tolls_fees\",gate=\"south\"}").getList("data"))
                .isEqualTo(List.of("A1"));
    }

    @Test
    void metadataAndBuildInformationSatisfyClients() {
        assertThat(answered("metadata", "metric", "windrow_tolls_dearest").getMap("data")).isEqualTo(
                Map.of("windrow_tolls_dearest", List.of(
                        Map.of("type", "gauge", "unit", "", "help", "Measure dearest (max of fee) of dataset tolls"))));
        assertThat(answered("metadata").getString("data.windrow_tolls_events[0].type")).isEqualTo("counter");
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

    @Test
    void whatIsUnsupportedIsNamed() {
        Response error = ask("query", "query", "histogram_quantile(0.9, windrow_tolls_events)");

        assertThat(error.statusCode()).isEqualTo(400);
        assertThat(error.jsonPath().getString("status")).isEqualTo("error");
        assertThat(error.jsonPath().getString("errorType")).isEqualTo("bad_data");
        assertThat(error.jsonPath().getString("error")).contains("histogram_quantile is not supported");
        assertThat(ask("query_range", "query", "1", "start", "0", "end", "100000", "step", "1").jsonPath().getString("error"))
                .contains("11000 points");
        assertThat(ask("query").jsonPath().getString("error")).startsWith("query: expected");
        assertThat(ask("query", "query", "sum({__name__=~\"windrow_tolls.*\"})").jsonPath().getString("error"))
                .contains("one metric");
        assertThat(answered("query", "query", "up").getString("warnings[0]")).contains("windrow_<dataset>_<measure>");
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
        Aggregated votes = new Aggregated("prom", datasets.named("votes").orElseThrow(), new SplittableRandom(1));
        votes.event(Label.of("amy"), Instant.parse(DAY + "10:00:00Z"), "1");
        votes.writeTo(client, "windrow");

        assertThat(instant("windrow_votes_votes{candidate=\"amy\"}", "12:00:00").getString("data.result[0].value[1]"))
                .isEqualTo("1");
        assertThat(ask("query", "query", "windrow_votes_votes").jsonPath().getString("error")).contains("index");
        assertThat(ask("query", "query", "increase(windrow_votes_votes{candidate=\"amy\"}[1h])").jsonPath()
                .getString("error")).contains("all-time totals");
    }
}
