package dev.windrow.gather.datasets;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.gather.testing.ComparedDatasets;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Conditions on any attribute of the label, and groups by any of them; the model test compares the answers. */
@QuarkusTest
class WhereApiTest extends TableTest {

    private static final String TENANT = "where";

    @BeforeEach
    void write() {
        ComparedDatasets rides = new ComparedDatasets(TENANT, datasets,
                List.of("rides", "rides-by-city", "all-rides"));
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
        Response csv = ask("rides/top", "by", "events", "groupBy", "line", "format", "csv");

        assertThat(csv.asString().lines().toList()).containsExactly("city,line,direction,events,fares,dearest", ",U1,,6,28,6",
                ",U2,,6,28,6", ",a:b#c,,6,28,6");
        assertThat(ask("rides/series", "granularity", "hour", "group", "top", "by", "events", "groupBy", "direction", "other",
                "true", "n", "1", "label", "Rome", "format", "csv").asString().lines().toList()).containsExactly(
                        "city,line,direction,other,granularity,start,events,fares,dearest",
                        ",,in,false,hour,2026-11-20T10:00:00Z,3,12,4", "Rome,,,true,hour,2026-11-20T10:00:00Z,3,12,4");
        assertThat(get("rides/top", "by", "events", "groupBy", "city", "where", "city:Bern", "explain", "true")
                .at("/explain/dataset").asText()).isEqualTo("rides-by-city");
    }

    @Test
    void aCursorBelongsToItsConditions() {
        String first = get("rides/buckets", "granularity", "hour", "limit", "2", "where", "direction:out").at("/next").asText();

        assertThat(Api.json(ask("rides/buckets", "granularity", "hour", "limit", "2", "where", "direction:in", "cursor", first))
                .at("/type").asText()).endsWith("invalid-cursor");
    }

    @Test
    void aBodyHasThemAsAnObject() {
        Map<String, Object> body = Map.of("tenant", TENANT, "where", Map.of("city", List.of("Rome", "Bern"), "line", "U1"));

        assertThat(given().contentType("application/json").body(body).post("/api/v1/datasets/rides/totals").jsonPath()
                .getInt("measures.events")).isEqualTo(4);
        assertThat(given().contentType("application/json").body(Map.of("where", "city:Rome"))
                .post("/api/v1/datasets/rides/totals").jsonPath().getString("detail")).contains("expected an object");
        for (String nothing : List.of("null", "[]", "{}", "[[]]")) {
            assertThat(given().contentType("application/json").body("{\"where\":{\"city\":" + nothing + "}}")
                    .post("/api/v1/datasets/rides/totals").statusCode()).as(nothing).isEqualTo(400);
        }
    }

    private static JsonNode get(String path, Object... parameters) {
        Response answer = ask(path, parameters);
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        return Api.json(answer);
    }

    private static Response ask(String path, Object... parameters) {
        List<Object> all = new ArrayList<>(List.of(parameters));
        all.addAll(List.of("tenant", TENANT));
        return Api.ask(path, all.toArray());
    }
}
