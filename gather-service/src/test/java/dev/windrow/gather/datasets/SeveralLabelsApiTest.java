package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.datasets.Api.json;
import static dev.windrow.gather.testing.Draws.any;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.table.Label;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Queries about several labels at once, compared with sums over the events that were written. */
@QuarkusTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@QuarkusTestResource(EmbeddedTable.class)
class SeveralLabelsApiTest {

    private static final String TENANT = "several-labels";
    private static final String DATASET = "rides-without-rollups";
    private static final Instant FIRST = Instant.parse("2026-11-01T00:00:00Z");
    private static final int HOURS = 72;
    private static final int EVENTS = 300;
    private static final int QUERIES = GeneratedCases.count("windrow.model.questions", 8, 60);
    private static final int MAX_PAGES = 400;

    private static final List<String> CITIES = List.of("Bonn", "Bo", "a#b", "\"", "[");
    private static final List<String> LINES = List.of("1", "2");
    private static final List<String> DIRECTIONS = List.of("in", "out");

    private final List<Ride> rides = new ArrayList<>();

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    private record Ride(List<String> label, Instant time) {

        boolean isOfAny(List<List<String>> labels) {
            return labels.stream().anyMatch(values -> label.subList(0, values.size()).equals(values));
        }
    }

    @BeforeAll
    void writeEvents() {
        SplittableRandom random = new SplittableRandom(11);
        Aggregated written = new Aggregated(TENANT, datasets.named(DATASET).orElseThrow(), new SplittableRandom(1));
        for (int i = 0; i < EVENTS; i++) {
            Ride ride = new Ride(List.of(any(CITIES, random), any(LINES, random), any(DIRECTIONS, random)),
                    FIRST.plusSeconds(random.nextLong(Duration.ofHours(HOURS).toSeconds())));
            rides.add(ride);
            written.event(new Label(ride.label), ride.time, "1");
        }
        written.writeTo(client, "windrow");
    }

    @Test
    void generatedQueriesSumJustTheseLabels() {
        RandomGenerator random = Seeds.random("SeveralLabelsApiTest");
        for (int i = 0; i < QUERIES; i++) {
            boolean whole = random.nextBoolean();
            List<List<String>> labels = IntStream.range(0, random.nextInt(1, 5))
                    .mapToObj(n -> List.of(any(CITIES, random), any(LINES, random), any(DIRECTIONS, random))
                            .subList(0, whole ? 3 : random.nextInt(1, 4)))
                    .toList();
            List<Ride> expected = rides.stream().filter(ride -> ride.isOfAny(labels)).toList();

            assertThat(totals(labels)).as("totals of %s", labels).isEqualTo(expected.size());
            assertThat(series(labels)).as("series of %s", labels).isEqualTo(perHour(expected));
            boolean descending = random.nextBoolean();
            assertThat(walked(labels, descending, random.nextInt(1, 40))).as("buckets of %s, descending %s", labels, descending)
                    .isEqualTo(buckets(expected, descending));
            assertThat(citiesByEvents(labels)).as("top of %s", labels).isEqualTo(perCity(expected));
        }
    }

    @Test
    void wholeLabelsAreReadFromTheTableAndConsistently() {
        JsonPath totals = get(DATASET + "/totals", "tenant", TENANT, "consistent", true, "explain", true, "labels",
                List.of("[\"Bonn\",\"1\",\"in\"]", "[\"Bo\",2,\"out\"]")).jsonPath();

        assertThat(totals.getString("explain.plan[0].source")).isEqualTo("table");
        assertThat(totals.getInt("explain.plan[0].shards")).as("two labels of two key shards").isEqualTo(4);
        assertThat(totals.getLong("measures.events")).isEqualTo(rides.stream()
                .filter(ride -> ride.isOfAny(List.of(List.of("Bonn", "1", "in"), List.of("Bo", "2", "out")))).count());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
            "a                  | labels: expected a JSON array of a label's first values",
            "[]                 | labels: expected a JSON array of a label's first values",
            "[null]             | labels: expected a JSON array of a label's first values",
            "[[\"a\"]]          | labels: expected a JSON array of a label's first values",
            "[\"a\"] x          | labels: expected a JSON array of a label's first values",
            "[1,2,3,4]          | labels: expected at most 3 values for each label (city, line, direction), found 4" })
    void aLabelThatIsNoneIsAProblem(String labels, String detail) {
        Response response = ask(DATASET + "/totals", "labels", labels);

        assertThat(response.statusCode()).as(response.asString()).isEqualTo(400);
        assertThat(response.jsonPath().getString("parameter")).isEqualTo("labels");
        assertThat(response.jsonPath().getString("detail")).contains(detail);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
            "{\"labels\":\"[\\\"https://a.example/\\\"]\"} | labels | invalid-parameter",
            "{\"labels\":\"a#b\"}                        | labels | invalid-parameter",
            "{\"labels\":\"abc\"}                        | labels | invalid-parameter",
            "{\"labels\":{\"a\":[\"b\"]}}                  | labels | invalid-parameter",
            "{\"labels\":[]}                           | labels | invalid-parameter",
            "{\"from\":[]}                             | from   | wrong-field-type" })
    void aBodyWithoutLabelsOrValuesIsAProblem(String body, String parameter, String reason) {
        Response response = given().contentType(ContentType.JSON).body(body)
                .post("/api/v1/datasets/" + DATASET + "/totals");

        assertThat(response.statusCode()).as(response.asString()).isEqualTo(400);
        assertThat(response.jsonPath().getString("parameter")).isEqualTo(parameter);
        assertThat(response.jsonPath().getString("type")).endsWith("/" + reason);
    }

    @Test
    void tooManyLabelsAndLabelsBesideALabelAreProblems() {
        List<String> many = IntStream.range(0, 101).mapToObj(i -> "[\"" + i + "\"]").toList();

        assertThat(ask(DATASET + "/totals", "labels", many).jsonPath().getString("detail"))
                .contains("labels: expected at most 100 labels, found 101");
        assertThat(ask(DATASET + "/totals", "labels", "[1]", "label", "a").jsonPath().getString("detail"))
                .contains("labels: expected either labels, or label and prefix");
    }

    private static long totals(List<List<String>> labels) {
        Response response = given().contentType(ContentType.JSON).body(Map.of("tenant", TENANT, "labels", labels))
                .post("/api/v1/datasets/" + DATASET + "/totals");
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        return json(response).at("/measures/events").asLong();
    }

    private static Map<String, Long> series(List<List<String>> labels) {
        Map<String, Long> events = new TreeMap<>();
        json(get(DATASET + "/series", "tenant", TENANT, "granularity", "hour", "labels", texts(labels))).get("items")
                .forEach(item -> events.put(item.get("start").asText(), item.at("/measures/events").asLong()));
        return events;
    }

    /** All buckets, page by page, as text. */
    private static List<String> walked(List<List<String>> labels, boolean descending, int limit) {
        List<String> buckets = new ArrayList<>();
        List<Object> query = new ArrayList<>(List.of("tenant", TENANT, "granularity", "hour", "labels", texts(labels), "order",
                descending ? "desc" : "asc", "limit", limit));
        String next = null;
        for (int pages = 0; pages == 0 || (next != null && pages < MAX_PAGES); pages++) {
            List<Object> page = new ArrayList<>(query);
            if (next != null) {
                page.addAll(List.of("cursor", next));
            }
            JsonNode answer = json(get(DATASET + "/buckets", page.toArray()));
            answer.get("items").forEach(item -> buckets.add(item.get("start").asText() + " "
                    + Api.texts(item.get("label")) + " " + item.at("/measures/events").asLong()));
            next = Api.next(answer).orElse(null);
        }
        return buckets;
    }

    private static Map<String, Long> citiesByEvents(List<List<String>> labels) {
        Map<String, Long> events = new TreeMap<>();
        json(get(DATASET + "/top", "tenant", TENANT, "by", "events", "groupBy", "city", "labels", texts(labels))).get("items")
                .forEach(item -> events.put(item.at("/label/0").asText(), item.at("/measures/events").asLong()));
        return events;
    }

    private static Map<String, Long> perHour(List<Ride> rides) {
        return rides.stream()
                .collect(Collectors.groupingBy(ride -> hour(ride).toString(), TreeMap::new, Collectors.counting()));
    }

    private static Map<String, Long> perCity(List<Ride> rides) {
        return rides.stream().collect(Collectors.groupingBy(ride -> ride.label.get(0), TreeMap::new, Collectors.counting()));
    }

    /** In the order of their places: ASCII labels, so that the order of characters is that of bytes. */
    private static List<String> buckets(List<Ride> rides, boolean descending) {
        Map<String, List<Ride>> byPlace = rides.stream().collect(Collectors.groupingBy(ride -> {
            List<String> place = new ArrayList<>(List.of(hour(ride).toString()));
            place.addAll(ride.label);
            return KeyCodec.encode(place);
        }));
        Comparator<String> order = descending ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return byPlace.entrySet().stream().sorted(Map.Entry.comparingByKey(order)).map(place -> {
            Ride ride = place.getValue().get(0);
            return hour(ride) + " " + ride.label + " " + place.getValue().size();
        }).toList();
    }

    private static Instant hour(Ride ride) {
        return ride.time.truncatedTo(ChronoUnit.HOURS);
    }

    private static List<String> texts(List<List<String>> labels) {
        return labels.stream().map(label -> label.stream().map(value -> '"' + value.replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "[", "]"))).toList();
    }
}
