package dev.windrow.gather.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.FanoutLimits;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.live.LiveResource.CredentialExpiry;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.read.FakeShards;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ShardItem;
import dev.windrow.gather.read.ShardPage;
import dev.windrow.gather.testing.ManualTimer;
import dev.windrow.table.Label;
import dev.windrow.time.Granularity;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;

/** Tests which buckets are polled, and for which watchers. */
class LivePollsTest {

    private static final int BUCKETS = 5;
    private static final int MAX_BUCKETS = 8;
    /** Room for more than a hundred watchers. */
    private static final long MEMORY = 160 * 65_536;
    private static final Duration WAIT = Duration.ofSeconds(15);
    private static final Dataset DATASET = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                hits: {event-type: hit, label: [site], granularities: [minute, hour, day, week, month, year, forever],
                  index: [minute, hour, day, week, month, year, forever], measures: {events: {type: count}},
                  retention: {minute: 30d}}
            """).all().get(0);
    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MAX_RESUME_AGE = Duration.ofDays(2);

    private final FakeShards shards = new FakeShards(1, BUCKETS);
    private final GatherRequest any = shards.request(1, true);
    private final LiveQuery query = new LiveQuery(any.scope(), Granularity.MINUTE, Duration.ofMinutes(10),
            LabelSelection.ALL, any.options());
    @AutoClose("shutdownNow")
    private final ManualTimer timer = new ManualTimer();
    private final HeldMemory memory = new HeldMemory(MEMORY);
    private final LivePolls watches = watches(MAX_BUCKETS);

    @Test
    void aHundredWatchersOfTheSameShareTheReads() {
        List<LiveSubscriber> first = joined(50);
        timer.runAll();
        List<LiveSubscriber> later = joined(50);

        assertThat(Stream.of(first, later).flatMap(List::stream))
                .allSatisfy(watcher -> assertThat(watcher.take().changed()).hasSize(BUCKETS));
        assertThat(shards.reads.get()).isEqualTo(1);
        assertThat(watches.size()).isEqualTo(1);
        timer.runAll();
        assertThat(shards.reads.get()).isEqualTo(2);
        assertThat(first).allSatisfy(watcher -> assertNothing(watcher.take()));
    }

    @Test
    void aChangeIsSentToAllAndOfMissedOnesOnlyTheLatestState() {
        LiveSubscriber quick = watches.join(query);
        LiveSubscriber slow = watches.join(query);
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
    void aWaitingSubscriberIsAnsweredOnceThereIsAChange() {
        LiveSubscriber watcher = watches.join(query);
        UniAssertSubscriber<Void> asked = watcher.ready().subscribe().withSubscriber(UniAssertSubscriber.create());
        asked.assertNotTerminated();

        timer.runAll();

        asked.assertCompleted();
        assertThat(watcher.take().changed()).hasSize(BUCKETS);
    }

    @Test
    void aFailedPollIsReportedAndTheNextOneContinues() {
        LiveSubscriber watcher = watches.join(query);
        shards.tell(0, () -> Uni.createFrom().failure(new GatherException(Reason.UNAVAILABLE, "not now")));
        timer.runAll();
        LiveUpdate news = watcher.take();
        assertThat(GatherException.reasonOf(news.failure().orElseThrow())).isEqualTo(Reason.UNAVAILABLE);
        assertThat(news.last()).isFalse();

        change(7);
        timer.runAll();

        assertThat(events(watcher.take())).containsExactly(7, 1, 1, 1, 1);
    }

    @Test
    void tooManyBucketsEndTheWatchWithTheReason() {
        LivePolls few = watches(BUCKETS - 1);
        LiveSubscriber watcher = few.join(query);

        timer.runAll();

        LiveUpdate news = watcher.take();
        assertThat(news.failure()).hasValueSatisfying(failure -> assertThat(failure).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("at most 4 buckets"));
        assertThat(news.last()).isTrue();
    }

    @Test
    void aPollThatBreaksEndsForItsWatchersAndTheNextOnesGetAnother() {
        // Given
        LiveSubscriber broken = watches.join(query);
        LiveSubscriber other = watches.join(query);
        broken.ready().subscribe().withSubscriber(new Throwing(broken));

        // When
        timer.runAll();

        // Then
        LiveUpdate last = other.take();
        assertThat(last.last()).isTrue();
        assertThat(last.failure()).isPresent();
        assertThat(watches.size()).isZero();
        LiveSubscriber later = watches.join(query);
        timer.runAll();
        assertThat(later.take().changed()).hasSize(BUCKETS);
    }

    /** Throws at each change, and waits for the next one. */
    private record Throwing(LiveSubscriber watcher) implements UniSubscriber<Void> {

        @Override
        public void onSubscribe(UniSubscription subscription) {
        }

        @Override
        public void onItem(Void ready) {
            watcher.take();
            watcher.ready().subscribe().withSubscriber(this);
            throw new IllegalStateException("a client that throws");
        }

        @Override
        public void onFailure(Throwable failure) {
        }
    }

    @Test
    void aWatchEndsWithItsLastWatcher() {
        LiveSubscriber a = watches.join(query);
        LiveSubscriber b = watches.join(query);

        watches.leave(query, a);
        assertThat(timer.pending()).isEqualTo(1);
        watches.leave(query, b);

        assertThat(timer.pending()).isZero();
        assertThat(watches.size()).isZero();
    }

    @Test
    void aStopEndsEachWatchAfterWhatWaitsForIt() {
        // Given
        LiveSubscriber read = watches.join(query);
        LiveSubscriber unread = watches.join(query);
        timer.runAll();
        read.take();
        UniAssertSubscriber<Void> waiting = read.ready().subscribe().withSubscriber(UniAssertSubscriber.create());

        // When
        watches.close();

        // Then
        waiting.assertCompleted();
        assertThat(read.take()).satisfies(LivePollsTest::assertNothing)
                .satisfies(news -> assertThat(news.last()).isTrue());
        assertThat(unread.take()).satisfies(news -> assertThat(news.changed()).hasSize(BUCKETS))
                .satisfies(news -> assertThat(news.last()).isTrue());
        assertThatThrownBy(() -> watches.join(query)).isInstanceOf(GatherException.class).hasMessageContaining("stopping");
    }

    @Test
    void whatIsHeldIsReleasedWithTheLastWatcher() {
        // Given
        LiveSubscriber a = watches.join(query);
        LiveSubscriber b = watches.join(query);
        timer.runAll();
        long waiting = memory.held();
        a.take();
        a.take();
        long taken = memory.held();

        // When
        watches.leave(query, a);
        watches.leave(query, b);

        // Then
        assertThat(taken).isPositive().isLessThan(waiting);
        assertThat(memory.held()).isZero();
    }

    @Test
    void aPollWithoutRoomIsOverloadedUntilThereIsSome() {
        // Given
        HeldMemory.Share others = memory.share();
        others.set(MEMORY);
        LiveSubscriber watcher = watches.join(query);
        timer.runAll();
        LiveUpdate refused = watcher.take();

        // When
        others.release();
        timer.runAll();

        // Then
        assertThat(GatherException.reasonOf(refused.failure().orElseThrow())).isEqualTo(Reason.OVERLOADED);
        assertThat(refused.last()).isFalse();
        assertThat(watcher.take().changed()).hasSize(BUCKETS);
    }

    private List<LiveSubscriber> joined(int count) {
        return Stream.generate(() -> watches.join(query)).limit(count).toList();
    }

    private LivePolls watches(int maxBuckets) {
        Clock clock = Clock.fixed(Instant.EPOCH.plusSeconds(300), ZoneOffset.UTC);
        Gatherer gatherer = new Gatherer(shards, new FanoutLimits(8, 4, 4, 4, Duration.ofSeconds(30), 1_000), clock, timer,
                (dataset, report) -> {
                });
        return new LivePolls(gatherer, clock, timer,
                new LiveSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), maxBuckets), memory);
    }

    private void change(int events) {
        ShardPage page = shards.firstPage(0, BUCKETS);
        List<Measure> measures = any.scope().dataset().measures();
        ShardItem first = page.items().get(0);
        List<ShardItem> changed = Stream.concat(
                Stream.of(new ShardItem(first.key(), first.group(),
                        new MeasureValues(measures, List.of(MeasureValue.of(BigDecimal.valueOf(events)))))),
                page.items().stream().skip(1)).toList();
        shards.tell(0, () -> Uni.createFrom().item(new ShardPage(changed, Optional.empty(), BUCKETS, 0.5)));
    }

    private static void assertNothing(LiveUpdate news) {
        assertThat(news).extracting(LiveUpdate::changed, LiveUpdate::report, LiveUpdate::failure)
                .containsExactly(List.of(), Optional.empty(), Optional.empty());
    }

    private static List<Integer> events(LiveUpdate news) {
        return news.changed().stream().map(Bucket::values).map(values -> values.at(0).orElseThrow().value().intValueExact())
                .toList();
    }

    @Test
    void aSlowReaderLearnsWhyItsWatchEndedThoughPollsGoOn() {
        // Given
        LiveSubscriber slow = new LiveSubscriber(1, new HeldMemory(Long.MAX_VALUE).share());
        slow.add(Instant.EPOCH, List.of(bucket("a"), bucket("b")), null);

        // When
        slow.add(Instant.EPOCH, List.of(bucket("a")), null);
        slow.fail(new GatherException(Reason.UNAVAILABLE, "not now"), false);

        // Then
        LiveUpdate news = slow.take();
        assertThat(news.last()).isTrue();
        assertThat(news.failure())
                .hasValueSatisfying(failure -> assertThat(GatherException.reasonOf(failure)).isEqualTo(Reason.OVERLOADED));
        assertThat(news.changed()).isEmpty();
    }

    private static Bucket bucket(String label) {
        return new Bucket(Instant.EPOCH + "#" + label, Label.of(label), Granularity.MINUTE, MeasureValues.none(List.of()));
    }

    @ParameterizedTest
    @CsvSource({ "PT4S, false, PT4S", "PT400S, false, PT15S", "PT0S, true, PT0.001S", "PT-1S, true, PT0.001S",
            ", false, PT15S" })
    void waitsEndAtTheExpiryIfThereIsOne(@Nullable Duration left, boolean expired, Duration longest) {
        CredentialExpiry expiry = new CredentialExpiry(Optional.ofNullable(left).map(NOW::plus),
                Clock.fixed(NOW, ZoneOffset.UTC));

        assertThat(expiry.hasExpired()).isEqualTo(expired);
        assertThat(expiry.atMost(WAIT)).isEqualTo(longest);
    }

    @ParameterizedTest
    @CsvSource({
            "minute, 2026-11-16T00:01:30Z, 2026-11-16T00:00:00Z",
            "day, 2026-11-16T00:01:00Z, 2026-11-15T00:00:00Z",
            "week, 2026-11-16T00:01:00Z, 2026-11-09T00:00:00Z",
            "week, 2026-11-16T23:59:00Z, 2026-11-09T00:00:00Z",
            "week, 2026-11-17T00:00:00Z, 2026-11-16T00:00:00Z",
            "month, 2026-11-01T00:01:00Z, 2026-10-01T00:00:00Z",
            "year, 2026-01-01T00:01:00Z, 2025-01-01T00:00:00Z",
            "forever, 2026-01-01T00:01:00Z, 1970-01-01T00:00:00Z",
    })
    void withoutAWindowTheBucketBeforeIsWatchedAfterItsEnd(String granularity, Instant now, Instant from) {
        assertThat(query(granularity).watched(now).from()).isEqualTo(from);
    }

    @ParameterizedTest
    @CsvSource({
            "minute, 2026-11-20T10:00:00Z, 2026-11-18T10:00:00Z, 2026-11-18T10:00:00Z",
            "minute, 2026-11-20T10:00:00Z, 2026-11-18T09:59:30Z, 2026-11-18T09:59:00Z",
            "minute, 2026-11-20T10:00:00Z, 2026-11-18T09:58:59Z,",
            "minute, 2026-11-20T10:00:00Z, 2026-11-20T10:00:01Z,",
            "week, 2026-11-20T10:00:00Z, 2026-11-16T00:00:00Z, 2026-11-16T00:00:00Z",
            "week, 2026-11-20T10:00:00Z, 2026-11-09T00:00:00Z,",
            "week, 2026-11-16T00:01:00Z, 2026-11-09T00:00:00Z, 2026-11-09T00:00:00Z",
            "year, 2026-11-20T10:00:00Z, 2026-01-01T00:00:00Z, 2026-01-01T00:00:00Z",
            "forever, 2026-11-20T10:00:00Z, 1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
            "forever, 2026-11-20T10:00:00Z, -1000000-01-01T00:00:00Z,",
    })
    void aStreamResumesUntilTheFirstBucketHasEndedLongAgo(String granularity, Instant now, Instant from,
            @Nullable Instant resumed) {
        assertThat(query(granularity).resumable(from, now, MAX_RESUME_AGE)).isEqualTo(Optional.ofNullable(resumed));
    }

    @Test
    void watchersOfBucketsThatExpireShareTheReadsToo() {
        watches.join(query("minute", NOW));

        watches.join(query("minute", NOW.plusSeconds(5)));

        assertThat(watches.size()).isEqualTo(1);
    }

    private static LiveQuery query(String granularity) {
        return query(granularity, NOW);
    }

    private static LiveQuery query(String granularity, Instant now) {
        QueryLimits limits = new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, DAY, DAY, DAY);
        return LiveQuery.of(new DatasetScope("default", DATASET),
                Parameters.of(QueryKind.LIVE, Map.of("granularity", List.of(granularity))),
                new QueryContext(limits, now, TableFreshness.UNKNOWN));
    }
}
