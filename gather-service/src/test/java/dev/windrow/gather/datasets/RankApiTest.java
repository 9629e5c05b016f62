package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Rank;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import dev.windrow.table.TableSchema;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.path.json.config.JsonPathConfig;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Top lists that an index has in their order; the model test compares generated ones. */
@QuarkusTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RankApiTest extends TableTest {

    private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");
    private static final Instant NOON = DAY.plus(Duration.ofHours(12));

    private static final JsonPathConfig BIG_DECIMALS = JsonPathConfig.jsonPathConfig()
            .numberReturnType(JsonPathConfig.NumberReturnType.BIG_DECIMAL);

    @BeforeAll
    void write() {
        Dataset dataset = dataset();
        seeds(new Aggregated("seeds", dataset, new SplittableRandom(1))).writeTo(client, TableSchema.TABLE);
        seeds(new Aggregated("late", dataset, new SplittableRandom(1)).withoutRanks()).writeTo(client, TableSchema.TABLE);
        Dataset ofGame = datasets.named("scores-of-game").orElseThrow();
        hourly(new Aggregated("hourly", ofGame, new SplittableRandom(1))).writeTo(client, TableSchema.TABLE);
        complete("scores-of-game", Rank.lines(ofGame.ranks()));
        complete(Rank.lines(dataset.ranks()));
    }

    private Dataset dataset() {
        return datasets.named("scores").orElseThrow();
    }

    private static Aggregated seeds(Aggregated events) {
        return events.event(Label.of("Meteor Blasters", "101"), NOON, "1000")
                .event(Label.of("Meteor Blasters", "102"), NOON, "192")
                .event(Label.of("Meteor Blasters", "103"), NOON, "5842").event(Label.of("Meteor Blasters", "103"), NOON, "3")
                .event(Label.of("Comet Quest", "123"), NOON, "0").event(Label.of("Comet Quest", "201"), NOON, "0")
                .event(Label.of("Comet Quest", "301"), NOON, "0").event(Label.of("Comet Quest", "400"), NOON, "");
    }

    /** One label an hour, each above the one before, for three days. */
    private static Aggregated hourly(Aggregated written) {
        for (int hour = 0; hour < 72; hour++) {
            written.event(Label.of("chess", "user" + (100 + hour)), DAY.plus(Duration.ofHours(hour)), Integer.toString(hour));
        }
        return written;
    }

    private void complete(String lines) {
        complete("scores", lines);
    }

    private void complete(String dataset, String lines) {
        client.updateItem(update -> update.tableName(TableSchema.TABLE)
                .key(Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.DATASETS_PK), TableSchema.SK,
                        AttributeValue.fromS(TableSchema.DATASETS_SK)))
                .updateExpression("SET #ranks = :lines")
                .expressionAttributeNames(Map.of("#ranks", TableSchema.rankedAttribute(dataset)))
                .expressionAttributeValues(Map.of(":lines", AttributeValue.fromS(lines)))).join();
    }

    @Test
    void theHighestScoresOfAGameComeFirst() {
        JsonPath top = top("seeds", "by", "best", "label", "Meteor Blasters");

        assertThat(source(top)).isEqualTo("rank");
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
        String cursor = top("seeds", "by", "best", "label", "Meteor Blasters", "n", 1).getString("next");

        assertThat(ask("scores/top", "tenant", "seeds", "by", "best", "label", "Comet Quest", "cursor", cursor).jsonPath()
                .getString("type")).endsWith("invalid-cursor");
        assertThat(
                ask("scores/top", "tenant", "seeds", "by", "best", "from", "2026-11-20T00:00:00Z", "against", "day", "cursor",
                        cursor).jsonPath().getString("parameter"))
                .isEqualTo("cursor");
    }

    private static Object[] with(Object[] query, Object... more) {
        Map<Object, Object> all = new HashMap<>();
        for (Object[] part : List.of(query, more)) {
            for (int i = 0; i < part.length; i += 2) {
                all.put(part[i], part[i + 1]);
            }
        }
        return all.entrySet().stream().flatMap(entry -> List.of(entry.getKey(), entry.getValue()).stream()).toArray();
    }

    private static JsonPath top(String tenant, Object... query) {
        return json(tenant,
                with(query, "from", DAY.toString(), "to", DAY.plus(1, ChronoUnit.DAYS).toString(), "explain", "true"));
    }

    private static JsonPath json(String tenant, Object... query) {
        return get("scores/top", with(query, "tenant", tenant)).jsonPath(BIG_DECIMALS);
    }

    private static String source(JsonPath page) {
        return page.getString("explain.plan[0].source");
    }
}
