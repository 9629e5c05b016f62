package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.read.Gatherer.FanoutLimits;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.read.ShardReader.ShardPage;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

class GathererTest {

    private static final int MAX_READS = 8;

    /** The reads of a position, on as many shards as would need no bound if each were read once. */
    @ParameterizedTest
    @ValueSource(ints = { 2, 3, 8 })
    void readsOfLeaderboardsAtTheSameTimeAreBounded(int width) {
        FakeShards shards = new FakeShards(width, 1);
        AtomicInteger most = new AtomicInteger();
        for (int shard = 0; shard < width; shard++) {
            ShardPage page = shards.firstPage(shard, 1);
            shards.tell(shard, () -> {
                most.accumulateAndGet(shards.inFlight.get(), Math::max);
                return Uni.createFrom().item(page).onItem().delayIt().by(Duration.ofMillis(20));
            });
        }
        FanoutLimits limits = new FanoutLimits(MAX_READS, 4, 0, 2, Patience.LIMIT, 1_000);
        Gatherer gatherer = new Gatherer(shards, limits, Clock.systemUTC(), Infrastructure.getDefaultWorkerPool(),
                (dataset, report) -> {
                });
        GatherRequest request = shards.request(1, true, Patience.LIMIT);
        QueryPlan.Stage stage = request.plan().stages().get(0);

        long counted = gatherer.ranked(request, 3, session -> Uni.join()
                .all(session.count(stage), session.count(stage), session.count(stage)).andFailFast()
                .map(counts -> counts.stream().mapToLong(Long::longValue).sum())).await().atMost(Patience.LIMIT).result();

        assertThat(counted).isEqualTo(3L * width);
        assertThat(most.get()).isLessThanOrEqualTo(MAX_READS);
    }

    @Test
    void theOnlyShardOfAReadHasTheTimeOfThoseThatFollowToo() {
        // Given a shard that answers after its share of the time
        FakeShards shards = new FakeShards(1, 1);
        ShardPage page = shards.firstPage(0, 1);
        shards.tell(0, () -> Uni.createFrom().item(page).onItem().delayIt().by(Duration.ofMillis(700)));
        Gatherer gatherer = new Gatherer(shards, new FanoutLimits(MAX_READS, 4, 0, 2, Patience.LIMIT, 1_000),
                Clock.systemUTC(), Infrastructure.getDefaultWorkerPool(), (dataset, report) -> {
                });

        // When
        Deadline deadline = Deadline.after(Patience.LIMIT, Clock.systemUTC()).firstOf(1_000);
        List<Bucket> found = gatherer.answer(shards.request(1, true, Patience.LIMIT), deadline,
                buckets -> buckets.collect().asList()).await().atMost(Patience.LIMIT).result();

        // Then
        assertThat(found).hasSize(1);
    }
}
