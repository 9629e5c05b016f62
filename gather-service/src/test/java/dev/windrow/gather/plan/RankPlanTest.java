package dev.windrow.gather.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.rank.RankPlan;
import dev.windrow.gather.top.PositionQuery;
import dev.windrow.gather.top.TopQuery;
import dev.windrow.time.Granularity;

class RankPlanTest {

    /** Hours are stored, but only days are indexed and ranked. */
    private static final DatasetScope SCOPE = scope("hour, day", "day");
    private static final QueryContext CONTEXT = new QueryContext(
            new QueryLimits(100, 1_000, 1_000, 100, 1_000, Duration.ofDays(1), Duration.ofSeconds(1), Duration.ofSeconds(1)),
            Instant.parse("2026-11-22T10:00:00Z"), TableFreshness.UNKNOWN);

    @Test
    void aDayIsReadFromItsLeaderboard() {
        assertThat(List.of(top(SCOPE, "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z").orElseThrow(),
                position("2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z").orElseThrow())).allSatisfy(plan -> {
                    assertThat(plan.granularity()).isEqualTo(Granularity.DAY);
                    assertThat(plan.start()).isEqualTo("2026-11-20T00:00:00Z");
                    assertThat(plan.within()).containsExactly("chess");
                });
    }

    /** Moving their bounds up to whole days would change these ranges. */
    @ParameterizedTest
    @ValueSource(strings = { "20T04:00", "21T00:00", "21T01:00", "21T03:00", "22T00:00" })
    void aRangeOfHoursHasNoLeaderboardOfDays(String to) {
        assertThat(top(SCOPE, "2026-11-20T03:00:00Z", "2026-11-" + to + ":00Z")).isEmpty();
        assertThat(position("2026-11-20T03:00:00Z", "2026-11-" + to + ":00Z")).isEmpty();
    }

    /**
     * At 00:01 clocks went back to 23:01, so the day's bucket also holds the end of the previous day, which is not part of it.
     */
    @Test
    void datesThatBeginTwiceHaveNoLeaderboard() {
        DatasetScope scope = scope("minute, 180-minutes", "minute, 180-minutes");

        assertThat(top(scope, "2005-10-30T03:00:00Z", "2005-10-30T06:00:00Z")).isPresent();
        assertThat(top(scope, "2005-10-30", "2005-10-30T06:00:00Z")).isEmpty();
        assertThat(top(scope, "2005-10-30T00:00:00Z", "2005-10-30T03:00:00Z")).isPresent();
        assertThat(top(scope, "2005-10-30T00:00:00Z", "2005-10-30")).isEmpty();
    }

    /** With a leaderboard of the coarsest granularity. */
    private static DatasetScope scope(String stored, String indexed) {
        return DatasetScope.of(DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    scores:
                      event-type: score
                      label: [game, user]
                      partition: 1
                      granularities: [%s]
                      index: [%s]
                      measures:
                        best: {type: max, attribute: score}
                      rank:
                        - {by: best, within: [game], granularities: [%s]}
                """.formatted(stored, indexed, indexed.replaceFirst(".*, ", ""))), "scores", "t");
    }

    private static Optional<RankPlan> top(DatasetScope scope, String from, String to) {
        return TopQuery.of(scope, Parameters.of(QueryKind.TOP, Map.of("label", List.of("chess"), "from", List.of(from), "to",
                List.of(to), "tz", List.of("America/Moncton"))), CONTEXT).rank();
    }

    private static Optional<RankPlan> position(String from, String to) {
        return PositionQuery.of(SCOPE, Parameters.of(QueryKind.POSITION, Map.of("label", List.of("chess", "ann"), "from",
                List.of(from), "to", List.of(to))), CONTEXT).rank();
    }
}
