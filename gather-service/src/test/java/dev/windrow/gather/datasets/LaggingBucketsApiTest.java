package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.datasets.Api.json;
import static dev.windrow.gather.datasets.Api.jsonWithout;
import static dev.windrow.gather.testing.Draws.any;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.gather.testing.ComparedDatasets;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import dev.windrow.table.TableSchema;
import dev.windrow.table.Watermark;
import dev.windrow.table.WatermarkCodec;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Queries of a table whose coarse buckets lag by its lanes, compared with a dataset that has only minutes. */
@QuarkusTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LaggingBucketsApiTest extends TableTest {

    private static final String LAGGING = "tolls";
    private static final String ROLLUP = "tolls-by-road";
    private static final String EXACT = "tolls-in-minutes";
    private static final int QUERIES = GeneratedCases.count("windrow.model.questions", 40, 400);
    private static final int EVENTS = 500;
    private static final List<String> ROADS = List.of("A1", "A2", "B#1");
    private static final List<String> GATES = List.of("north", "south");

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    /** A new one for each run, because buckets of different runs would mix. */
    private final String tenant = "lagging-" + UUID.randomUUID();
    /** The start from which on buckets of a granularity may lack events. */
    private final Map<Granularity, Instant> lagsFrom = Map.of(
            Granularity.HOUR, Granularity.HOUR.floor(now.minus(Duration.ofHours(5))),
            Granularity.DAY, Granularity.DAY.floor(now.minus(Duration.ofDays(2))),
            Granularity.MONTH, Granularity.MONTH.floor(now.minus(Duration.ofDays(2))),
            Granularity.FOREVER, Instant.EPOCH);
    private final Map<Granularity, Instant> oldest = Map.of(Granularity.HOUR, now.minusSeconds(25), Granularity.DAY,
            now.minusSeconds(280), Granularity.MONTH, now.minusSeconds(290), Granularity.FOREVER, now.minusSeconds(299));

    @BeforeAll
    void writeBuckets() {
        SplittableRandom random = new SplittableRandom(5);
        ComparedDatasets written = new ComparedDatasets(tenant, datasets, List.of(LAGGING, ROLLUP, EXACT));
        for (int i = 0; i < EVENTS; i++) {
            List<String> values = List.of(any(ROADS, random), any(GATES, random));
            // Most events are recent.
            Instant time = now.minusSeconds(random.nextLong(i % 4 == 0 ? 40 * 86_400L : i % 2 == 0 ? 3 * 86_400L : 20_000L));
            String fee = Integer.toString(random.nextInt(-20, 100));
            boolean lacking = random.nextBoolean();
            written.event((dataset, events) -> events.event(new Label(values.subList(0, dataset.label().size())), time, fee,
                    dataset.granularities().stream().filter(granularity -> !lacking || has(granularity, time)).toList()));
        }
        written.writeTo(client, "windrow");
    }

    @AfterEach
    void removeLanes() {
        for (int lane = 0; lane < 3; lane++) {
            Map<String, AttributeValue> key = laneKey(lane);
            client.deleteItem(delete -> delete.tableName("windrow").key(key)).join();
        }
    }

    private boolean has(Granularity granularity, Instant time) {
        return granularity.equals(Granularity.MINUTE) || granularity.floor(time).isBefore(lagsFrom.get(granularity));
    }

    @Test
    void sumsAreExactWhateverLags() {
        writeLanes(1);
        RandomGenerator random = Seeds.random("LaggingBucketsApiTest");
        int coarse = 0;
        for (int i = 0; i < QUERIES; i++) {
            String kind = any(List.of("series", "totals", "top", "compare", "busiest"), random);
            Object[] parameters = parameters(kind, random);

            Response expected = ask(EXACT + "/" + kind, parameters);
            Response response = ask(LAGGING + "/" + kind, parameters);
            JsonNode answered = json(response);

            assertThat(result(response)).as("%s %s", kind, List.of(parameters)).isEqualTo(result(expected));
            assertThat(asOf(answered)).as("%s %s", kind, answered).isAfterOrEqualTo(now);
            coarse += answered.toString().matches(".*\"granularity\":\"(hour|day|month)\",\"fromKey\".*") ? 1 : 0;
        }
        assertThat(coarse).as("queries that read coarse buckets as well").isGreaterThan(QUERIES / 8);
    }

    @Test
    @Tag("prometheus")
    void prometheusClientsGetExactSumsWhateverLags() {
        writeLanes(1);
        for (String query : List.of("sum by (road) (increase(windrow_DATASET_fees[2d]))", "sum(windrow_DATASET_events)",
                "max by (gate) (max_over_time(windrow_DATASET_dearest[6h]))",
                "rate(windrow_DATASET_events{road=\"A1\"}[1h])")) {
            assertThat(prometheus(query, LAGGING)).as(query).isEqualTo(prometheus(query, EXACT));
            assertThat(prometheus(query, EXACT)).contains("value");
        }
    }

    private String prometheus(String query, String dataset) {
        Instant end = Granularity.MINUTE.floor(now);
        Response answer = given().queryParam("tenant", tenant)
                .queryParam("query", query.replace("DATASET", dataset.replace('-', '_')))
                .queryParam("start", end.minus(Duration.ofHours(3)).toString()).queryParam("end", end.toString())
                .queryParam("step", "20m").get("/api/v1/prometheus/api/v1/query_range");
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        assertThat(answer.jsonPath().getList("warnings")).isNull();
        return answer.asString();
    }

    /** The state left by a writer that was killed in the middle of a record: its lane shows the same for all granularities. */
    @Test
    void aSumDoesNotFallWhereACoarseBucketBecomesWhole() {
        Instant hour = Granularity.HOUR.floor(now.minus(Duration.ofHours(2)));
        String killed = "killed-" + UUID.randomUUID();
        ComparedDatasets written = new ComparedDatasets(killed, datasets, List.of(LAGGING, ROLLUP));
        for (int i = 0; i < 10; i++) {
            boolean claimed = i >= 5;
            Instant time = hour.plusSeconds(60L * i);
            written.event((dataset, events) -> events.event(
                    new Label(List.of("A1", "north").subList(0, dataset.label().size())), time, "1",
                    dataset.granularities().stream()
                            .filter(granularity -> !claimed || granularity.equals(Granularity.MINUTE)).toList()));
        }
        written.writeTo(client, "windrow");
        writeLane(0, 1, Stream.of("minute", "hour", "day", "month", "forever").map(name -> new Watermark(name, 1,
                now.minusSeconds(60).toEpochMilli(), hour.getEpochSecond())).toList());

        List<JsonNode> answers = Stream.of(59, 60, 61, 120).map(minutes -> json(get(LAGGING + "/totals", "tenant", killed,
                "from", hour, "to", hour.plusSeconds(60L * minutes)))).toList();

        assertThat(answers).extracting(answer -> answer.at("/measures/events").asInt()).containsOnly(10);
        assertThat(answers).extracting(LaggingBucketsApiTest::asOf).containsOnly(now.minusSeconds(60));
    }

    @Test
    void aSlashAtTheEndOfThePathHidesNoLane() {
        writeLanes(1);

        Response slashed = get(LAGGING + "/totals/", range(now.minus(Duration.ofDays(3))));

        assertThat(result(slashed)).isEqualTo(result(get(EXACT + "/totals", range(now.minus(Duration.ofDays(3))))));
        assertThat(asOf(json(slashed))).isAfterOrEqualTo(now);
    }

    @Test
    void whatHasNoFinerBucketsIsAnsweredAsOfItsLanes() {
        writeLanes(1);

        JsonNode listed = json(get(LAGGING + "/buckets", "tenant", tenant, "granularity", "day", "explain", true));
        JsonNode closed = json(get(LAGGING + "/buckets", "tenant", tenant, "granularity", "day", "to",
                lagsFrom.get(Granularity.DAY), "explain", true));
        String lines = get(LAGGING + "/buckets", "tenant", tenant, "granularity", "hour", "format", "ndjson").asString();

        assertThat(asOf(listed)).isEqualTo(oldest.get(Granularity.DAY));
        assertThat(asOf(closed)).isAfterOrEqualTo(now);
        assertThat(lines).contains("\"asOf\":\"" + oldest.get(Granularity.HOUR) + "\"");
        assertThat(listed.at("/explain/plan/0/asOf").asText()).isEqualTo(oldest.get(Granularity.DAY).toString());
        assertThat(listed.at("/explain/lagging/1/granularity").asText()).isEqualTo("day");
        assertThat(Instant.parse(listed.at("/explain/lagging/1/from").asText())).isEqualTo(lagsFrom.get(Granularity.DAY));
    }

    @Test
    void aRollupThatLagsIsReadOnlyWhereItIsWhole() {
        writeLanes(1);
        Instant day = Granularity.DAY.floor(now.minus(Duration.ofDays(10)));
        Object[] old = { "tenant", tenant, "from", day, "to", day.plus(Duration.ofDays(5)), "label", "A1", "granularity",
                "day", "explain", true };
        Object[] recent = { "tenant", tenant, "from", day, "to", Granularity.DAY.end(Granularity.DAY.floor(now)), "label",
                "A1", "granularity", "day", "explain", true };

        assertThat(json(get(LAGGING + "/series", old)).at("/explain/dataset").asText()).isEqualTo(ROLLUP);
        JsonNode explain = json(get(LAGGING + "/series", recent)).get("explain");
        assertThat(explain.get("dataset").asText()).isEqualTo(LAGGING);
        assertThat(explain.get("choice").asText())
                .isEqualTo("the dataset of the request, as the roll-up tolls-by-road lags and has no finer buckets");
    }

    @Test
    void anAnswerThatMayLackEventsIsNotClosed() {
        Instant day = Granularity.DAY.floor(now.minus(Duration.ofDays(5)));
        Object[] range = { "tenant", tenant, "granularity", "day", "from", day, "to", day.plus(Duration.ofDays(1)) };
        assertThat(get(LAGGING + "/buckets", range).header("ETag")).isNotNull();

        // A lane that has lagged since before the end of that day.
        writeLane(0, 1, List.of(new Watermark("day", 1, day.plusSeconds(60).toEpochMilli(), day.getEpochSecond())));

        assertThat(get(LAGGING + "/buckets", range).header("ETag")).isNull();
        assertThat(get(LAGGING + "/buckets", range).header("Cache-Control")).isEqualTo("no-store");
        assertThat(asOf(json(get(LAGGING + "/buckets", range)))).isEqualTo(day.plusSeconds(60));
    }

    @ParameterizedTest
    @ValueSource(strings = { "buckets?granularity=day&", "series?granularity=day&", "totals?", "top?by=events&", "compare?" })
    void anAnswerThatLacksEventsClaimedJustNowIsNotKeptByClients(String query) {
        // Given old events that a lane has claimed but that are not in any bucket yet, not even in finer ones
        Instant day = Granularity.DAY.floor(now.minus(Duration.ofDays(5)));
        Instant claimed = now.minusSeconds(5);
        String path = LAGGING + "/" + query + "tenant=" + tenant + "&from=" + day + "&to=" + day.plus(Duration.ofDays(1));
        assertThat(get(path).header("Cache-Control")).isEqualTo("private, max-age=3600");
        writeLane(0, 1, Stream.of("minute", "hour", "day")
                .map(name -> new Watermark(name, 1, claimed.toEpochMilli(), day.getEpochSecond())).toList());

        // When
        Response response = get(path);

        // Then
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(response.header("ETag")).isNull();
        assertThat(json(response).get("complete").asBoolean()).isTrue();
    }

    @Test
    void answersThatLackWorkOfAnAbandonedLaneHaveAWarning() {
        writeLanes(1);
        Object[] concerned = { "tenant", tenant, "granularity", "day" };
        Object[] closed = { "tenant", tenant, "granularity", "day", "to", lagsFrom.get(Granularity.DAY) };

        Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(
                json(get(LAGGING + "/buckets", concerned)).findValuesAsText("reason"))
                .containsExactly("lane-abandoned", "lane-abandoned"));
        assertThat(get(LAGGING + "/buckets", concerned).header("Cache-Control")).isEqualTo("no-store");
        JsonNode answer = json(get(LAGGING + "/buckets", concerned));
        assertThat(answer.get("complete").asBoolean()).isTrue();
        assertThat(answer.at("/warnings/0/message").asText())
                .isEqualTo("events claimed in journal lane 0, last held by writer-0, may be missing: no writer is applying "
                        + "them");
        assertThat(answer.at("/warnings/0/shards")).isEmpty();
        assertThat(json(get(LAGGING + "/buckets", closed)).get("warnings")).isEmpty();
        assertThat(ManagementPort.get("/q/metrics").asString()).contains("windrow_gather_lanes_abandoned 2.0");

        writeLanes(2);

        assertThat(json(get(LAGGING + "/buckets", concerned)).get("warnings")).isEmpty();
    }

    @Test
    void lanesThatNobodyUnderstandsAreAWarning() {
        // Until lanes are read again, the last known lanes are used.
        writeLane(0, 3, List.of());
        assertThat(json(get(LAGGING + "/buckets", "tenant", tenant, "granularity", "day")).get("warnings")).isEmpty();
        client.updateItem(update -> update.tableName("windrow").key(laneKey(0)).updateExpression("SET watermarks = :w")
                .expressionAttributeValues(Map.of(":w", AttributeValue.fromS("day")))).join();

        JsonNode answer = json(get(LAGGING + "/buckets", "tenant", tenant, "granularity", "day"));

        assertThat(answer.findValuesAsText("reason")).containsExactly("unavailable");
        assertThat(answer.at("/warnings/0/message").asText()).startsWith("the journal's lanes could not be read: ");
        assertThat(answer.get("complete").asBoolean()).isTrue();
    }

    private void writeLanes(long beat) {
        writeLane(0, beat, List.of(watermark(Granularity.DAY, 0), watermark(Granularity.HOUR, 3_600)));
        writeLane(1, beat, List.of(watermark(Granularity.DAY, 86_400), watermark(Granularity.HOUR, 0),
                watermark(Granularity.MONTH, 0), watermark(Granularity.FOREVER, 0)));
    }

    private Watermark watermark(Granularity granularity, long later) {
        return new Watermark(granularity.name(), 1, oldest.get(granularity).plusSeconds(later == 0 ? 0 : 1).toEpochMilli(),
                lagsFrom.get(granularity).getEpochSecond() + later);
    }

    private void writeLane(int lane, long beat, List<Watermark> watermarks) {
        Map<String, AttributeValue> item = new HashMap<>(laneKey(lane));
        item.put(TableSchema.LANE_EPOCH, AttributeValue.fromN("1"));
        item.put(TableSchema.LANE_BEAT, AttributeValue.fromN(Long.toString(beat)));
        item.put(TableSchema.LANE_HOLDER, AttributeValue.fromS("writer-" + lane));
        item.put(TableSchema.LANE_POSITION, AttributeValue.fromN("2"));
        item.put(TableSchema.LANE_APPLIED, AttributeValue.fromN("1"));
        item.put(TableSchema.LANE_WATERMARKS, AttributeValue.fromS(WatermarkCodec.encode(watermarks)));
        client.putItem(put -> put.tableName("windrow").item(item)).join();
    }

    private static Map<String, AttributeValue> laneKey(int lane) {
        return Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.lanePartitionKey(lane)), TableSchema.SK,
                AttributeValue.fromS(TableSchema.LANE_SK));
    }

    private Object[] parameters(String kind, RandomGenerator random) {
        List<Object> parameters = new ArrayList<>(List.of("explain", true, "tenant", tenant));
        List<String> label = List.of(any(ROADS, random), any(GATES, random)).subList(0, random.nextInt(3));
        if (!label.isEmpty()) {
            parameters.addAll(List.of("label", label));
        }
        if (kind.equals("compare") || random.nextInt(4) > 0) {
            Instant from = now.minusSeconds(random.nextLong(random.nextBoolean() ? 8 * 3_600L : 30 * 86_400L));
            Instant to = random.nextInt(3) == 0 ? now.plusSeconds(60)
                    : from.plusSeconds(random.nextLong(random.nextBoolean() ? 7_200 : 5 * 86_400L))
                            // A range without a whole minute has no answer.
                            .plusSeconds(120);
            parameters.addAll(List.of("from", from.toString(), "to", to.toString()));
        }
        switch (kind) {
            case "series" -> {
                parameters.addAll(List.of("granularity", any(List.of("hour", "day", "week", "month", "year"), random),
                        "tz", any(List.of("UTC", "Europe/Berlin", "Asia/Kolkata"), random)));
                parameters.addAll(any(List.of(List.of(), List.of("cumulative", true), List.of("order", "desc", "limit", 3),
                        List.of("fill", "previous", "to", now.plusSeconds(60).toString()),
                        List.of("group", "top", "by", "events", "groupBy", "road", "other", true, "n", 2)), random));
            }
            case "top" -> parameters.addAll(List.of("by", any(List.of("events", "fees", "dearest"), random)));
            case "busiest" -> parameters.addAll(List.of("by", "fees", "profile",
                    any(List.of("day-of-week", "hour-of-day", "hour-of-week"), random), "tz",
                    any(List.of("UTC", "Asia/Kolkata"), random)));
            default -> {
            }
        }
        return withoutSecondBound(parameters);
    }

    /** Keeps only the first of a parameter that is given twice. */
    private static Object[] withoutSecondBound(List<Object> parameters) {
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i += 2) {
            if (!kept.contains(parameters.get(i))) {
                kept.add(parameters.get(i));
                kept.add(parameters.get(i + 1));
            }
        }
        return kept.toArray();
    }

    private Object[] range(Instant from) {
        return new Object[] { "tenant", tenant, "explain", true, "from", from, "to", now.plusSeconds(60) };
    }

    private static Instant asOf(JsonNode answer) {
        return Instant.parse(answer.get("asOf").asText());
    }

    private static JsonNode result(Response response) {
        return jsonWithout(response, "asOf", "explain", "warnings");
    }
}
