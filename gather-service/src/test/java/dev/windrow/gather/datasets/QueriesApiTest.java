package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.table.Label;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Fill, zones, top, busiest, compare, formats and caching, with a tenant of their own. */
@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class QueriesApiTest {

    private static final String A = "https://a.example/, \"quoted\"";
    private static final String B = "https://b.example/";

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @BeforeEach
    void write() {
        Aggregated clicks = new Aggregated("questions", datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        click(clicks, A, "2025-03-29T23:30:00Z", "10");
        click(clicks, A, "2025-03-30T10:00:00Z", "20");
        click(clicks, A, "2025-03-30T21:30:00Z", "5");
        click(clicks, A, "2025-03-30T22:30:00Z", "7");
        click(clicks, A, "2025-04-02T12:00:00Z", "40");
        click(clicks, B, "2025-03-30T10:10:00Z", "100");
        click(clicks, B, "2025-03-31T10:10:00Z", "1");
        click(clicks, "-", "2025-03-30T10:20:00Z", "100");
        clicks.writeTo(client, "windrow");
    }

    private static void click(Aggregated clicks, String label, String time, String bytes) {
        clicks.event(Label.of(label), Instant.parse(time), bytes);
    }

    @Test
    void totalsAreExactAndThoseOfNothingAreZeroOrNull() {
        // Given
        Aggregated clicks = new Aggregated("exact", datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        click(clicks, A, "2026-11-19T00:00:00Z", "0.50");
        click(clicks, A, "2026-11-19T12:30:00Z", "-3");
        click(clicks, A, "2026-11-20T10:00:10Z", "99999999999999999999999999999999999.25");
        clicks.writeTo(client, "windrow");

        // Then
        assertThat(get("clicks/totals", "tenant", "exact", "label", A, "from", "2026-11-18T23:59:00Z").asString())
                .contains("\"measures\":{\"events\":3,\"bytes\":99999999999999999999999999999999996.75,"
                        + "\"smallest\":-3,\"largest\":99999999999999999999999999999999999.25,\"opening\":0.5,"
                        + "\"closing\":99999999999999999999999999999999999.25}")
                .contains("\"from\":\"2026-11-18T23:59:00Z\"");
        assertThat(get("clicks/totals", "tenant", "exact", "label", B).asString())
                .contains("\"measures\":{\"events\":0,\"bytes\":0,\"smallest\":null,\"largest\":null,"
                        + "\"opening\":null,\"closing\":null}")
                .doesNotContain("\"from\"");
    }

    @Test
    void zerosFillBucketsWithoutData() {
        JsonPath series = get("clicks/series", "tenant", "questions", "label", A, "granularity", "day", "from",
                "2025-03-28T00:00:00Z", "to", "2025-04-03T00:00:00Z", "fill", "zero").jsonPath();

        assertThat(series.getList("items.measures.events")).containsExactly(0, 1, 3, 0, 0, 1);
        assertThat(series.getList("items.measures.smallest")).isEqualTo(Arrays.asList(null, 10, 5, null, null, 40));
    }

    @Test
    void previousFillsAlsoFromBeforeTheRange() {
        JsonPath series = get("clicks/series", "tenant", "questions", "label", A, "granularity", "day", "from",
                "2025-03-31T00:00:00Z", "to", "2025-04-02T00:00:00Z", "fill", "previous").jsonPath();

        assertThat(series.getList("items.start")).containsExactly("2025-03-31T00:00:00Z", "2025-04-01T00:00:00Z");
        assertThat(series.getList("items.measures.bytes")).containsExactly(32, 32);
    }

    @Test
    void linearRunsBetweenNeighborsOutsideTheRange() {
        JsonPath series = get("clicks/series", "tenant", "questions", "label", A, "granularity", "day", "from",
                "2025-03-31T00:00:00Z", "to", "2025-04-02T00:00:00Z", "fill", "linear").jsonPath();

        assertThat(series.getList("items.measures.largest").toString()).startsWith("[26.66").contains(", 33.33");
    }

    @Test
    void gapsAreFilledFromDaysOfTheZoneAlsoWhereItsOffsetIsAnother() {
        // Given London's summer time until 25 October
        Aggregated visits = new Aggregated("zones", datasets.named("visits").orElseThrow(), new SplittableRandom(1));
        Label page = Label.of("h", "p");
        IntStream.range(0, 5).forEach(i -> visits.event(page, Instant.parse("2026-10-20T12:00:00Z"), "1"));
        IntStream.range(0, 8).forEach(i -> visits.event(page, Instant.parse("2026-10-20T23:30:00Z"), "1"));
        IntStream.range(0, 2).forEach(i -> visits.event(page, Instant.parse("2027-03-31T23:30:00Z"), "1"));
        visits.writeTo(client, "windrow");
        Object[] days = { "tenant", "zones", "label", List.of("h", "p"), "tz", "Europe/London", "granularity", "day", "from",
                "2026-11-01T00:00:00Z", "to", "2026-11-03T00:00:00Z" };
        Object[] months = { "tenant", "zones", "label", List.of("h", "p"), "tz", "Europe/London", "granularity", "month",
                "from", "2027-01-01T00:00:00Z", "to", "2027-03-01T00:00:00Z" };

        // When
        JsonPath previous = get("visits/series", with(days, "fill", "previous")).jsonPath();
        JsonPath linear = get("visits/series", with(months, "fill", "linear")).jsonPath();

        // Then
        assertThat(previous.getList("items.start")).containsExactly("2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z");
        assertThat(previous.getList("items.measures.events")).as("of 21 October only").containsExactly(8, 8);
        // From 2026-09-30T23:00:00Z to 2027-03-31T23:00:00Z, the starts of October and April, are 4,368 hours.
        assertThat(linear.getString("items[0].measures.events")).startsWith("7.4");
        assertThat(linear.getList("items.measures.events").stream().map(value -> new BigDecimal(value.toString()))
                .map(value -> value.setScale(6, RoundingMode.HALF_EVEN).toPlainString())).containsExactly(
                        onTheLine(13, 2, 2_209, 4_368), onTheLine(13, 2, 2_953, 4_368));
    }

    /** The value between two values, a number of hours after the first of them. */
    private static String onTheLine(int first, int last, int hours, int ofHours) {
        return new BigDecimal(first).add(new BigDecimal((last - first) * hours)
                .divide(new BigDecimal(ofHours), MathContext.DECIMAL128)).setScale(6, RoundingMode.HALF_EVEN).toPlainString();
    }

    @Test
    void daysOfAZoneBeginAtLocalMidnightAlsoWhenTheClocksChange() {
        JsonPath series = get("clicks/series", "tenant", "questions", "label", A, "granularity", "day", "tz",
                "Europe/Berlin").jsonPath();

        assertThat(series.getList("items.start")).containsExactly("2025-03-30T00:00:00+01:00", "2025-03-31T00:00:00+02:00",
                "2025-04-02T00:00:00+02:00");
        assertThat(series.getList("items.measures.events")).containsExactly(3, 1, 1);
        assertThat(series.getList("items.measures.opening")).containsExactly(10, 7, 40);
        assertThat(get("clicks/series", "tenant", "questions", "label", A, "granularity", "month", "tz", "Asia/Kathmandu",
                "from", "2025-03-01T00:00:00Z", "to", "2025-05-01T00:00:00Z").jsonPath().getList("items.start"))
                .containsExactly("2025-04-01T00:00:00+05:45");
    }

    @Test
    void aZoneThatCannotBeBuiltIsAProblem() {
        Response response = ask("visits/series", "label", "h", "label", "p", "granularity", "day", "tz", "Asia/Kolkata");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.jsonPath().getString("detail")).contains("hour, day, month").contains("Asia/Kolkata");
        assertThat(ask("clicks/series", "label", A, "granularity", "day", "tz", "Mars/Base").jsonPath()
                .getString("parameter")).isEqualTo("tz");
    }

    @Test
    void sumsAreCumulativeAndRatesAreComputed() {
        Object[] week = { "tenant", "questions", "label", A, "granularity", "day", "from", "2025-03-29T00:00:00Z", "to",
                "2025-04-01T00:00:00Z", "fill", "zero" };

        assertThat(get("clicks/series", with(week, "cumulative", "true")).jsonPath().getList("items.measures.bytes"))
                .containsExactly(10, 42, 42);
        assertThat(get("clicks/series", with(week, "rate", "hour")).jsonPath().getString("items[1].measures.events"))
                .isEqualTo("0.125");
        assertThat(ask("clicks/series", with(week, "rate", "hour", "cumulative", "true")).statusCode()).isEqualTo(400);
    }

    @Test
    void aSeriesOfTooManyPointsIsRefused() {
        Response response = ask("clicks/series", "label", A, "granularity", "minute", "from", "2025-01-01T00:00:00Z", "to",
                "2025-03-01T00:00:00Z", "fill", "zero");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.jsonPath().getString("type")).endsWith("/range-too-long");
    }

    @Test
    void aSeriesOfAllLabelsSumsThem() {
        JsonPath all = get("clicks/series", "tenant", "questions", "granularity", "day").jsonPath();
        JsonPath latest = get("clicks/series", "tenant", "questions", "granularity", "day", "order", "desc", "limit", "2",
                "prefix", "https://").jsonPath();

        assertThat(all.getList("items.start")).containsExactly("2025-03-29T00:00:00Z", "2025-03-30T00:00:00Z",
                "2025-03-31T00:00:00Z", "2025-04-02T00:00:00Z");
        assertThat(all.getList("items.measures.events")).containsExactly(1, 5, 1, 1);
        assertThat(all.getList("items.measures.bytes")).containsExactly(10, 232, 1, 40);
        assertThat(all.getList("items.label")).containsOnly(List.of());
        assertThat(latest.getList("items.start")).containsExactly("2025-04-02T00:00:00Z", "2025-03-31T00:00:00Z");
        assertThat(get("clicks/totals", "tenant", "questions", "to", "2025-04-01T00:00:00Z").jsonPath()
                .getInt("measures.bytes")).isEqualTo(243);
    }

    @Test
    void theLargestLabelsHaveSeriesOfTheirOwn() {
        Object[] question = { "tenant", "questions", "granularity", "day", "from", "2025-03-30T00:00:00Z", "to",
                "2025-04-01T00:00:00Z", "fill", "zero", "group", "top", "by", "bytes", "n", "1", "other", "true" };

        JsonPath series = get("clicks/series", question).jsonPath();
        String csv = get("clicks/series", with(question, "format", "csv")).asString();

        assertThat(series.getList("items.label")).isEqualTo(List.of(List.of(B), List.of(B), List.of(), List.of()));
        assertThat(series.getList("items.other")).containsExactly(false, false, true, true);
        assertThat(series.getList("items.measures.bytes")).containsExactly(100, 1, 132, 0);
        assertThat(csv).startsWith("referrer,other,granularity,start,events,")
                .contains("\r\n" + B + ",false,day,2025-03-30T00:00:00Z,1,100,")
                .contains("\r\n,true,day,2025-03-30T00:00:00Z,4,132,");
    }

    @Test
    void groupedSeriesOfTooManyPointsAreRefused() {
        Response response = ask("clicks/series", "tenant", "questions", "granularity", "minute", "from",
                "2025-03-29T00:00:00Z", "to", "2025-04-03T00:00:00Z", "fill", "zero", "group", "top", "by", "bytes");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.jsonPath().getString("type")).endsWith("/range-too-long");
    }

    @Test
    void moversAreOrderedByTheirChange() {
        Object[] day = { "tenant", "questions", "by", "bytes", "from", "2025-03-31T00:00:00Z", "to", "2025-04-01T00:00:00Z",
                "against", "previous" };

        JsonPath rises = get("clicks/top", day).jsonPath();
        JsonPath changes = get("clicks/top", with(day, "order", "magnitude", "n", "1", "least", "events:3")).jsonPath();

        assertThat(rises.getList("items.label")).isEqualTo(List.of(List.of(A), List.of(B), List.of("-")));
        assertThat(rises.getList("items.change.bytes.absolute")).containsExactly(-32, -99, -100);
        assertThat(rises.getInt("items[1].measures.bytes")).isEqualTo(1);
        assertThat(rises.getInt("items[1].against.bytes")).isEqualTo(100);
        assertThat(rises.getString("items[1].change.bytes.relative")).isEqualTo("-0.99");
        assertThat(changes.getList("items.label")).isEqualTo(List.of(List.of(A)));
        assertThat(get("clicks/top", with(day, "format", "csv")).asString())
                .startsWith("referrer,events,bytes,smallest,largest,opening,closing,against.events,change.events,"
                        + "change.events.relative,against.bytes");
    }

    @Test
    void labelsAreGroupedByTheirFirstAttributes() {
        Aggregated visits = new Aggregated("groups", datasets.named("visits").orElseThrow(), new SplittableRandom(1));
        for (String page : List.of("/a", "/b", "/b", "/c")) {
            visits.event(Label.of("one", page), Instant.parse("2026-11-01T10:00:00Z"), "1");
        }
        for (String page : List.of("/x", "/x", "/x")) {
            visits.event(Label.of("two", page), Instant.parse("2026-11-03T13:00:00Z"), "1");
        }
        visits.writeTo(client, "windrow");

        JsonPath groups = get("visits/top", "tenant", "groups", "groupBy", "host").jsonPath();

        assertThat(groups.getList("items.label")).isEqualTo(List.of(List.of("one"), List.of("two")));
        assertThat(groups.getList("items.measures.events")).containsExactly(4, 3);
        assertThat(get("visits/top", "tenant", "groups", "least", "events:2", "order", "asc").jsonPath()
                .getList("items.label")).isEqualTo(List.of(List.of("one", "/b"), List.of("two", "/x")));
        assertThat(get("visits/totals", "tenant", "groups", "label", "one").jsonPath().getInt("measures.events"))
                .isEqualTo(4);
    }

    @Test
    void topIsExactAndStable() {
        JsonPath top = get("clicks/top", "tenant", "questions", "by", "bytes", "n", "3", "from", "2025-03-30T00:00:00Z",
                "to", "2025-03-31T00:00:00Z").jsonPath();

        assertThat(top.getList("items.label")).isEqualTo(List.of(List.of("-"), List.of(B), List.of(A)));
        assertThat(top.getList("items.measures.bytes")).containsExactly(100, 100, 32);
        assertThat(get("clicks/top", "tenant", "questions", "by", "events", "prefix", "https://b").jsonPath()
                .getList("items.measures.events")).containsExactly(2);
        assertThat(ask("clicks/top", "tenant", "questions").jsonPath().getString("parameter")).isEqualTo("by");
        assertThat(ask("votes/top").jsonPath().getString("parameter")).isEqualTo("dataset");
    }

    @Test
    void busiestBucketsAreOfAllLabelsTogether() {
        JsonPath busiest = get("clicks/busiest", "tenant", "questions", "granularity", "hour", "by", "events", "n", "2")
                .jsonPath();

        assertThat(busiest.getList("items.start")).containsExactly("2025-03-30T10:00:00Z", "2025-03-29T23:00:00Z");
        assertThat(busiest.getList("items.measures.bytes")).containsExactly(220, 10);
    }

    @Test
    void profilesLayDaysAndWeeksOverEachOther() {
        JsonPath hours = get("clicks/busiest", "tenant", "questions", "by", "events", "profile", "hour-of-day", "tz",
                "Europe/Berlin").jsonPath();
        JsonPath days = get("clicks/busiest", "tenant", "questions", "by", "events", "profile", "day-of-week").jsonPath();

        assertThat(hours.getList("items.hour")).hasSize(24).startsWith(0, 1);
        assertThat(hours.getInt("items[12].measures.events")).isEqualTo(4);
        assertThat(hours.getInt("items[0].measures.events")).isEqualTo(2);
        assertThat(days.getList("items.measures.events")).containsExactly(1, 0, 1, 0, 0, 1, 5);
    }

    @Test
    void hoursOfTheWeekAddUpToItsDays() {
        JsonPath days = get("clicks/busiest", "tenant", "questions", "by", "events", "profile", "day-of-week").jsonPath();

        Response week = get("clicks/busiest", "tenant", "questions", "by", "events", "profile", "hour-of-week");

        List<Integer> hours = week.jsonPath().getList("items.measures.events");
        assertThat(week.jsonPath().getList("items.day")).hasSize(168).startsWith(1, 1).endsWith(7, 7);
        assertThat(week.jsonPath().getList("items.hour")).startsWith(0, 1).endsWith(22, 23);
        assertThat(IntStream.range(0, 7).mapToObj(day -> hours.subList(24 * day, 24 * day + 24).stream()
                .mapToInt(Integer::intValue).sum()).toList()).isEqualTo(days.getList("items.measures.events"));
        assertThat(get("clicks/busiest", "tenant", "questions", "by", "events", "profile", "hour-of-week", "format", "csv")
                .asString()).startsWith("day,hour,events,").contains("\r\n7,23,");
    }

    @Test
    void periodsAreCompared() {
        JsonPath all = get("clicks/compare", "tenant", "questions", "from", "2025-03-31T00:00:00Z", "to",
                "2025-04-01T00:00:00Z").jsonPath();
        JsonPath one = get("clicks/compare", "tenant", "questions", "label", A, "from", "2025-04-02T00:00:00Z", "to",
                "2025-04-03T00:00:00Z", "againstFrom", "2025-04-01T00:00:00Z", "againstTo", "2025-04-02T00:00:00Z")
                .jsonPath();

        assertThat(all.getInt("period.measures.events")).isEqualTo(1);
        assertThat(all.getInt("against.measures.events")).isEqualTo(5);
        assertThat(all.getString("against.from")).isEqualTo("2025-03-30T00:00:00Z");
        assertThat(all.getString("change.events.absolute")).isEqualTo("-4");
        assertThat(all.getString("change.events.relative")).isEqualTo("-0.8");
        assertThat(one.getString("change.bytes.absolute")).isEqualTo("40");
        assertThat(one.getString("change.bytes.relative")).isNull();
        assertThat(one.getString("change.smallest")).isNull();
        assertThat(ask("clicks/compare").jsonPath().getString("parameter")).isEqualTo("from");
    }

    @Test
    void explainReportsThePlan() {
        JsonPath explained = get("clicks/totals", "tenant", "questions", "label", A, "from", "2025-03-29T23:30:00Z", "to",
                "2025-04-02T12:01:00Z", "explain", "true", "consistent", "true").jsonPath();

        assertThat(explained.getInt("measures.events")).isEqualTo(5);
        assertThat(explained.getList("explain.plan.granularity")).containsExactly("minute", "day", "hour", "minute");
        assertThat(explained.getList("explain.plan.source")).containsOnly("table");
        assertThat(explained.getInt("explain.pages")).isEqualTo(4);
        assertThat(explained.getFloat("explain.readUnits")).isPositive();
        assertThat(get("clicks/totals", "tenant", "questions", "label", A).jsonPath().getMap("")).doesNotContainKey("explain");
    }

    @Test
    void streamsHaveEveryBucketAndMarkTheirEnd() {
        String ndjson = get("clicks/buckets", "tenant", "questions", "granularity", "minute", "format", "ndjson").asString();
        String csv = given().accept("text/csv").queryParam("tenant", "questions").queryParam("granularity", "hour")
                .queryParam("label", A).get("/api/v1/datasets/clicks/buckets").asString();

        List<String> lines = ndjson.lines().toList();
        assertThat(lines).hasSize(9);
        assertThat(lines.get(0)).startsWith("{\"label\":[\"https://a.example/, \\\"quoted\\\"\"],\"granularity\":\"minute\"");
        assertThat(lines.get(8)).startsWith("{\"end\":{\"complete\":true,");
        assertThat(csv).startsWith("referrer,granularity,start,events,bytes,smallest,largest,opening,closing\r\n"
                + "\"https://a.example/, \"\"quoted\"\"\",hour,2025-03-29T23:00:00Z,1,10,10,10,10,10\r\n");
        assertThat(csv.lines()).hasSize(6);
    }

    @Test
    void listsAreStreamsToo() {
        assertThat(get("clicks/top", "tenant", "questions", "by", "events", "format", "csv").asString().lines())
                .first().isEqualTo("referrer,events,bytes,smallest,largest,opening,closing");
        assertThat(get("clicks/series", "tenant", "questions", "label", A, "granularity", "day", "format", "ndjson")
                .asString().lines()).hasSize(4);
        assertThat(get("clicks/buckets", "tenant", "nobody", "granularity", "hour", "format", "csv").asString())
                .isEqualTo("referrer,granularity,start,events,bytes,smallest,largest,opening,closing\r\n");
        assertThat(ask("clicks/top", "by", "events", "format", "xml").jsonPath().getString("parameter")).isEqualTo("format");
    }

    @Test
    void kindsWithoutFormatsAreJsonForAllWhoAcceptIt() {
        for (String kind : List.of("totals", "compare?last=7d", "position?label=a&by=events")) {
            Response response = given().accept("text/csv, application/json;q=0.9").get("/api/v1/datasets/clicks/" + kind);

            assertThat(response.statusCode()).as(kind).isEqualTo(200);
            assertThat(response.contentType()).as(kind).startsWith("application/json");
        }
        assertThat(given().accept("text/csv").get("/api/v1/datasets/clicks/totals").statusCode()).isEqualTo(406);
        Response formatted = ask("clicks/totals", "format", "csv");
        assertThat(formatted.statusCode()).isEqualTo(400);
        assertThat(formatted.jsonPath().getString("type")).endsWith("/unknown-parameter");
        assertThat(formatted.jsonPath().getString("parameter")).isEqualTo("format");
    }

    @Test
    void postAnswersAsGetDoes() {
        Object got = get("clicks/top", "tenant", "questions", "by", "bytes", "n", "2", "label", A).jsonPath().get("items");

        Response posted = given().contentType(ContentType.JSON)
                .body(Map.of("tenant", "questions", "by", "bytes", "n", 2, "label", List.of(A)))
                .post("/api/v1/datasets/clicks/top");

        assertThat(posted.jsonPath().<Object> get("items")).isEqualTo(got);
        assertThat(given().contentType(ContentType.JSON).body("[]").post("/api/v1/datasets/clicks/top").jsonPath()
                .getString("type")).endsWith("/not-an-object");
        assertThat(given().contentType(ContentType.JSON).body("{").post("/api/v1/datasets/clicks/top").jsonPath()
                .getString("type")).endsWith("/not-json");
        assertThat(given().contentType(ContentType.TEXT).body("n=1").post("/api/v1/datasets/clicks/top").jsonPath()
                .getString("type")).endsWith("/unsupported-media-type");
    }

    @Test
    void aPostedQueryHasNoLinkAndIsNeverNotModified() {
        Map<String, Object> closed = Map.of("tenant", "questions", "granularity", "hour", "to", "2025-04-01T00:00:00Z",
                "limit", 2);

        Response first = given().contentType(ContentType.JSON).body(closed).post("/api/v1/datasets/clicks/buckets");
        Response again = given().contentType(ContentType.JSON).body(closed).header("If-None-Match", first.header("ETag"))
                .post("/api/v1/datasets/clicks/buckets");

        assertThat(first.jsonPath().getString("next")).isNotNull();
        assertThat(first.header("Link")).isNull();
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.asString()).isNotEmpty();
    }

    @Test
    void closedRangesCarryATag() {
        Object[] closed = { "tenant", "questions", "granularity", "hour", "to", "2025-04-01T00:00:00Z" };

        Response first = get("clicks/buckets", closed);
        Response again = given().header("If-None-Match", first.header("ETag")).queryParam("tenant", "questions")
                .queryParam("granularity", "hour").queryParam("to", "2025-04-01T00:00:00Z")
                .get("/api/v1/datasets/clicks/buckets");

        assertThat(first.header("Cache-Control")).isEqualTo("private, max-age=3600");
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.asString()).isEmpty();
        assertThat(given().header("If-None-Match", first.header("ETag")).queryParam("tenant", "questions")
                .queryParam("granularity", "hour").queryParam("to", "2025-04-01T00:00:00Z")
                .head("/api/v1/datasets/clicks/buckets").statusCode()).isEqualTo(304);
        Response open = get("clicks/buckets", "tenant", "questions", "granularity", "hour");
        assertThat(open.header("Cache-Control")).isEqualTo("private, max-age=1");
        assertThat(open.header("ETag")).isNull();
        assertThat(get("clicks/buckets", with(closed, "explain", "true")).header("ETag"))
                .as("how it was gathered differs each time").isNull();
        assertThat(first.jsonPath().getList("items")).isNotEmpty();
        assertThat(first.contentType()).startsWith("application/json");
    }

    @Test
    void rangesThatMoveWithTheTimeAreNeverKeptForLong() {
        for (Object[] moving : new Object[][] { { "from", "-P3D", "to", "-P2D" }, { "to", "-P2D" },
                { "from", "2025-03-01T00:00:00Z", "to", "-P500D" } }) {
            Response response = get("clicks/buckets", with(moving, "tenant", "questions", "granularity", "hour"));

            assertThat(response.header("Cache-Control")).as(Arrays.toString(moving)).isEqualTo("private, max-age=1");
            assertThat(response.header("ETag")).as(Arrays.toString(moving)).isNull();
        }
        assertThat(get("clicks/compare", "tenant", "questions", "from", "2025-03-30T00:00:00Z", "to", "2025-03-31T00:00:00Z",
                "againstFrom", "-P3D", "againstTo", "-P2D").header("Cache-Control")).isEqualTo("private, max-age=1");
    }

    @Test
    void aCursorHoldsTheRangeThatThePageIsKeptFor() {
        Object[] moving = { "tenant", "questions", "granularity", "hour", "to", "-P2D", "limit", "2" };
        Response first = get("clicks/buckets", moving);

        Response second = get("clicks/buckets", with(moving, "cursor", first.jsonPath().getString("next")));

        assertThat(first.header("Cache-Control")).isEqualTo("private, max-age=1");
        assertThat(second.header("Cache-Control")).isEqualTo("private, max-age=3600");
    }

    @Test
    void aLineToALaterBucketIsNeverClosed() {
        Object[] closed = { "tenant", "questions", "label", A, "granularity", "day", "from", "2025-03-31T00:00:00Z", "to",
                "2025-04-02T00:00:00Z" };

        Response linear = get("clicks/series", with(closed, "fill", "linear"));

        assertThat(linear.header("Cache-Control")).isEqualTo("private, max-age=1");
        assertThat(linear.header("ETag")).isNull();
        for (Response other : List.of(get("clicks/series", closed), get("clicks/series", with(closed, "fill", "previous")))) {
            assertThat(other.header("Cache-Control")).isEqualTo("private, max-age=3600");
            assertThat(other.header("ETag")).isNotNull();
        }
    }

    @Test
    void aSlashAtTheEndOfThePathChangesNothing() {
        Object[] question = { "tenant", "questions", "label", A, "granularity", "day" };

        Response posted = given().contentType(ContentType.JSON).body(Map.of("tenant", "questions", "label", List.of(A)))
                .post("/api/v1/datasets/clicks/totals/");

        assertThat(posted.statusCode()).as(posted.asString()).isEqualTo(200);
        assertThat(posted.jsonPath().getInt("measures.events")).isEqualTo(5);
        assertThat(get("clicks/series/", with(question, "format", "csv")).asString())
                .isEqualTo(get("clicks/series", with(question, "format", "csv")).asString());
    }

    @Test
    void answersAreCompressedIfWanted() {
        Response response = given().header("Accept-Encoding", "gzip").queryParam("granularity", "hour")
                .queryParam("tenant", "questions").get("/api/v1/datasets/clicks/buckets");

        assertThat(response.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(response.jsonPath().getList("items")).isNotEmpty();
    }

    @Test
    void linesAreCompressedIfWanted() {
        for (String format : List.of("csv", "ndjson")) {
            Response response = given().header("Accept-Encoding", "gzip").queryParam("granularity", "hour")
                    .queryParam("tenant", "questions").queryParam("format", format).get("/api/v1/datasets/clicks/buckets");

            assertThat(response.header("Content-Encoding")).as(format).isEqualTo("gzip");
            assertThat(response.asString()).as(format).contains("b.example");
        }
    }

    @Test
    void aBodyChoosesTheFormatAsWell() {
        Response csv = given().contentType(ContentType.JSON)
                .body(Map.of("tenant", "questions", "granularity", "hour", "format", "csv"))
                .post("/api/v1/datasets/clicks/buckets");

        assertThat(csv.contentType()).startsWith("text/csv");
        assertThat(csv.asString()).startsWith("referrer,granularity,start,");
        assertThat(given().contentType(ContentType.JSON).body(Map.of("granularity", "hour", "format", "nonsense"))
                .post("/api/v1/datasets/clicks/buckets").jsonPath().getString("parameter")).isEqualTo("format");
    }

    @Test
    void tagsAreComparedWeakly() {
        Object[] closed = { "tenant", "questions", "granularity", "hour", "to", "2025-04-01T00:00:00Z" };
        String tag = get("clicks/buckets", closed).header("ETag");
        String strong = tag.replaceFirst("^W/", "");

        assertThat(tag).startsWith("W/\"");
        for (String known : List.of(tag, strong, "\"other\", " + strong, "W/\"a\"," + tag + ", \"b\"", "*")) {
            assertThat(withHeader("If-None-Match", known, closed).statusCode()).as(known).isEqualTo(304);
        }
        for (String unknown : List.of("\"other\"", "W/\"x\"", tag.replace("\"", ""), "nonsense")) {
            assertThat(withHeader("If-None-Match", unknown, closed).statusCode()).as(unknown).isEqualTo(200);
        }
        assertThat(withHeader("If-Match", "*", closed).statusCode()).isEqualTo(200);
        assertThat(withHeader("If-Match", strong, closed).jsonPath().getString("type")).endsWith("/precondition-failed");
    }

    private static Response withHeader(String name, String value, Object... parameters) {
        io.restassured.specification.RequestSpecification request = given().header(name, value);
        for (int i = 0; i < parameters.length; i += 2) {
            request.queryParam((String) parameters[i], parameters[i + 1]);
        }
        return request.get("/api/v1/datasets/clicks/buckets");
    }

    @Test
    void consistentAnswersAreNotKept() {
        Response response = get("clicks/totals", "tenant", "questions", "label", A, "to", "2025-04-01T00:00:00Z",
                "consistent", "true");

        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(response.header("ETag")).isNull();
    }

    @Test
    void formulasInCellsAreDefusedIfWanted() {
        Aggregated clicks = new Aggregated("formulas", datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        for (String label : List.of("=1+1", "+1", "-1", "@x", "\tx", "plain")) {
            click(clicks, label, "2025-03-29T23:30:00Z", "-10");
        }
        clicks.writeTo(client, "windrow");
        Object[] question = { "tenant", "formulas", "granularity", "hour", "format", "csv" };

        List<String> asStored = get("clicks/buckets", question).asString().lines().skip(1).toList();
        byte[] bytes = get("clicks/buckets", with(question, "spreadsheet", "true")).asByteArray();
        List<String> safe = new String(bytes, UTF_8).lines().skip(1).toList();

        assertThat(asStored).anyMatch(line -> line.startsWith("=1+1,")).anyMatch(line -> line.startsWith("-1,"));
        assertThat(bytes).as("a byte order mark").startsWith(0xEF, 0xBB, 0xBF);
        assertThat(safe).hasSize(6).noneMatch(line -> line.matches("[=+\\-@\\t].*"))
                .anyMatch(line -> line.startsWith("'=1+1,")).anyMatch(line -> line.startsWith("plain,"))
                .allMatch(line -> line.contains(",-10"));
    }

    private static Object[] with(Object[] parameters, Object... more) {
        Object[] all = Arrays.copyOf(parameters, parameters.length + more.length);
        System.arraycopy(more, 0, all, parameters.length, more.length);
        return all;
    }
}
