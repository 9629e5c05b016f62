package dev.windrow.gather.datasets;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.table.Label;
import dev.windrow.table.TableSchema;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Ratios of measures: computed last, from what the answer shows. */
@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class RatiosApiTest {

    private static final String THIRD = "0.3333333333333333333333333333333333";

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @BeforeEach
    void write() {
        Aggregated matches = new Aggregated("default", datasets.named("matches").orElseThrow(), new SplittableRandom(1));
        play(matches, "ann", 10, Map.of("won", "1", "lost", "2", "minutes", "30"));
        play(matches, "ann", 11, Map.of("won", "2", "lost", "1", "minutes", "15"));
        play(matches, "bob", 10, Map.of("won", "2", "lost", "2"));
        play(matches, "cid", 10, Map.of("won", "9", "minutes", "5"));
        play(matches, "dora", 10, Map.of("won", "1", "lost", "3"));
        play(matches, "eve", 11, Map.of("lost", "4"));
        matches.writeTo(client, "windrow");
        client.updateItem(update -> update.tableName(TableSchema.TABLE)
                .key(Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.DATASETS_PK), TableSchema.SK,
                        AttributeValue.fromS(TableSchema.DATASETS_SK)))
                .updateExpression("SET #ranks = :lines")
                .expressionAttributeNames(Map.of("#ranks", TableSchema.rankedAttribute("matches")))
                .expressionAttributeValues(Map.of(":lines",
                        AttributeValue.fromS(Rank.lines(datasets.named("matches").orElseThrow().ranks())))))
                .join();
    }

    private static void play(Aggregated matches, String player, int hour, Map<String, String> numbers) {
        matches.event(Label.of("chess", player), Instant.parse("2026-11-20T" + hour + ":00:00Z"), numbers);
    }

    @Test
    void theHighestRatioIsOneRequestEqualsAreInLabelOrderAndWhoNeverLostHasNone() {
        JsonNode answer = get("top", "label", "chess", "by", "win-ratio", "explain", "true");

        assertThat(answer.at("/items").findValuesAsText("label")).hasSize(4);
        assertThat(players(answer)).containsExactly("ann", "bob", "dora", "eve");
        assertThat(answer.at("/items").findValuesAsText("win-ratio")).containsExactly("1", "1", THIRD, "0");
        assertThat(answer.at("/items/3/measures").has("wins")).as("eve never won").isFalse();
        assertThat(players(get("top", "label", "chess", "by", "win-ratio", "least", "matches:2"))).containsExactly("ann");
        assertThat(players(get("top", "label", "chess", "by", "wins", "least", "win-ratio:1"))).containsExactly("ann", "bob");
        assertThat(get("top", "by", "win-ratio", "groupBy", "game").at("/items/0/measures/win-ratio").decimalValue())
                .isEqualByComparingTo("1.25");
    }

    /** The example of DynamoDB's guide to secondary indexes, which asks for it. */
    @Test
    void theHighestRatioOfWinsToLossesOfAGame() {
        // Given
        Aggregated scores = new Aggregated("game-scores", datasets.named("matches").orElseThrow(), new SplittableRandom(1));
        Map.of("101 Galaxy Invaders", "21 72", "101 Meteor Blasters", "12 3", "101 Starship X", "4 9", "102 Alien Adventure",
                "32 192", "102 Galaxy Invaders", "0 5", "103 Attack Ships", "1 8", "103 Galaxy Invaders", "40 3",
                "103 Meteor Blasters", "22 12", "103 Starship X", "4 19").forEach((player, numbers) -> {
                    String[] label = player.split(" ", 2);
                    String[] wonAndLost = numbers.split(" ", 2);
                    scores.event(Label.of(label[1], label[0]), Instant.parse("2015-10-24T00:00:00Z"),
                            Map.of("won", wonAndLost[0], "lost", wonAndLost[1]));
                });
        scores.writeTo(client, "windrow");

        // When
        JsonNode inGame = get("top", "tenant", "game-scores", "label", "Galaxy Invaders", "by", "win-ratio");
        JsonNode inAll = get("top", "tenant", "game-scores", "by", "win-ratio", "n", "1");

        // Then
        assertThat(players(inGame)).containsExactly("103", "101", "102");
        assertThat(inGame.at("/items/0/measures/win-ratio").asText()).isEqualTo("13.33333333333333333333333333333333");
        assertThat(inAll.at("/items/0/label").toString()).isEqualTo("[\"Galaxy Invaders\",\"103\"]");
    }

    @Test
    void aListByRatioHasPages() {
        JsonNode first = get("top", "label", "chess", "by", "win-ratio", "n", "2");
        JsonNode second = get("top", "label", "chess", "by", "win-ratio", "n", "2", "cursor", first.at("/next").asText());

        assertThat(players(first)).containsExactly("ann", "bob");
        assertThat(players(second)).containsExactly("dora", "eve");
    }

    @Test
    void aPageOfALeaderboardHasThemToo() {
        JsonNode answer = get("top", "label", "chess", "by", "wins", "from", "2026-11-20T00:00:00Z", "to",
                "2026-11-21T00:00:00Z", "explain", "true");

        assertThat(answer.at("/explain/plan/0/source").asText()).isEqualTo("rank");
        assertThat(players(answer)).containsExactly("cid", "ann", "bob", "dora");
        assertThat(answer.at("/items").findValuesAsText("win-ratio")).containsExactly("1", "1", THIRD);
    }

    @Test
    void positionBusiestTotalsAndComparisonsHaveThem() {
        JsonNode position = get("position", "label", "chess", "label", "dora", "by", "win-ratio");
        assertThat(position.at("/place").asInt()).isEqualTo(3);
        assertThat(position.at("/value").asText()).isEqualTo(THIRD);
        assertThat(get("position", "label", "chess", "label", "cid", "by", "win-ratio").at("/place").isNull()).isTrue();

        JsonNode busiest = get("busiest", "by", "win-ratio", "granularity", "hour");
        assertThat(busiest.at("/items").findValuesAsText("start")).containsExactly("2026-11-20T10:00:00Z",
                "2026-11-20T11:00:00Z");
        assertThat(busiest.at("/items").findValuesAsText("win-ratio")).containsExactly("1.857142857142857142857142857142857",
                "0.4");

        assertThat(get("totals", "label", "chess", "label", "ann").at("/measures/average-minutes").decimalValue())
                .isEqualByComparingTo("22.5");
        assertThat(get("totals", "label", "chess", "label", "cid").at("/measures/win-ratio").isNull()).isTrue();

        JsonNode change = get("compare", "from", "2026-11-20T11:00:00Z", "to", "2026-11-20T12:00:00Z").at("/change");
        assertThat(change.at("/average-minutes/absolute").decimalValue()).isEqualByComparingTo("-2.5");
    }

    @Test
    void aRunningRatioIsThatOfRunningSumsAndARateLeavesItAlone() {
        JsonNode plain = get("series", "granularity", "hour", "label", "chess", "label", "ann");
        assertThat(plain.at("/items").findValuesAsText("win-ratio")).containsExactly("0.5", "2");

        JsonNode running = get("series", "granularity", "hour", "label", "chess", "label", "ann", "cumulative", "true");
        assertThat(running.at("/items").findValuesAsText("win-ratio")).containsExactly("0.5", "1");

        JsonNode rated = get("series", "granularity", "hour", "label", "chess", "label", "dora", "rate", "second");
        assertThat(rated.at("/items").findValuesAsText("win-ratio")).as("without the rounding of rates").containsExactly(THIRD);

        JsonNode filled = get("series", "granularity", "hour", "label", "chess", "label", "bob", "fill", "zero", "from",
                "2026-11-20T10:00:00Z", "to", "2026-11-20T12:00:00Z");
        assertThat(filled.at("/items/1/measures/win-ratio").isNull()).isTrue();
    }

    @Test
    void listsAndTablesShowThemWhereTheyAreDeclared() {
        assertThat(get("buckets", "label", "chess", "label", "dora", "granularity", "day").at("/items/0/measures").toString())
                .isEqualTo("{\"matches\":1,\"win-ratio\":" + THIRD + ",\"wins\":1,\"losses\":3}");
        assertThat(Api.ask("matches/buckets", "granularity", "day", "format", "csv").asString().lines().toList()).startsWith(
                "game,player,granularity,start,matches,win-ratio,wins,losses,timed,minutes,average-minutes",
                "chess,ann,day,2026-11-20T00:00:00Z,2,1,3,3,2,45,22.5");
        JsonNode declared = Api.json(Api.ask("")).at("/items").findParents("label").stream()
                .filter(dataset -> dataset.at("/name").asText().equals("matches")).findFirst().orElseThrow();
        assertThat(declared.at("/measures/win-ratio").toString())
                .isEqualTo("{\"type\":\"ratio\",\"of\":\"wins\",\"to\":\"losses\"}");
        assertThat(declared.at("/title").asText() + ": " + declared.at("/description").asText())
                .isEqualTo("Matches: Who won and lost.");
        assertThat(declared.at("/measures/minutes").toString()).isEqualTo("{\"type\":\"sum\",\"attribute\":\"minutes\","
                + "\"title\":\"Time played\",\"description\":\"Time of all matches.\",\"unit\":\"seconds\"}");
        assertThat(given().get("/api/v1/prometheus/api/v1/metadata?metric=windrow_matches_minutes").jsonPath()
                .getMap("data.windrow_matches_minutes[0]"))
                .isEqualTo(Map.of("type", "counter", "help", "Time of all matches.", "unit", "seconds"));
    }

    private static List<String> players(JsonNode answer) {
        return answer.at("/items").findValues("label").stream().map(label -> label.get(label.size() - 1).asText()).toList();
    }

    private static JsonNode get(String question, Object... parameters) {
        return Api.json(Api.ask("matches/" + question, parameters));
    }
}
