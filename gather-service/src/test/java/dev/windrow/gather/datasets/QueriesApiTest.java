package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.datasets.Api.json;
import static dev.windrow.gather.datasets.Api.next;
import static dev.windrow.gather.datasets.Api.problem;
import static dev.windrow.gather.datasets.Api.request;
import static dev.windrow.gather.datasets.Api.with;
import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.KeyCodec;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Pages, formats and caching of all kinds of queries; the data has its own tenants. */
@QuarkusTest
class QueriesApiTest extends TableTest {

    private static final String A = "https://a.example/, \"quoted\"";
    private static final String B = "https://b.example/";

    /** Pages of buckets: a minute of each of several labels. */
    private static final String PAGES = "clicks/buckets?tenant=bucket-pages";

    @BeforeEach
    void write() {
        Aggregated clicks = events("questions", "clicks");
        click(clicks, A, "2025-03-29T23:30:00Z", "10");
        click(clicks, A, "2025-03-30T10:00:00Z", "20");
        click(clicks, A, "2025-03-30T21:30:00Z", "5");
        click(clicks, A, "2025-03-30T22:30:00Z", "7");
        click(clicks, A, "2025-04-02T12:00:00Z", "40");
        click(clicks, B, "2025-03-30T10:10:00Z", "100");
        click(clicks, B, "2025-03-31T10:10:00Z", "1");
        click(clicks, "-", "2025-03-30T10:20:00Z", "100");
        clicks.writeTo(client, "windrow");
        Aggregated pages = events("bucket-pages", "clicks");
        for (int minute = 20; minute < 23; minute++) {
            for (String referrer : List.of("https://a.example/", "https://b.example/", "-")) {
                pages.event(referrer, "2026-11-20T10:" + minute + ":07Z");
            }
        }
        pages.writeTo(client, "windrow");
    }

    private static void click(Aggregated clicks, String label, String time, String bytes) {
        clicks.event(Label.of(label), Instant.parse(time), bytes);
    }

    @Test
    void totalsAreExactAndThoseOfNothingAreZeroOrNull() {
        // Given
        Aggregated clicks = events("exact", "clicks");
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
    void groupedSeriesOfTooManyPointsAreRefused() {
        problem(ask("clicks/series", "tenant", "questions", "granularity", "minute", "from", "2025-03-29T00:00:00Z", "to",
                "2025-04-03T00:00:00Z", "fill", "zero", "group", "top", "by", "bytes"), 400, "range-too-long");
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
        assertThat(get("clicks/top", "tenant", "questions", "by", "bytes", "from", "2025-03-31T00:00:00Z", "to",
                "2025-04-01T00:00:00Z", "against", "previous", "format", "csv").asString())
                .startsWith("referrer,events,bytes,smallest,largest,opening,closing,against.events,change.events,"
                        + "change.events.relative,against.bytes");
        assertThat(get("clicks/busiest", "tenant", "questions", "by", "events", "profile", "hour-of-week", "format", "csv")
                .asString()).startsWith("day,hour,events,").contains("\r\n7,23,");
        assertThat(get("clicks/series", "tenant", "questions", "label", A, "granularity", "day", "format", "ndjson")
                .asString().lines()).hasSize(4);
        assertThat(get("clicks/buckets", "tenant", "nobody", "granularity", "hour", "format", "csv").asString())
                .isEqualTo("referrer,granularity,start,events,bytes,smallest,largest,opening,closing\r\n");
    }

    @Test
    void kindsWithoutFormatsAreJsonForAllWhoAcceptIt() {
        for (String kind : List.of("totals", "compare?last=7d", "position?label=a&by=events")) {
            Response response = given().accept("text/csv, application/json;q=0.9").get("/api/v1/datasets/clicks/" + kind);

            assertThat(response.statusCode()).as(kind).isEqualTo(200);
            assertThat(response.contentType()).as(kind).startsWith("application/json");
        }
        assertThat(given().accept("text/csv").get("/api/v1/datasets/clicks/totals").statusCode()).isEqualTo(406);
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "clicks/buckets?granularity=hour&to=2025-04-01T00:00:00Z | private, max-age=3600",
            "clicks/buckets?granularity=hour | private, max-age=1",
            "clicks/buckets?granularity=hour&to=-P2D | private, max-age=1",
            "clicks/buckets?granularity=hour&from=-P3D&to=-P2D | private, max-age=1",
            "clicks/buckets?granularity=hour&from=2025-03-01T00:00:00Z&to=-P500D | private, max-age=1",
            "clicks/compare?from=2025-03-30&to=2025-03-31&againstFrom=-P3D&againstTo=-P2D | private, max-age=1",
            "clicks/series?label=a&granularity=day&from=2025-03-31&to=2025-04-02 | private, max-age=3600",
            "clicks/series?label=a&granularity=day&from=2025-03-31&to=2025-04-02&fill=previous | private, max-age=3600",
            // The line may end at a bucket after the range.
            "clicks/series?label=a&granularity=day&from=2025-03-31&to=2025-04-02&fill=linear | private, max-age=1",
            "clicks/totals?label=a&to=2025-04-01&consistent=true | no-store",
            // The range has expired.
            "fading/buckets?granularity=day&to=2025-04-01 | no-store" })
    void onlyClosedRangesAreKeptForLong(String query, String kept) {
        Response response = get(query, "tenant", "questions");

        assertThat(response.header("Cache-Control")).isEqualTo(kept);
        assertThat(response.header("ETag") != null).as("has a tag").isEqualTo(kept.endsWith("3600"));
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
        for (String format : List.of("json", "csv", "ndjson")) {
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
        assertThat(given().contentType(ContentType.TEXT).body("n=1").post("/api/v1/datasets/clicks/top").jsonPath()
                .getString("type")).endsWith("/unsupported-media-type");
    }

    @Test
    void tagsOfClosedRangesAreComparedWeakly() {
        Object[] closed = { "tenant", "questions", "granularity", "hour", "to", "2025-04-01T00:00:00Z" };
        String tag = get("clicks/buckets", closed).header("ETag");
        String strong = tag.replaceFirst("^W/", "");

        assertThat(tag).startsWith("W/\"");
        for (String known : List.of(tag, strong, "\"other\", " + strong, "W/\"a\"," + tag + ", \"b\"", "*")) {
            assertThat(withHeader("If-None-Match", known, closed).statusCode()).as(known).isEqualTo(304);
        }
        assertThat(withHeader("If-None-Match", tag, closed).asString()).isEmpty();
        assertThat(request(closed).header("If-None-Match", tag).head("/api/v1/datasets/clicks/buckets").statusCode())
                .isEqualTo(304);
        assertThat(get("clicks/buckets", with(closed, "explain", "true")).header("ETag"))
                .as("how it was gathered differs each time").isNull();
        for (String unknown : List.of("\"other\"", "W/\"x\"", tag.replace("\"", ""), "nonsense")) {
            assertThat(withHeader("If-None-Match", unknown, closed).statusCode()).as(unknown).isEqualTo(200);
        }
        assertThat(withHeader("If-Match", "*", closed).statusCode()).isEqualTo(200);
        assertThat(withHeader("If-Match", strong, closed).jsonPath().getString("type")).endsWith("/precondition-failed");
    }

    private static Response withHeader(String name, String value, Object... parameters) {
        return request(parameters).header(name, value).get("/api/v1/datasets/clicks/buckets");
    }

    @Test
    void formulasInCellsAreDefusedIfWanted() {
        Aggregated clicks = events("formulas", "clicks");
        for (String label : List.of("=1+1", "+1", "-1", "@x", "\tx", "x;=1+1;y", "z;\"=1", "plain")) {
            click(clicks, label, "2025-03-29T23:30:00Z", "-10");
        }
        clicks.writeTo(client, "windrow");
        Object[] question = { "tenant", "formulas", "granularity", "hour", "format", "csv" };

        List<String> asStored = get("clicks/buckets", question).asString().lines().skip(1).toList();
        byte[] bytes = get("clicks/buckets", with(question, "spreadsheet", "true")).asByteArray();
        List<String> safe = new String(bytes, UTF_8).lines().skip(1).toList();

        assertThat(asStored).anyMatch(line -> line.startsWith("=1+1,")).anyMatch(line -> line.startsWith("-1,"));
        assertThat(bytes).as("a byte order mark").startsWith(0xEF, 0xBB, 0xBF);
        assertThat(safe).hasSize(8).noneMatch(line -> line.matches("[=+\\-@\\t].*"))
                .anyMatch(line -> line.startsWith("'=1+1,")).anyMatch(line -> line.startsWith("plain,"))
                .anyMatch(line -> line.startsWith("x;'=1+1;y,")).anyMatch(line -> line.startsWith("\"z;'\"\"=1\","))
                .allMatch(line -> line.contains(",-10"));
    }

    @Test
    void relativePagesKeepTheirRange() {
        Response first = get(PAGES, "granularity", "minute", "from", "2026-11-20T10:20:00Z", "to", "now", "limit", "2");

        Response second = get(PAGES, "granularity", "minute", "from", "2026-11-20T10:20:00Z", "to", "now", "limit", "2",
                "cursor", first.jsonPath().getString("next"));

        assertThat(second.jsonPath().getList("items.start")).containsExactly("2026-11-20T10:20:00Z", "2026-11-20T10:21:00Z");
        assertThat(first.header("Link")).contains("rel=\"next\"").contains(first.jsonPath().getString("next"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "2026-11-20T11:00:00%2B01:00", "2026-11-20T11:00:00+01:00", "2026-11-20T11:00:00+0100",
            "2026-11-20%2010:00:00Z", "2026-11-20+11:00:00+01", "1795168800", "1795168800000", "1.7951688e9", "2026-11-20" })
    void theLinkLeadsToTheNextPage(String from) {
        events("linked", "clicks")
                .event("a b+c", "2026-11-20T10:11:00Z").event("a b+c", "2026-11-20T10:12:00Z").writeTo(client, "windrow");

        Response first = encoded("/api/v1/datasets/clicks/buckets?tenant=linked&granularity=minute&limit=1"
                + "&label=a%20b%2Bc&from=" + from);
        String link = first.header("Link");
        Response second = encoded(link.substring(1, link.indexOf('>')));

        assertThat(second.jsonPath().getList("items.start")).containsExactly("2026-11-20T10:12:00Z");
    }

    private static Response encoded(String address) {
        Response response = given().urlEncodingEnabled(false).get(address);
        assertThat(response.statusCode()).as("%s: %s", address, response.asString()).isEqualTo(200);
        return response;
    }

    @ParameterizedTest
    @CsvSource({ "asc,", "desc,", "asc,-", "desc,-" })
    void aCursorWithAForgedLabelIsInvalid(String order, @Nullable String label) {
        Object[] all = { "granularity", "minute", "order", order, "limit", "1" };
        Object[] query = label == null ? all : with(all, "label", label);
        String next = next(json(get(PAGES, query))).orElseThrow();
        // A label this long may exist in the table, in its partition key, but not in the index.
        String longer = label == null ? "x".repeat(1_100) : "#";
        for (String forgedEnd : List.of(longer, "#", "#another", "#another#0")) {
            // Given
            String forged = withLongerPosition(next, forgedEnd);

            // When
            Response answer = ask(PAGES, with(query, "cursor", forged));

            // Then
            problem(answer, 400, "invalid-cursor");
        }
    }

    /** DynamoDB rejects bounds in the wrong order, which such a start would make. */
    @ParameterizedTest
    @CsvSource({ "asc, 2026-11-20T23:20:00+13:00", "desc, 2026-11-20T23:20:00+13:00", "asc, 2026-11-20T10:20:00.000Z",
            "desc, 2026-11-20T10:20:00.5Z", "desc, 2026-11-20T10:20:07Z" })
    void aCursorWithAForgedStartIsInvalid(String order, String start) {
        for (Object[] label : new Object[][] { {}, { "label", "-" } }) {
            Object[] query = with(label, "granularity", "minute", "order", order, "limit", "1");
            String next = next(json(get(PAGES, query))).orElseThrow();

            String forged = withPosition(next, position -> start + position.substring(position.indexOf(KeyCodec.SEPARATOR)));

            problem(ask(PAGES, with(query, "cursor", forged)), 400, "invalid-cursor");
        }
    }

    /** The cursor with text appended to its position, which is its last part. */
    private static String withLongerPosition(String cursor, String more) {
        return withPosition(cursor, position -> position + more);
    }

    private static String withPosition(String cursor, UnaryOperator<String> forged) {
        List<String> parts = new ArrayList<>(KeyCodec.decode(new String(Base64.getUrlDecoder().decode(cursor), UTF_8)));
        parts.add(forged.apply(parts.remove(parts.size() - 1)));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(KeyCodec.encode(parts).getBytes(UTF_8));
    }
}
