package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jboss.logmanager.LogContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.DatasetShape;
import dev.windrow.dataset.Rank;
import dev.windrow.gather.testing.RankedScores;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.LogLines;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;

class RegisteredDatasetsTest {

    private static final Rank RANK = RankedScores.SCORES.ranks().get(0);

    private final List<UniEmitter<? super ItemReader.Items>> reads = new ArrayList<>();
    private long nanos = 5;

    @Test
    void queriesShareOneReadAndItsResultForAMoment() {
        RegisteredDatasets registered = registered(Patience.LIMIT);
        CompletableFuture<Boolean> first = contains(registered);
        nanos += TimeUnit.SECONDS.toNanos(5);
        CompletableFuture<Boolean> second = contains(registered);
        assertThat(reads).as("one under way, however long it takes").hasSize(1);

        reads.get(0).complete(RankedScores.complete());

        assertThat(first.join()).isTrue();
        assertThat(second.join()).isTrue();
        assertThat(contains(registered)).isNotDone();
        assertThat(reads).as("read a while ago").hasSize(2);
        reads.get(1).complete(RankedScores.incomplete());
        assertThat(contains(registered).join()).isFalse();
        assertThat(reads).as("read just now").hasSize(2);
    }

    @Test
    void noLeaderboardIsCompleteIfTheTableDoesNotAnswer() {
        RegisteredDatasets registered = registered(Duration.ofMillis(20));

        assertThat(contains(registered).orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join()).isFalse();
        assertThat(contains(registered)).as("not read again at once").isCompletedWithValue(false);
        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(contains(registered)).isNotNull();
        assertThat(reads).as("read again later").hasSize(2);
    }

    @Test
    void aFailureIsLoggedOnceUntilAReadSucceedsAgain() {
        RegisteredDatasets registered = registered(Patience.LIMIT);
        List<String> logged;
        try (LogLines lines = LogLines.of(LogContext.getLogContext().getLogger(RegisteredDatasets.class.getName()))) {
            for (String outcome : List.of("fails", "fails", "fails", "succeeds", "succeeds", "fails")) {
                CompletableFuture<Boolean> asked = contains(registered);
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

    @ParameterizedTest
    @CsvSource({ "label=game#user,label=game,label", "partition=the whole label,partition=1,partition",
            "key-shards=1,key-shards=10,key-shards" })
    void onlyADatasetWithTheKeysItWasWrittenWithMayBeRead(String declared, String written, String named) {
        RegisteredDatasets registered = registered(Patience.LIMIT);
        String same = DatasetShape.of(RankedScores.SCORES, List.of()).text();
        assertThat(same).contains(declared);
        List<String> outcomes = new ArrayList<>();

        for (String text : List.of(same, same.replace(declared, written), "fails", same + "\nlater=field", "measures=other")) {
            CompletableFuture<Void> asked = registered.requireSameKeys(RankedScores.SCORES, Patience.LIMIT)
                    .subscribeAsCompletionStage();
            UniEmitter<? super ItemReader.Items> read = reads.get(reads.size() - 1);
            if (text.equals("fails")) {
                read.fail(new IllegalStateException("denied"));
            } else {
                read.complete(new ItemReader.Items(List.of(Map.of(TableSchema.datasetAttribute("scores"), text)), 0.5));
            }
            outcomes.add(asked.handle((done, failure) -> failure == null ? "same" : failure.getMessage()).join());
            nanos += TimeUnit.SECONDS.toNanos(1);
        }

        assertThat(outcomes.get(0)).isEqualTo("same");
        assertThat(outcomes.get(1)).contains("dataset scores, " + named + ": expected '");
        assertThat(outcomes.get(2)).as("what was read last").isEqualTo(outcomes.get(1));
        assertThat(outcomes.subList(3, 5)).containsOnly("same");
    }

    @Test
    void aReadThatHangsIsWaitedForNoLongerThanAllowed() {
        RegisteredDatasets registered = registered(Patience.LIMIT);

        registered.requireSameKeys(RankedScores.SCORES, Duration.ofMillis(20)).await().atMost(Patience.LIMIT);

        assertThat(reads).hasSize(1);
    }

    private RegisteredDatasets registered(Duration timeout) {
        return new RegisteredDatasets((keys, attributes, consistent) -> Uni.createFrom().emitter(reads::add),
                RankedScores.DATASETS,
                () -> nanos,
                Duration.ofSeconds(1), timeout, Infrastructure.getDefaultWorkerPool());
    }

    private static CompletableFuture<Boolean> contains(RegisteredDatasets registered) {
        return registered.contains(RankedScores.SCORES, RANK, Patience.LIMIT).subscribeAsCompletionStage();
    }
}
