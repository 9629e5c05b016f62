package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Rank;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class RankKeysTest {

    private static final Datasets SCORES = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                scores:
                  event-type: score
                  label: [game, user]
                  granularities: [minute, day]
                  index: [minute, day]
                  measures: {plays: {type: count}, best: {type: max, attribute: score}}
                  rank: [{by: best, within: [game], width: 4, granularities: [day]}, {by: plays, granularities: [minute, day]}]
            """);
    private static final Datasets CLICKS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute], index: [minute],
                  measures: {events: {type: count}}, rank: [{by: events}]}
            """);
    private static final Map<String, AttributeValue> REGISTRY = Map.of("k_scores", ranks(SCORES, "scores"), "c_clicks",
            AttributeValue.fromS("of a newer version"), "d_scores", AttributeValue.fromS("a shape"));

    @Test
    void ofADatasetThatOthersDeclareAreThoseThatTheTableNames() {
        DeclaredAttributes others = DeclaredAttributes.of(CLICKS).withRegistered(REGISTRY);

        for (Granularity granularity : List.of(Granularity.MINUTE, Granularity.DAY, Granularity.HOUR)) {
            BucketKey bucket = bucket("scores", granularity, "Comet Quest", "123");
            assertThat(attributes(others, bucket)).isEqualTo(attributes(DeclaredAttributes.of(SCORES), bucket));
        }
        assertThat(attributes(others, bucket("scores", Granularity.DAY, "Comet Quest", "123")))
                .containsOnlyKeys("r_best", "r_plays");
        assertThat(attributes(DeclaredAttributes.of(CLICKS), bucket("scores", Granularity.DAY, "Comet Quest", "123")))
                .isEmpty();
    }

    /** Otherwise every writer that recovers a lane with the dataset's buckets would stop. */
    @Test
    void linesThatNoKeyCanBeMadeOfAreLeftOut() {
        DeclaredAttributes others = DeclaredAttributes.of(CLICKS).withRegistered(
                Map.of("k_scores", AttributeValue.fromS("best#1#0#day\nbest#-1#4#day\nplays#0#1#day")));

        assertThat(attributes(others, bucket("scores", Granularity.DAY, "Comet Quest", "123"))).containsOnlyKeys("r_plays");
    }

    @Test
    void ofADatasetThatIsDeclaredAreThoseThatAreDeclared() {
        DeclaredAttributes clicks = DeclaredAttributes.of(CLICKS).withRegistered(Map.of("k_clicks", ranks(SCORES, "scores")));
        BucketKey bucket = bucket("clicks", Granularity.MINUTE, "example.org");

        assertThat(attributes(clicks, bucket)).containsOnlyKeys("r_events");
    }

    private static AttributeValue ranks(Datasets datasets, String dataset) {
        return AttributeValue.fromS(Rank.lines(datasets.named(dataset).orElseThrow().ranks()));
    }

    private static BucketKey bucket(String dataset, Granularity granularity, String... label) {
        return new BucketKey(new SeriesKey("default", dataset, new Label(List.of(label)), 0), granularity,
                granularity.floor(Instant.parse("2026-11-20T10:31:00Z")));
    }

    private static Map<String, String> attributes(DeclaredAttributes ranks, BucketKey bucket) {
        return ranks.ranks(bucket.series().partitionKey(), bucket.sortKey());
    }
}
