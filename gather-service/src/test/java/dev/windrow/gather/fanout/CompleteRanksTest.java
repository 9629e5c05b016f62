package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.dataset.yaml.DatasetsYaml;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

class CompleteRanksTest {

    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                scores:
                  event-type: score
                  label: [game, user]
                  granularities: [day]
                  index: [day]
                  measures:
                    best: {type: max, attribute: score}
                  rank:
                    - {by: best, within: [game]}
            """);
    private static final Dataset SCORES = DATASETS.named("scores").orElseThrow();
    private static final Rank RANK = SCORES.ranks().get(0);

    private final List<UniEmitter<? super ItemReader.Items>> reads = new ArrayList<>();
    private long nanos = 5;

    @Test
    void queriesShareOneReadAndItsResultForAMoment() {
        CompleteRanks ranks = ranks(Patience.LIMIT);
        CompletableFuture<Boolean> first = contains(ranks);
        nanos += TimeUnit.SECONDS.toNanos(5);
        CompletableFuture<Boolean> second = contains(ranks);
        assertThat(reads).as("one under way, however long it takes").hasSize(1);

        reads.get(0).complete(items(Rank.lines(SCORES.ranks())));

        assertThat(first.join()).isTrue();
        assertThat(second.join()).isTrue();
        assertThat(contains(ranks)).isNotDone();
        assertThat(reads).as("read a while ago").hasSize(2);
        reads.get(1).complete(items(""));
        assertThat(contains(ranks).join()).isFalse();
        assertThat(reads).as("read just now").hasSize(2);
    }

    @Test
    void aQueryThatIsGivenUpDoesNotEndTheReadOfOthers() {
        CompleteRanks ranks = ranks(Patience.LIMIT);
        CompletableFuture<Boolean> given = contains(ranks);
        CompletableFuture<Boolean> other = contains(ranks);
        given.cancel(true);

        reads.get(0).complete(items(Rank.lines(SCORES.ranks())));

        assertThat(other.join()).isTrue();
    }

    @Test
    void noLeaderboardIsCompleteIfTheTableDoesNotAnswer() {
        CompleteRanks ranks = ranks(Duration.ofMillis(20));

        assertThat(contains(ranks).orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join()).isFalse();
        assertThat(contains(ranks)).as("not read again at once").isCompletedWithValue(false);
        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(contains(ranks)).isNotNull();
        assertThat(reads).as("read again later").hasSize(2);
    }

    @Test
    void noLeaderboardIsCompleteIfTheReadFails() {
        CompleteRanks ranks = ranks(Patience.LIMIT);
        CompletableFuture<Boolean> failed = contains(ranks);

        reads.get(0).fail(new IllegalStateException("denied"));

        assertThat(failed.join()).isFalse();
    }

    private CompleteRanks ranks(Duration timeout) {
        return new CompleteRanks((keys, attributes, consistent) -> Uni.createFrom().emitter(reads::add), DATASETS, () -> nanos,
                Duration.ofSeconds(1), timeout);
    }

    private static CompletableFuture<Boolean> contains(CompleteRanks ranks) {
        return ranks.contains(SCORES, RANK).subscribeAsCompletionStage();
    }

    private static ItemReader.Items items(String lines) {
        return new ItemReader.Items(List.of(Map.of(TableSchema.rankedAttribute("scores"), lines)), 0.5);
    }
}
