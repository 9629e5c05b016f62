package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Queries about several labels at once; the model test compares their answers. */
@QuarkusTest
class SeveralLabelsApiTest extends TableTest {

    private static final String TENANT = "several-labels";
    private static final String DATASET = "rides-without-rollups";

    @Test
    void wholeLabelsAreReadFromTheTableAndConsistently() {
        // Given
        Aggregated rides = events(TENANT, DATASET);
        for (String ride : List.of("Bonn 1 in", "Bonn 1 in", "Bonn 1 out", "Bo 2 out", "Bo 1 in")) {
            rides.event(Label.of(ride.split(" ", -1)), Instant.parse("2026-11-01T00:00:00Z"), "1");
        }
        rides.writeTo(client, "windrow");

        // When
        JsonPath totals = get(DATASET + "/totals", "tenant", TENANT, "consistent", true, "explain", true, "labels",
                List.of("[\"Bonn\",\"1\",\"in\"]", "[\"Bo\",2,\"out\"]")).jsonPath();

        // Then
        assertThat(totals.getString("explain.plan[0].source")).isEqualTo("table");
        assertThat(totals.getInt("explain.plan[0].shards")).as("two labels of two key shards").isEqualTo(4);
        assertThat(totals.getLong("measures.events")).isEqualTo(3);
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
}
