package dev.windrow.gather.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.rank.RankPlan;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ItemReader;
import dev.windrow.gather.read.RegisteredDatasets;
import dev.windrow.gather.testing.ManualClock;
import dev.windrow.gather.testing.RankedScores;
import dev.windrow.testing.Patience;
import dev.windrow.time.Granularity;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

class RankedFirstTest {

    private static final RankPlan PLAN = new RankPlan(new DatasetScope("t", RankedScores.SCORES),
            RankedScores.SCORES.ranks().get(0), RankedScores.SCORES.measures().get(0), Granularity.DAY,
            Instant.parse("2026-11-20T00:00:00Z"), List.of("chess"));

    private final List<String> answers = new ArrayList<>();
    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-22T10:00:00Z"));

    @Test
    void whatFollowsIsGivenTheTimeThatIsLeft() {
        ItemReader complete = (keys, attributes, consistent) -> Uni.createFrom().item(() -> {
            clock.pass(Duration.ofMillis(300));
            return RankedScores.complete();
        });

        String answer = answer(complete, Duration.ofSeconds(40));

        assertThat(answer).isEqualTo("gathered");
        assertThat(answers).containsExactly("ranked within PT39.7S", "gathered within PT39.5S");
    }

    @Test
    void aLeaderboardThatIsNotKnownToBeCompleteInTimeIsNotRead() {
        ItemReader hanging = (keys, attributes, consistent) -> Uni.createFrom().nothing();

        assertThat(answer(hanging, Duration.ofMillis(20))).isEqualTo("gathered");
        assertThat(answers).hasSize(1);
    }

    private String answer(ItemReader items, Duration timeout) {
        RegisteredDatasets ranks = new RegisteredDatasets(items, RankedScores.DATASETS, System::nanoTime, Duration.ZERO,
                Patience.LIMIT, Infrastructure.getDefaultWorkerPool());
        return new Leaderboard(ranks, null, items, clock)
                .answer(Optional.of(PLAN), new QueryOptions(timeout, true, false, false),
                        (plan, options) -> Uni.createFrom().<String> failure(() -> {
                            answers.add("ranked within " + options.timeout());
                            clock.pass(Duration.ofMillis(200));
                            return new GatherException(Reason.SCHEMA_MISMATCH, "no such index");
                        }), ranked -> true, options -> Uni.createFrom().item(() -> {
                            answers.add("gathered within " + options.timeout());
                            return "gathered";
                        }))
                .await().atMost(Patience.LIMIT);
    }
}
