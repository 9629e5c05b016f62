package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Rank;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import dev.windrow.table.TableSchema;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Top lists that an index has in their order; the model test compares generated ones. */
@QuarkusTest
class RankApiTest extends TableTest {

    @BeforeEach
    void write() {
        Instant noon = Instant.parse("2026-11-20T12:00:00Z");
        events("seeds", "scores").event(Label.of("Meteor Blasters", "101"), noon, "1000")
                .event(Label.of("Meteor Blasters", "102"), noon, "192")
                .event(Label.of("Meteor Blasters", "103"), noon, "5842").event(Label.of("Meteor Blasters", "103"), noon, "3")
                .event(Label.of("Comet Quest", "123"), noon, "0").event(Label.of("Comet Quest", "201"), noon, "0")
                .event(Label.of("Comet Quest", "301"), noon, "0").event(Label.of("Comet Quest", "400"), noon, "")
                .writeTo(client, TableSchema.TABLE);
        client.updateItem(update -> update.tableName(TableSchema.TABLE)
                .key(Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.DATASETS_PK), TableSchema.SK,
                        AttributeValue.fromS(TableSchema.DATASETS_SK)))
                .updateExpression("SET #ranks = :lines")
                .expressionAttributeNames(Map.of("#ranks", TableSchema.rankedAttribute("scores")))
                .expressionAttributeValues(Map.of(":lines",
                        AttributeValue.fromS(Rank.lines(datasets.named("scores").orElseThrow().ranks())))))
                .join();
    }

    @Test
    void theHighestScoresOfAGameComeFirst() {
        JsonPath top = top();

        assertThat(top.getString("explain.plan[0].source")).isEqualTo("rank");
        assertThat(top.getList("items.label")).isEqualTo(
                List.of(List.of("Meteor Blasters", "103"), List.of("Meteor Blasters", "101"),
                        List.of("Meteor Blasters", "102")));
        assertThat(top.getList("items.measures.best")).containsExactly(5_842, 1_000, 192);
        assertThat(top.getList("items.measures.plays")).containsExactly(2, 1, 1);
        assertThat(top.getList("items.measures.points")).containsExactly(5_845, 1_000, 192);
        assertThat(top.getBoolean("complete")).isTrue();
        assertThat(top.getString("asOf")).isNotNull();
        assertThat(top.getDouble("explain.readUnits")).isLessThanOrEqualTo(20);
    }

    @Test
    void aCursorIsOfItsQueryOnly() {
        String cursor = top("n", 1).getString("next");

        assertThat(ask("scores/top", "tenant", "seeds", "by", "best", "label", "Comet Quest", "cursor", cursor).jsonPath()
                .getString("type")).endsWith("invalid-cursor");
        assertThat(
                ask("scores/top", "tenant", "seeds", "by", "best", "from", "2026-11-20T00:00:00Z", "against", "day", "cursor",
                        cursor).jsonPath().getString("parameter"))
                .isEqualTo("cursor");
    }

    private static JsonPath top(Object... parameters) {
        List<Object> all = new ArrayList<>(List.of("tenant", "seeds", "by", "best", "label", "Meteor Blasters", "from",
                "2026-11-20T00:00:00Z", "to", "2026-11-21T00:00:00Z", "explain", "true"));
        all.addAll(List.of(parameters));
        return get("scores/top", all.toArray()).jsonPath();
    }
}
