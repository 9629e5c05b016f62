package dev.windrow.gather.execution;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.gather.fanout.RankSession;
import dev.windrow.gather.fanout.RegisteredDatasets;
import dev.windrow.gather.query.QueryOptions;
import dev.windrow.gather.query.RankPlan;
import io.smallrye.mutiny.Uni;

/** Answers from a leaderboard if it is complete and its index exists, else by gathering; within one deadline. */
@ApplicationScoped
class RankedFirst {

    private final RegisteredDatasets ranks;
    private final Clock clock;

    RankedFirst(RegisteredDatasets ranks, Clock clock) {
        this.ranks = ranks;
        this.clock = clock;
    }

    /**
     * The answer.
     *
     * @param rank the leaderboard; empty if none is kept
     * @param options whose timeout bounds both ways together
     * @param ranked answers from the leaderboard
     * @param gathered answers without it
     */
    <T> Uni<T> answer(Optional<RankPlan> rank, QueryOptions options, BiFunction<RankPlan, QueryOptions, Uni<T>> ranked,
            Function<QueryOptions, Uni<T>> gathered) {
        return rank.map(plan -> Uni.createFrom().deferred(() -> {
            Instant deadline = clock.instant().plus(options.timeout());
            Uni<T> otherwise = Uni.createFrom().deferred(() -> gathered.apply(left(options, deadline)));
            return ranks.contains(plan.scope().dataset(), plan.rank())
                    .ifNoItem().after(TimerDelays.atLeastShortest(options.timeout())).recoverWithItem(false)
                    .chain(complete -> complete
                            ? ranked.apply(plan, left(options, deadline)).onFailure(RankSession::isOtherSchema)
                                    .recoverWithUni(otherwise)
                            : otherwise);
        })).orElseGet(() -> gathered.apply(options));
    }

    private QueryOptions left(QueryOptions options, Instant deadline) {
        return options.within(TimerDelays.atLeastShortest(Duration.between(clock.instant(), deadline)));
    }
}
