package dev.windrow.gather.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.fanout.FakeShards;
import dev.windrow.gather.fanout.FanoutBounds;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.ShardPage;
import dev.windrow.gather.fixture.ManualTimer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.ShardItem;
import dev.windrow.gather.merge.Values;
import dev.windrow.gather.query.LabelSelection;
import dev.windrow.gather.query.LiveQuery;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureValue;
import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;
import dev.windrow.time.Granularity;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class LiveWatchesTest {

    private static final int BUCKETS = 5;
    private static final int MOST_BUCKETS = 8;

    private final FakeShards shards = new FakeShards(1, BUCKETS);
    private final GatherRequest any = shards.request(1, true);
    private final LiveQuery query = new LiveQuery(any.scope(), Granularity.MINUTE, Duration.ofMinutes(10),
            LabelSelection.ALL, any.options());
    private final ManualTimer timer = new ManualTimer();
    private final LiveWatches watches = watches(MOST_BUCKETS);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void aHundredWatchersOfTheSameShareTheReads() {
        List<LiveWatcher> first = joined(50);
        timer.runAll();
        List<LiveWatcher> later = joined(50);

        assertThat(Stream.of(first, later).flatMap(List::stream))
                .allSatisfy(watcher -> assertThat(watcher.take().changed()).hasSize(BUCKETS));
        assertThat(shards.reads.get()).isEqualTo(1);
        assertThat(watches.size()).isEqualTo(1);
        timer.runAll();
        assertThat(shards.reads.get()).isEqualTo(2);
        assertThat(first).allSatisfy(watcher -> assertThat(watcher.take().isEmpty()).isTrue());
    }

    @Test
    void aChangeIsToldToAllAndOfAnythingMissedOnlyTheLatestState() {
        LiveWatcher quick = watches.join(query);
        LiveWatcher slow = watches.join(query);
        timer.runAll();
        quick.take();
        for (int events = 2; events < 10; events++) {
            change(events);

            timer.runAll();

            assertThat(events(quick.take())).containsExactly(events);
        }
        assertThat(events(slow.take())).containsExactly(9, 1, 1, 1, 1);
    }

    @Test
    void whoAsksIsAnsweredOnceThereIsSomething() {
        LiveWatcher watcher = watches.join(query);
        UniAssertSubscriber<Void> asked = watcher.ready().subscribe().withSubscriber(UniAssertSubscriber.create());
        asked.assertNotTerminated();

        timer.runAll();

        asked.assertCompleted();
        assertThat(watcher.take().changed()).hasSize(BUCKETS);
    }

    @Test
    void aFailedLookIsToldAndTheNextOneGoesOn() {
        LiveWatcher watcher = watches.join(query);
        shards.tell(0, () -> Uni.createFrom().failure(new GatherException(Reason.UNAVAILABLE, "not now")));
        timer.runAll();
        LiveNews news = watcher.take();
        assertThat(GatherException.reasonOf(news.failure().orElseThrow())).isEqualTo(Reason.UNAVAILABLE);
        assertThat(news.last()).isFalse();

        change(7);
        timer.runAll();

        assertThat(events(watcher.take())).containsExactly(7, 1, 1, 1, 1);
    }

    @Test
    void tooManyBucketsEndTheWatchWithTheReason() {
        LiveWatches few = watches(BUCKETS - 1);
        LiveWatcher watcher = few.join(query);

        timer.runAll();

        LiveNews news = watcher.take();
        assertThat(news.failure()).hasValueSatisfying(failure -> assertThat(failure).isInstanceOf(ReasonedException.class)
                .hasMessageContaining("at most 4 buckets"));
        assertThat(news.last()).isTrue();
    }

    @Test
    void aWatchEndsWithItsLastWatcher() {
        LiveWatcher a = watches.join(query);
        LiveWatcher b = watches.join(query);

        watches.leave(query, a);
        assertThat(timer.pending()).isEqualTo(1);
        watches.leave(query, b);

        assertThat(timer.pending()).isZero();
        assertThat(watches.size()).isZero();
    }

    private List<LiveWatcher> joined(int count) {
        return Stream.generate(() -> watches.join(query)).limit(count).toList();
    }

    private LiveWatches watches(int mostBuckets) {
        Clock clock = Clock.fixed(Instant.EPOCH.plusSeconds(300), ZoneOffset.UTC);
        Gatherer gatherer = new Gatherer(shards, new FanoutBounds(8, 4, 4, 4, Duration.ofSeconds(30), 1_000), clock, timer);
        return new LiveWatches(gatherer, clock, timer, Duration.ofSeconds(1), mostBuckets);
    }

    /** The first bucket has so many events from now on. */
    private void change(int events) {
        ShardPage page = shards.firstPage(0, BUCKETS);
        List<Measure> measures = any.scope().dataset().measures();
        ShardItem first = page.items().get(0);
        List<ShardItem> changed = Stream.concat(
                Stream.of(new ShardItem(first.key(), first.group(),
                        new Values(measures, List.of(MeasureValue.of(BigDecimal.valueOf(events)))))),
                page.items().stream().skip(1)).toList();
        shards.tell(0, () -> Uni.createFrom().item(new ShardPage(changed, Optional.empty(), BUCKETS, 0.5)));
    }

    private static List<Integer> events(LiveNews news) {
        return news.changed().stream().map(Bucket::values).map(values -> values.at(0).orElseThrow().value().intValueExact())
                .toList();
    }
}
