package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.merge.Bucket;
import dev.windrow.reason.Reason;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class GatherTest {

    private static final FanoutBounds BOUNDS = new FanoutBounds(64, 4, 0, 1_000);

    @Test
    void everythingComesInOrder() {
        FakeShards shards = new FakeShards(10, 57);

        List<Bucket> all = list(shards, Long.MAX_VALUE, true).awaitItem().getItem().result();

        assertThat(all.stream().map(bucket -> bucket.start().getEpochSecond() / 60))
                .containsExactlyElementsOf(LongStream.range(0, 570).boxed().toList());
        assertThat(shards.inFlight.get()).isZero();
    }

    @Test
    void aLimitedPageReadsLittleMoreThanItHolds() {
        FakeShards shards = new FakeShards(100, 1_000);

        Gathered<List<Bucket>> page = list(shards, 101, true).awaitItem().getItem();

        assertThat(page.result()).hasSize(101);
        assertThat(shards.reads.get()).isEqualTo(100);
        assertThat(shards.itemsRead.get()).isEqualTo(600);
    }

    @Test
    void aShardThatRunsDryIsAskedAgain() {
        FakeShards shards = new FakeShards(2, 500).tell(1, () -> Uni.createFrom().item(
                new ShardPage(List.of(), java.util.Optional.empty(), 0, 0.5)));

        assertThat(list(shards, 300, true).awaitItem().getItem().result()).hasSize(300);
        assertThat(shards.reads.get()).isGreaterThan(2);
    }

    @Test
    void aHangingShardIsGivenUpAtTheDeadlineAndTold() {
        FakeShards shards = new FakeShards(10, 5).tell(3, () -> Uni.createFrom().nothing());

        Gathered<List<Bucket>> told = list(shards, Long.MAX_VALUE, true).awaitItem().getItem();

        assertThat(told.result()).hasSize(45);
        assertThat(told.report().isComplete()).isFalse();
        assertThat(told.report().failures()).isEqualTo(Map.of(Reason.TIMED_OUT, new java.util.TreeSet<>(List.of("p#3"))));
        assertThat(shards.inFlight.get()).isZero();
    }

    @Test
    void aFailedShardIsToldAndTheOthersAnswer() {
        FakeShards shards = new FakeShards(10, 5).tell(3, FakeShardsFailures::throttled);

        Gathered<List<Bucket>> told = list(shards, Long.MAX_VALUE, true).awaitItem().getItem();

        assertThat(told.result()).hasSize(45);
        assertThat(told.report().failures()).containsOnlyKeys(Reason.THROTTLED);
    }

    @Test
    void whereAWholeAnswerIsAskedForAFailedShardFailsIt() {
        FakeShards shards = new FakeShards(10, 5).tell(3, FakeShardsFailures::throttled)
                .tell(4, () -> Uni.createFrom().nothing());

        Throwable failure = list(shards, Long.MAX_VALUE, false).awaitFailure().getFailure();

        assertThat(GatherException.reasonOf(failure)).isEqualTo(Reason.THROTTLED);
        assertThat(shards.inFlight.get()).isZero();
    }

    @Test
    void noShardAtAllIsNoAnswer() {
        FakeShards shards = new FakeShards(3, 5);
        for (int shard = 0; shard < 3; shard++) {
            shards.tell(shard, FakeShardsFailures::throttled);
        }

        Throwable failure = list(shards, Long.MAX_VALUE, true).awaitFailure().getFailure();

        assertThat(failure).hasMessage("none of 3 shards answered");
    }

    @Test
    void aClientThatGoesAwayStopsTheReads() {
        FakeShards shards = new FakeShards(10, 5).tell(3, () -> Uni.createFrom().nothing());
        UniAssertSubscriber<Gathered<List<Bucket>>> told = list(shards, Long.MAX_VALUE, true);
        Awaitility.await().untilAsserted(() -> assertThat(shards.inFlight.get()).isEqualTo(1));

        told.cancel();

        assertThat(shards.inFlight.get()).isZero();
    }

    @Test
    void aSlowReaderOfAStreamSlowsTheReads() {
        FakeShards shards = new FakeShards(10, 10_000);
        Multi<Bucket> stream = gatherer(shards).stream(shards.request(Long.MAX_VALUE, true).asStream(),
                (buckets, report) -> buckets);

        AssertSubscriber<Bucket> reader = stream.subscribe().withSubscriber(AssertSubscriber.create(50));
        reader.awaitItems(50);

        assertThat(shards.itemsRead.get()).isLessThanOrEqualTo(3 * 1_000);
        reader.cancel();
        assertThat(shards.inFlight.get()).isZero();
    }

    @Test
    void moreAnswersThanTheServerTakesOnAreRefused() {
        FakeShards shards = new FakeShards(1, 5).tell(0, () -> Uni.createFrom().nothing());
        Gatherer gatherer = gatherer(shards);
        List<UniAssertSubscriber<Gathered<List<Bucket>>>> asked = LongStream.range(0, 5)
                .mapToObj(i -> gatherer.list(shards.request(1, true)).subscribe()
                        .withSubscriber(UniAssertSubscriber.create()))
                .toList();

        assertThat(GatherException.reasonOf(asked.get(4).assertFailed().getFailure())).isEqualTo(Reason.OVERLOADED);
        asked.forEach(UniAssertSubscriber::cancel);
        assertThat(gatherer.running()).isZero();
        assertThat(shards.inFlight.get()).isZero();
    }

    private static UniAssertSubscriber<Gathered<List<Bucket>>> list(FakeShards shards, long wanted, boolean partial) {
        return gatherer(shards).list(shards.request(wanted, partial)).subscribe()
                .withSubscriber(UniAssertSubscriber.create());
    }

    private static Gatherer gatherer(ShardReader shards) {
        return new Gatherer(shards, BOUNDS, Clock.systemUTC());
    }

    /** Failures that shards tell. */
    private static final class FakeShardsFailures {
        static Uni<ShardPage> throttled() {
            return Uni.createFrom().failure(new GatherException(Reason.THROTTLED, "slow down"));
        }
    }
}
