package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.Reason;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.read.FakeShards;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ShardPage;
import dev.windrow.gather.read.ShardReader;
import dev.windrow.gather.testing.ManualClock;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;

class GatherSessionTest {
    private static final FanoutLimits BOUNDS = new FanoutLimits(64, 4, 0, 2, Duration.ofMillis(300), 1_000);

    @Test
    void everythingComesInOrder() {
        FakeShards shards = new FakeShards(10, 57);

        List<Bucket> all = list(shards, Long.MAX_VALUE, true).awaitItem(Patience.LIMIT).getItem().result();

        assertThat(all.stream().map(bucket -> bucket.start().getEpochSecond() / 60))
                .containsExactlyElementsOf(LongStream.range(0, 570).boxed().toList());
        assertThat(shards.inFlight.get()).isZero();
    }

    @Test
    void aLimitedPageReadsLittleMoreThanItHolds() {
        FakeShards shards = new FakeShards(100, 1_000);

        Execution<List<Bucket>> page = list(shards, 101, true).awaitItem(Patience.LIMIT).getItem();

        assertThat(page.result()).hasSize(101);
        assertThat(shards.reads.get()).isEqualTo(100);
        assertThat(shards.itemsRead.get()).isEqualTo(600);
    }

    /** The bound of reads for each limit; ten shards of 2,000 items are 20 whole pages, or 30 reads with the ends. */
    @ParameterizedTest
    @CsvSource({ "1, 100", "2, 100", "10, 100", "100, 80", "1000, 70", "10000, 40" })
    void pagesFollowWhatAFilterLetsThrough(int limit, int maxReads) {
        for (int oneIn : new int[] { 2, 100, 20_000 }) {
            FakeShards shards = new FakeShards(10, 2_000).filtered(oneIn);

            Execution<List<Bucket>> page = list(shards, limit + 1L, true, 20_000).awaitItem(Patience.LIMIT).getItem();

            assertThat(page.result()).as("one in %d", oneIn).hasSize(Math.min(limit + 1, 20_000 / oneIn));
            assertThat(shards.reads.get()).as("one in %d", oneIn).isLessThanOrEqualTo(maxReads);
        }
    }

    @Test
    void pagesOfAShardThatLetsNothingThroughGrow() {
        FakeShards shards = new FakeShards(10, 2_000).filtered(number -> number % 2 == 1);

        assertThat(list(shards, 2, true, 20_000).awaitItem(Patience.LIMIT).getItem().result()).hasSize(2);

        assertThat(shards.reads.get()).isLessThanOrEqualTo(60);
    }

    @Test
    void aFilteredPageThatIsFullReadsLittleMoreThanItTakes() {
        FakeShards shards = new FakeShards(10, 2_000).filtered(10);

        assertThat(list(shards, 101, true, 20_000).awaitItem(Patience.LIMIT).getItem().result()).hasSize(101);

        assertThat(shards.itemsRead.get()).isLessThan(3 * 101 * 10);
    }

    @Test
    void aShardThatRunsDryIsReadAgain() {
        FakeShards shards = new FakeShards(2, 500).tell(1, () -> Uni.createFrom().item(
                new ShardPage(List.of(), Optional.empty(), 0, 0.5)));

        assertThat(list(shards, 300, true).awaitItem(Patience.LIMIT).getItem().result()).hasSize(300);
        assertThat(shards.reads.get()).isGreaterThan(2);
    }

    @Test
    void aFailedShardFailsTheQueryAtOnceIfPartialAnswersAreNotAccepted() {
        FakeShards shards = new FakeShards(10, 5).tell(3, GatherSessionTest::throttled)
                .tell(4, () -> Uni.createFrom().nothing());

        UniAssertSubscriber<Execution<List<Bucket>>> gathered = list(shards, Long.MAX_VALUE, false);

        assertThat(GatherException.reasonOf(gathered.getFailure())).isEqualTo(Reason.THROTTLED);
        assertThat(shards.inFlight.get()).isZero();
    }

    @Test
    void noShardToItsEndIsNoAnswerAlsoWhereEachAnsweredAPage() {
        FakeShards shards = new FakeShards(2, 500);
        for (int shard = 0; shard < 2; shard++) {
            int number = shard;
            AtomicInteger reads = new AtomicInteger();
            shards.tell(shard, () -> reads.getAndIncrement() == 0
                    ? Uni.createFrom().item(() -> shards.firstPage(number, 10))
                    : throttled());
        }

        Throwable failure = list(shards, Long.MAX_VALUE, true).awaitFailure(Patience.LIMIT).getFailure();

        assertThat(failure).hasMessage("none of 2 shards returned all of its pages");
        assertThat(GatherException.reasonOf(failure)).isEqualTo(Reason.THROTTLED);
    }

    @Test
    void aClientThatGoesAwayWhileReadsAreBeingStartedStopsThoseToCome() {
        // Given
        UniAssertSubscriber<Execution<List<Bucket>>> gathered = UniAssertSubscriber.create();
        FakeShards shards = new FakeShards(10, 5);
        for (int shard = 0; shard < 10; shard++) {
            shards.tell(shard, () -> Uni.createFrom().nothing());
        }
        shards.tell(2, () -> {
            CompletableFuture.runAsync(gathered::cancel).join();
            return Uni.createFrom().nothing();
        });

        // When
        gatherer(shards).list(shards.request(Long.MAX_VALUE, true)).subscribe().withSubscriber(gathered);

        // Then
        assertThat(shards.inFlight).hasValue(0);
        assertThat(shards.reads).hasValue(3);
    }

    @Test
    void aSlowReaderOfAStreamSlowsTheReads() {
        FakeShards shards = new FakeShards(10, 10_000);
        Multi<Bucket> stream = gatherer(shards).stream(shards.request(Long.MAX_VALUE, true), (buckets, report) -> buckets);

        AssertSubscriber<Bucket> reader = stream.subscribe().withSubscriber(AssertSubscriber.create(50));
        reader.awaitItems(50, Patience.LIMIT);

        assertThat(shards.itemsRead.get()).isLessThanOrEqualTo(3 * 1_000);
        reader.cancel();
        assertThat(shards.inFlight.get()).isZero();
    }

    @Test
    void answersThatAreOverdueAreNoticedUntilOneEnds() {
        ManualClock clock = new ManualClock(Instant.parse("2026-11-20T10:00:00Z"));
        FakeShards shards = new FakeShards(1, 5);
        Gatherer gatherer = gatherer(shards, BOUNDS, clock);

        overdue(gatherer, shards);
        assertThat(gatherer.overdueFor()).isZero();
        clock.pass(Duration.ofSeconds(61));
        assertThat(gatherer.overdueFor()).isZero();
        overdue(gatherer, shards);

        assertThat(gatherer.overdueFor()).isEqualTo(Duration.ofSeconds(61));
        gatherer.list(shards.request(1, true)).await().indefinitely();
        assertThat(gatherer.overdueFor()).isZero();
    }

    /** Runs an answer that never ends, as if its turn never came. */
    private static void overdue(Gatherer gatherer, FakeShards shards) {
        Throwable failure = gatherer
                .answer(shards.request(1, true, Duration.ofMillis(100)), buckets -> Uni.createFrom().nothing()).subscribe()
                .withSubscriber(UniAssertSubscriber.create()).awaitFailure(Patience.LIMIT).getFailure();
        assertThat(GatherException.reasonOf(failure)).isEqualTo(Reason.TIMED_OUT);
    }

    @Test
    void slowReadersOfStreamsLeaveOtherAnswersTheirTurn() {
        FakeShards shards = new FakeShards(10, 10_000);
        Gatherer gatherer = gatherer(shards);
        List<AssertSubscriber<Bucket>> readers = LongStream.range(0, 5).mapToObj(i -> stream(gatherer, shards, 1)).toList();

        assertThat(GatherException.reasonOf(readers.get(4).awaitFailure(Patience.LIMIT).getFailure()))
                .isEqualTo(Reason.OVERLOADED);
        assertThat(gatherer.list(shards.request(1, true)).subscribe().withSubscriber(UniAssertSubscriber.create())
                .awaitItem(Patience.LIMIT).getItem().result()).hasSize(1);

        readers.forEach(reader -> assertThat(GatherException.reasonOf(reader.awaitFailure(Patience.LIMIT).getFailure()))
                .isIn(Reason.TIMED_OUT, Reason.OVERLOADED));
        assertThat(gatherer.streaming()).isZero();
    }

    private static AssertSubscriber<Bucket> stream(Gatherer gatherer, FakeShards shards, int demand) {
        return gatherer.stream(shards.request(Long.MAX_VALUE, true), (buckets, report) -> buckets).subscribe()
                .withSubscriber(AssertSubscriber.create(demand));
    }

    @Test
    void moreAnswersThanTheServerTakesOnAreRefused() {
        FakeShards shards = new FakeShards(1, 5).tell(0, () -> Uni.createFrom().nothing());
        Gatherer gatherer = gatherer(shards);
        List<UniAssertSubscriber<Execution<List<Bucket>>>> asked = LongStream.range(0, 5)
                .mapToObj(i -> gatherer.list(shards.request(1, true)).subscribe()
                        .withSubscriber(UniAssertSubscriber.create()))
                .toList();

        assertThat(GatherException.reasonOf(asked.get(4).assertFailed().getFailure())).isEqualTo(Reason.OVERLOADED);
        asked.forEach(UniAssertSubscriber::cancel);
        assertThat(gatherer.running()).isZero();
        assertThat(shards.inFlight.get()).isZero();
    }

    private static UniAssertSubscriber<Execution<List<Bucket>>> list(FakeShards shards, long wanted, boolean partial,
            int itemsPerAnswer) {
        FanoutLimits bounds = new FanoutLimits(64, 4, 0, 2, Duration.ofMillis(300), itemsPerAnswer);
        return gatherer(shards, bounds, Clock.systemUTC()).list(shards.request(wanted, partial)).subscribe()
                .withSubscriber(UniAssertSubscriber.create());
    }

    private static UniAssertSubscriber<Execution<List<Bucket>>> list(FakeShards shards, long wanted, boolean partial) {
        return gatherer(shards).list(shards.request(wanted, partial)).subscribe()
                .withSubscriber(UniAssertSubscriber.create());
    }

    @Test
    void stagesThatAreReadTogetherShareTheBudgetOfItems() {
        // Given seven stages, of each of which a shard does not answer
        FakeShards shards = new FakeShards(10, 100_000).tell(0, () -> Uni.createFrom().nothing());
        GatherRequest stage = shards.request(Long.MAX_VALUE, false);
        GatherRequest request = new GatherRequest(stage.scope(),
                new QueryPlan(Collections.nCopies(7, stage.plan().stages().get(0))), GatherOrder.ANY, Long.MAX_VALUE,
                stage.options());
        FanoutLimits limits = new FanoutLimits(70, 4, 0, 2, Patience.LIMIT, 20_000);

        // When
        Cancellable answer = gatherer(shards, limits, Clock.systemUTC()).answer(request, buckets -> buckets.collect().last())
                .subscribe().with(found -> {
                });

        // Then
        await().atMost(Patience.LIMIT).until(() -> shards.reads.get() >= 70 && shards.inFlight.get() == 7);
        assertThat(shards.itemsRead.get()).isPositive().isLessThanOrEqualTo(20_000 * 5 / 4);
        answer.cancel();
    }

    private static Gatherer gatherer(ShardReader shards) {
        return gatherer(shards, BOUNDS, Clock.systemUTC());
    }

    private static Gatherer gatherer(ShardReader shards, FanoutLimits limits, Clock clock) {
        return new Gatherer(shards, limits, clock, Infrastructure.getDefaultWorkerPool(), (dataset, report) -> {
        });
    }

    private static Uni<ShardPage> throttled() {
        return Uni.createFrom().failure(new GatherException(Reason.THROTTLED, "slow down"));
    }

    private static final int MAX_READS = 8;
    private static final FanoutLimits PATIENT = new FanoutLimits(MAX_READS, 4, 0, 2, Patience.LIMIT, 1_000);

    /** Reads each shard several times at once, with few enough shards that one read of each would need no bound. */
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
        Gatherer gatherer = gatherer(shards, PATIENT, Clock.systemUTC());
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
        // Given a shard that answers after its share of the time has passed
        FakeShards shards = new FakeShards(1, 1);
        ShardPage page = shards.firstPage(0, 1);
        shards.tell(0, () -> Uni.createFrom().item(page).onItem().delayIt().by(Duration.ofMillis(700)));
        Gatherer gatherer = gatherer(shards, PATIENT, Clock.systemUTC());

        // When
        Deadline deadline = Deadline.after(Patience.LIMIT, Clock.systemUTC()).firstOf(1_000);
        List<Bucket> found = gatherer.answer(shards.request(1, true, Patience.LIMIT), deadline,
                buckets -> buckets.collect().asList()).await().atMost(Patience.LIMIT).result();

        // Then
        assertThat(found).hasSize(1);
    }

    private final PageSizes sizes = new PageSizes(20_000);

    @ParameterizedTest
    @CsvSource({ "10, 101, 21", "100, 101, 6", "100, 1001, 21", "1, 101, 101", "1000, 1001, 6", "100, 1, 1", "10, 5, 4" })
    void aLimitedPageReadsTheShareAndSlackOfEachShard(int shards, long wanted, int expected) {
        assertThat(sizes.pageSize(shards, wanted)).isEqualTo(expected);
    }

    @Test
    void allThereIsIsReadInPagesThatFitTheBudgetTogether() {
        assertThat(sizes.pageSize(1, Long.MAX_VALUE)).isEqualTo(1_000);
        assertThat(sizes.pageSize(100, Long.MAX_VALUE)).isEqualTo(200);
        assertThat(sizes.pageSize(1_000, Long.MAX_VALUE)).isEqualTo(20);
        assertThat(sizes.pageSize(1_000, 1_000_000)).isEqualTo(20);
    }
}
