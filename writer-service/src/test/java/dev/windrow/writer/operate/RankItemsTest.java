package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Rank;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.RankKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;
import dev.windrow.writer.operate.RankCommand.RankRegistration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class RankItemsTest extends SweptTable {

    private static final String BEFORE = """
            windrow:
              datasets:
                scores:
                  event-type: score
                  label: [game, user]
                  granularities: [minute, forever]
                  index: [minute, forever]
                  measures:
                    best: {type: max, attribute: score}
                clicks: {event-type: click, label: [page], granularities: [day], measures: {clicks: {type: count}}}
            """;
    private static final String RANKED = BEFORE.replace("score}\n",
            "score}\n      rank: [{by: best, within: [game], width: 3, granularities: [forever]}]\n");
    private static final int USERS = 40;

    @Test
    void everyItemGetsIntoItsLeaderboardsAndTheTableSaysSo() {
        // Given a dataset with data that gets a rank
        register(BEFORE);
        putUsers();
        register(RANKED);
        assertThat(registered()).doesNotContainKey("k_scores");

        // When
        String done = command(RANKED).run();

        // Then
        assertThat(done).contains("items written: " + USERS).contains("scores by [best]");
        assertThat(items.buckets().stream().filter(item -> item.get("sk").s().startsWith("forever"))).hasSize(USERS)
                .allSatisfy(item -> assertThat(item.get("r_best").s()).isEqualTo(RankKey
                        .of(BucketKey.ofTableKeys(item.get("pk").s(), item.get("sk").s()), 1, 3)));
        assertThat(items.buckets().stream().filter(item -> item.get("sk").s().startsWith("minute")))
                .allSatisfy(item -> assertThat(item).doesNotContainKey("r_best"));
        assertThat(registered().get("k_scores").s())
                .isEqualTo(Rank.lines(datasets(RANKED).named("scores").orElseThrow().ranks()));

        // When it is run again
        assertThat(command(RANKED).run()).contains("items written: 0");
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void beginsAnewWhereAWriterWithoutTheRankHasStartedMeanwhile(boolean endsInFirstPageThen) {
        // Given a command that ended after its first page
        SweepProgress progress = endAfterFirstPage();

        // When writers are rolled back and forth
        register(BEFORE);
        register(RANKED);
        if (endsInFirstPageThen) {
            registration(datasets(RANKED).all()).begin(progress::end);
        }
        command(RANKED).run();

        // Then
        assertThat(items.buckets().stream().filter(item -> item.containsKey("r_best"))).hasSize(USERS);
        assertThat(registered()).containsKey("k_scores").doesNotContainKey("c_scores");
    }

    /** A command ended after its first page in a table with data that got a rank. */
    private SweepProgress endAfterFirstPage() {
        register(BEFORE);
        putUsers();
        register(RANKED);
        Map<String, AttributeValue> last = items.all().get(USERS);
        SweepProgress progress = RankCommand.progress(aws.dynamoDb(), table, datasets(RANKED));
        registration(List.of(datasets(RANKED).named("scores").orElseThrow())).begin(() -> {
        });
        progress.keep(Map.of("pk", last.get("pk"), "sk", last.get("sk")));
        return progress;
    }

    private RankRegistration registration(List<Dataset> ranked) {
        return new RankRegistration(new RegistryItem(aws.dynamoDb(), table, TableSchema.DATASETS_SK), ranked);
    }

    @Test
    void labelsThatWereSpreadOverKeyShardsAreAnError() {
        // Given a dataset that had key shards before it got a rank
        register(BEFORE);
        items.put(Stream.concat(buckets(1, 0), buckets(2, 3)).toList());
        register(RANKED);

        // Then
        assertThatThrownBy(() -> command(RANKED).run()).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("windrow.datasets.scores.key-shards: a rank needs")
                .hasMessageContaining("found label [g, u2] in key shard 3");
        assertThat(registered()).doesNotContainKey("k_scores");
    }

    @Test
    void aTableThatNoWriterHasUsedIsAnError() {
        assertThatThrownBy(() -> command(RANKED).run()).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("start the writers first");
    }

    @Test
    void ranksOfANewDatasetAreCompleteFromTheBeginning() {
        register(RANKED);
        register(RANKED);

        assertThat(registered()).containsKey("k_scores");

        // When a writer without the rank comes in
        register(BEFORE);

        // Then
        assertThat(registered().get("k_scores").s()).isEmpty();
        register(RANKED);
        assertThat(registered().get("k_scores").s()).isEmpty();
    }

    private RankCommand command(String yaml) {
        return new RankCommand(aws.dynamoDb(), table, datasets(yaml), 1_000_000);
    }

    private static Datasets datasets(String yaml) {
        return DatasetsYaml.parse("test", yaml);
    }

    private void register(String yaml) {
        register(datasets(yaml));
    }

    private Map<String, AttributeValue> registered() {
        return items.all().stream().filter(item -> item.get("pk").s().equals(TableSchema.DATASETS_PK)
                && item.get("sk").s().equals(TableSchema.DATASETS_SK)).findFirst().orElseThrow();
    }

    private void putUsers() {
        items.put(IntStream.range(0, USERS).boxed().flatMap(user -> buckets(user, 0)).toList());
    }

    private static Stream<Map<String, AttributeValue>> buckets(int user, int keyShard) {
        SeriesKey series = new SeriesKey("default", "scores", Label.of("g", "u" + user), keyShard);
        return Stream.of(Granularity.MINUTE, Granularity.FOREVER).map(granularity -> Map.of(
                "pk", AttributeValue.fromS(series.partitionKey()),
                "sk", AttributeValue.fromS(new BucketKey(series, granularity, Instant.EPOCH).sortKey()),
                "m_best", AttributeValue.fromN("" + user)));
    }
}
