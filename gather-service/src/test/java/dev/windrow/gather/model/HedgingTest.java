package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan.FaultMix;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Slow shards are read twice: answers stay exact, and extra reads stay within their budget. */
@QuarkusTest
@TestProfile(ModelProfile.class)
@Tag("slow")
class HedgingTest extends HundredShardsTest {

    private static final double BUDGET = 0.05;
    private static final int ANSWERS = 30;

    @Test
    void answersAreExactWhileSlowShardsAreReadTwice() {
        RandomGenerator random = World.random(9);
        double before = client.metric("windrow_gather_hedged_reads_total");
        proxy.use(new FaultMix(random).share(0.01, new Fault.DelayBefore(Duration.ofMillis(400), new Fault.Pass())));

        assertExactAnswers("2032");

        assertThat(client.metric("windrow_gather_hedged_reads_total")).as("there was reason to ask twice")
                .isGreaterThan(before);
        assertBudgetKept();
    }

    @Test
    void theBudgetHoldsWhereEveryShardIsSlowNowAndThen() {
        proxy.use(new FaultMix(World.random(10)).share(0.5,
                new Fault.DelayBefore(Duration.ofMillis(100), new Fault.Pass())));

        assertExactAnswers("2033");

        assertBudgetKept();
    }

    private void assertExactAnswers(String year) {
        List<String> expected = new ReferenceModel(dataset, "default").buckets(granularity, ModelRange.ALL, false,
                LabelFilter.NONE);
        for (int i = 0; i < ANSWERS; i++) {
            Response answer = client.answered(Query.of("hundred/buckets", "granularity", granularity, "limit", "10000",
                    "timeout", "30s", "to", year + "-01-01T00:00:" + (10 + i) + "Z"));
            assertThat(answer.isComplete()).isTrue();
            assertThat(answer.rows(dataset.measures())).isEqualTo(expected);
        }
    }

    /** Over the whole life of the service: every second request was earned by reads before it. */
    private void assertBudgetKept() {
        double hedges = client.metric("windrow_gather_hedged_reads_total");
        long reads = proxy.audit().requests("Query");
        assertThat(hedges).isLessThanOrEqualTo(BUDGET * reads);
    }
}
