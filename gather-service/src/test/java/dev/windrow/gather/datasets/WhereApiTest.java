package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.problem;
import static dev.windrow.gather.datasets.Api.with;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.gather.testing.ComparedDatasets;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;

/**
 * Conditions on any attribute of the label, groups by any of them, and several labels at once; the model test compares the
 * answers.
 */
@QuarkusTest
class WhereApiTest extends TableTest {

    private static final String TENANT = "where";

    @BeforeEach
    void write() {
        ComparedDatasets rides = new ComparedDatasets(TENANT, datasets, List.of("rides", "rides-by-city", "all-rides"));
        for (String city : List.of("Berlin", "Bern", "Rome")) {
            for (String line : List.of("U1", "U2", "a:b#c")) {
                for (String direction : List.of("in", "out")) {
                    List<String> label = List.of(city, line, direction);
                    rides.event((dataset, events) -> events.event(new Label(label.subList(0, dataset.label().size())),
                            Instant.parse("2026-11-20T10:00:00Z"), Integer.toString(city.length())));
                }
            }
        }
        rides.writeTo(client, "windrow");
    }

    @Test
    void conditionsOnSeveralAttributesHoldTogetherAndValuesOfOneAreAlternatives() {
        JsonNode answer = get("rides/top", "by", "events", "where", List.of("line:U1", "direction:in", "line:a:b#c"), "explain",
                "true");

        assertThat(answer.at("/explain/dataset").asText()).isEqualTo("rides");
        assertThat(answer.at("/explain/items").asLong() - answer.at("/explain/dropped").asLong()).isEqualTo(6);
        assertThat(answer.at("/explain/dropped").asLong()).isEqualTo(12);
    }

    @Test
    void valuesOfTheFirstAttributesAreReadLikeLabels() {
        JsonNode one = get("rides/totals", "where", List.of("city:Rome", "line:U1", "direction:in"), "explain", "true");
        JsonNode two = get("rides/totals", "where", List.of("city:Rome", "city:Bern"), "prefix", "B", "explain", "true");

        assertThat(one.at("/label")).extracting(JsonNode::asText).containsExactly("Rome", "U1", "in");
        assertThat(one.at("/explain/plan/0/source").asText()).isEqualTo("table");
        assertThat(one.at("/explain/dropped").asInt()).isZero();
        assertThat(two.at("/label")).extracting(JsonNode::asText).containsExactly("Bern");
        assertThat(two.at("/explain/dataset").asText()).as("a roll-up has the attribute").isEqualTo("rides-by-city");
    }

    @Test
    void groupsAreByAnyAttributesInAnyOrder() {
        assertThat(csv("rides/top", "by", "events", "groupBy", "line")).containsExactly(
                "city,line,direction,events,fares,dearest", ",U1,,6,28,6",
                ",U2,,6,28,6", ",a:b#c,,6,28,6");
        assertThat(csv("rides/series", "granularity", "hour", "group", "top", "by", "events", "groupBy", "direction", "other",
                "true", "n", "1", "label", "Rome")).containsExactly(
                        "city,line,direction,other,granularity,start,events,fares,dearest",
                        ",,in,false,hour,2026-11-20T10:00:00Z,3,12,4", "Rome,,,true,hour,2026-11-20T10:00:00Z,3,12,4");
        assertThat(get("rides/top", "by", "events", "groupBy", "city", "where", "city:Bern", "explain", "true")
                .at("/explain/dataset").asText()).isEqualTo("rides-by-city");
    }

    @Test
    void aCursorBelongsToItsConditions() {
        String first = get("rides/buckets", "granularity", "hour", "limit", "2", "where", "direction:out").at("/next").asText();

        problem(ask("rides/buckets", "tenant", TENANT, "granularity", "hour", "limit", "2", "where", "direction:in", "cursor",
                first), 400, "invalid-cursor");
    }

    @Test
    void aBodyHasThemAsAnObject() {
        Map<String, Object> body = Map.of("tenant", TENANT, "where", Map.of("city", List.of("Rome", "Bern"), "line", "U1"));

        assertThat(given().contentType("application/json").body(body).post("/api/v1/datasets/rides/totals").jsonPath()
                .getInt("measures.events")).isEqualTo(4);
        assertThat(given().contentType("application/json").body(Map.of("where", "city:Rome"))
                .post("/api/v1/datasets/rides/totals").jsonPath().getString("detail")).contains("expected an object");
        assertThat(given().contentType("application/json").body("{\"where\":{\"labels\":\"bug\"}}")
                .post("/api/v1/datasets/rides/totals").jsonPath().getString("detail"))
                .contains("is not an attribute of the label");
        for (String nothing : List.of("null", "[]", "{}", "[[]]")) {
            assertThat(given().contentType("application/json").body("{\"where\":{\"city\":" + nothing + "}}")
                    .post("/api/v1/datasets/rides/totals").statusCode()).as(nothing).isEqualTo(400);
        }
    }

    @Test
    void wholeLabelsAreReadFromTheTableAndConsistently() {
        JsonNode totals = get("rides/totals", "consistent", true, "explain", true, "labels",
                List.of("[\"Bern\",\"U1\",\"in\"]", "[\"Rome\",\"U2\",\"out\"]"));

        assertThat(totals.at("/explain/plan/0/source").asText()).isEqualTo("table");
        assertThat(totals.at("/explain/plan/0/shards").asInt()).as("two labels of two key shards").isEqualTo(4);
        assertThat(totals.at("/measures/events").asInt()).isEqualTo(2);
    }

    @Test
    void thereMayBeAHundredLabels() {
        List<String> many = IntStream.range(0, 101).mapToObj(i -> "[" + i + "]").toList();

        get("rides/totals", "labels", many.subList(1, 101));
        assertThat(problem(ask("rides/totals", "labels", many), 400, "invalid-parameter").getString("detail"))
                .contains("labels: expected at most 100 labels, found 101");
    }

    private static JsonNode get(String path, Object... parameters) {
        return Api.json(Api.get(path, with(parameters, "tenant", TENANT)));
    }

    private static List<String> csv(String path, Object... parameters) {
        return Api.get(path, with(parameters, "tenant", TENANT, "format", "csv")).asString().lines().toList();
    }
}
