package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.datasets.Api.problem;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetShape;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import dev.windrow.table.TableSchema;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A table that was written with another declaration of a dataset than the gatherer has. */
@QuarkusTest
class OtherShapeApiTest extends TableTest {

    private static final String RANGE = "from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z";
    private static final Map<String, AttributeValue> REGISTRY = Map.of(TableSchema.PK,
            AttributeValue.fromS(TableSchema.DATASETS_PK), TableSchema.SK, AttributeValue.fromS(TableSchema.DATASETS_SK));

    @AfterEach
    void forget() {
        client.updateItem(update -> update.tableName(TableSchema.TABLE).key(REGISTRY).updateExpression("REMOVE #shape")
                .expressionAttributeNames(Map.of("#shape", TableSchema.datasetAttribute("stock")))).join();
    }

    @ParameterizedTest
    @ValueSource(strings = { "buckets?granularity=hour&", "buckets?granularity=hour&format=csv&",
            "buckets?granularity=hour&format=ndjson&", "totals?", "totals?partial=true&", "totals?label=player&",
            "busiest?granularity=hour&", "series?granularity=hour&", "series?granularity=hour&group=top&", "top?",
            "top?format=csv&", "position?label=player&", "compare?" })
    void noQueryOfADatasetThatWasWrittenOtherwiseIsAnswered(String query) {
        // Given
        write(other("[game, item]", ""), Label.of("chess", "player"));

        // When
        Response response = given().urlEncodingEnabled(false)
                .get("/api/v1/datasets/stock/" + query + RANGE + "&tenant=other-label");

        // Then
        assertMismatch(response, "label: expected 'item', found 'game#item'");
    }

    @Test
    void keysThatWouldNotBeFoundAreNoSmallerAnswer() {
        write(other("[item]", "key-shards: 3"), Label.of("chess"));

        Response response = ask("stock/totals", "tenant", "other-keys");

        assertMismatch(response, "key-shards: expected '1', found '3'");
    }

    @Test
    @Tag("prometheus")
    void prometheusAndLiveStreamsSayIt() {
        write(other("[game, item]", ""), Label.of("chess", "player"));

        Response prometheus = given().queryParam("query", "increase(windrow_stock_sold[1h])")
                .queryParam("tenant", "other-label")
                .queryParam("time", "2026-11-20T11:00:00Z").get("/api/v1/prometheus/api/v1/query");

        assertThat(prometheus.statusCode()).as(prometheus.asString()).isEqualTo(422);
        assertThat(prometheus.jsonPath().getString("error")).contains("label: expected 'item'");
        assertThat(LiveApiTest.first("stock/live?granularity=hour&tenant=other-label", "data:"))
                .contains("\"reason\":\"schema-mismatch\"", "label: expected 'item'");
    }

    @Test
    void otherDatasetsAndReadinessAreNotAffected() {
        write(other("[game, item]", ""), Label.of("chess", "player"));

        get("clicks/totals", "tenant", "other-label");
        assertThat(ManagementPort.isReady()).isTrue();
    }

    @Test
    void aDatasetThatIsNotRegisteredYetAndOneWithOtherMeasuresAreAnswered() {
        get("stock/totals", "tenant", "other-measures");
        register(DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    stock: {event-type: sold, label: [item], granularities: [minute], measures: {events: {type: count}}}
                """).all().get(0));

        get("stock/totals", "tenant", "other-measures");
    }

    @ParameterizedTest
    @ValueSource(strings = { "buckets?granularity=hour&", "buckets?granularity=hour&format=csv&", "totals?partial=true&",
            "series?granularity=hour&", "top?", "busiest?granularity=hour&", "top?format=csv&" })
    void aKeyOfAnotherShapeIsAnErrorAndNoRow(String query) {
        // Given items of a dataset that is not registered
        put(other("[game, item]", ""), Label.of("chess", "player"));

        // When
        Response response = given().urlEncodingEnabled(false)
                .get("/api/v1/datasets/stock/" + query + RANGE + "&tenant=other-label");

        // Then
        assertMismatch(response, "a key with 2 label values where dataset stock declares 1");
    }

    private static void assertMismatch(Response response, String detail) {
        assertThat(problem(response, 502, "schema-mismatch").getString("detail")).contains(detail);
    }

    private static Dataset other(String label, String more) {
        return DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    stock:
                      event-type: sale
                      label: %s
                      granularities: [hour]
                      index: [hour]
                      measures:
                        sold: {type: sum, attribute: pieces, floor: 0}
                      %s
                """.formatted(label, more)).all().get(0);
    }

    private void write(Dataset dataset, Label label) {
        register(dataset);
        put(dataset, label);
    }

    private void put(Dataset dataset, Label label) {
        for (String tenant : List.of("other-label", "other-keys")) {
            new Aggregated(tenant, dataset, new SplittableRandom(1)).event(label, Instant.parse("2026-11-20T10:05:00Z"), "3")
                    .writeTo(client, TableSchema.TABLE);
        }
    }

    private void register(Dataset dataset) {
        client.updateItem(update -> update.tableName(TableSchema.TABLE).key(REGISTRY).updateExpression("SET #shape = :shape")
                .expressionAttributeNames(Map.of("#shape", TableSchema.datasetAttribute(dataset.name())))
                .expressionAttributeValues(Map.of(":shape", AttributeValue.fromS(DatasetShape.of(dataset, List.of()).text()))))
                .join();
    }
}
