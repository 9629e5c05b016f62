package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jboss.logmanager.LogContext;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Rank;
import dev.windrow.gather.testing.RankedScores;
import dev.windrow.testing.LogLines;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

class CompleteRanksTest {

    private static final Rank RANK = RankedScores.SCORES.ranks().get(0);

    private final List<UniEmitter<? super ItemReader.Items>> reads = new ArrayList<>();
    private long nanos = 5;

    @Test
    void queriesShareOneReadAndItsResultForAMoment() {
        CompleteRanks ranks = ranks(Patience.LIMIT);
        CompletableFuture<Boolean> first = contains(ranks);
        nanos += TimeUnit.SECONDS.toNanos(5);
        CompletableFuture<Boolean> second = contains(ranks);
        assertThat(reads).as("one under way, however long it takes").hasSize(1);

        reads.get(0).complete(RankedScores.complete());

        assertThat(first.join()).isTrue();
        assertThat(second.join()).isTrue();
        assertThat(contains(ranks)).isNotDone();
        assertThat(reads).as("read a while ago").hasSize(2);
        reads.get(1).complete(RankedScores.incomplete());
        assertThat(contains(ranks).join()).isFalse();
        assertThat(reads).as("read just now").hasSize(2);
    }

    @Test
    void aQueryThatIsGivenUpDoesNotEndTheReadOfOthers() {
        CompleteRanks ranks = ranks(Patience.LIMIT);
        CompletableFuture<Boolean> given = contains(ranks);
        CompletableFuture<Boolean> other = contains(ranks);
        given.cancel(true);

        reads.get(0).complete(RankedScores.complete());

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

    @Test
    void aFailureIsLoggedOnceUntilAReadSucceedsAgain() {
        CompleteRanks ranks = ranks(Patience.LIMIT);
        List<String> logged;
        try (LogLines lines = LogLines.of(LogContext.getLogContext().getLogger(CompleteRanks.class.getName()))) {
            for (String outcome : List.of("fails", "fails", "fails", "succeeds", "succeeds", "fails")) {
                CompletableFuture<Boolean> asked = contains(ranks);
                UniEmitter<? super ItemReader.Items> read = reads.get(reads.size() - 1);
                if (outcome.equals("fails")) {
                    read.fail(new IllegalStateException("denied"));
                } else {
                    read.complete(RankedScores.complete());
                }
                assertThat(asked.join()).isEqualTo(outcome.equals("succeeds"));
                nanos += TimeUnit.SECONDS.toNanos(1);
            }
            logged = lines.all();
        }

        assertThat(reads).hasSize(6);
        assertThat(logged).hasSize(3);
        assertThat(logged.get(0)).startsWith("WARN").contains("could not be read").contains("denied");
        assertThat(logged.get(1)).startsWith("INFO").contains("can be read again");
        assertThat(logged.get(2)).startsWith("WARN");
    }

    private CompleteRanks ranks(Duration timeout) {
        return new CompleteRanks((keys, attributes, consistent) -> Uni.createFrom().emitter(reads::add), RankedScores.DATASETS,
                () -> nanos,
                Duration.ofSeconds(1), timeout);
    }

    private static CompletableFuture<Boolean> contains(CompleteRanks ranks) {
        return ranks.contains(RankedScores.SCORES, RANK).subscribeAsCompletionStage();
    }
}
