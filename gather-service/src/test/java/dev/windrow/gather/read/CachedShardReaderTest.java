package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.fanout.FanoutLimits;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.live.LivePolls;
import dev.windrow.gather.live.LiveQuery;
import dev.windrow.gather.live.LiveSettings;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.testing.ManualClock;
import dev.windrow.gather.testing.ManualTimer;
import dev.windrow.testing.Patience;
import dev.windrow.time.Granularity;
import io.smallrye.mutiny.Uni;

class CachedShardReaderTest {

    private static final Duration CLOSED_AFTER = Duration.ofHours(1);
    private static final int BUCKETS = 5;
    private static final TimeRange CLOSED = new TimeRange(Instant.EPOCH, Instant.EPOCH.plusSeconds(300));

    private final FakeShards table = new FakeShards(1, BUCKETS);
    private final ManualClock clock = new ManualClock(CLOSED.to().plus(CLOSED_AFTER).plusSeconds(1));
    @AutoClose("shutdownNow")
    private final ManualTimer timer = new ManualTimer();
    private final Gatherer gatherer = new Gatherer(
            new CachedShardReader(table, new MapCache(), clock, CLOSED_AFTER, BUCKETS),
            new FanoutLimits(8, 4, 4, 4, Patience.LIMIT, 1_000), clock, timer, (dataset, report) -> {
            });

    private static final class MapCache implements CachedShardReader.PageCache {

        private final Map<Object, ShardPage> pages = new HashMap<>();

        @Override
        public Uni<ShardPage> find(ShardReader.Read read) {
            return Uni.createFrom().item(pages.get(List.of(read.query(), read.after())));
        }

        @Override
        public void keep(ShardReader.Read read, ShardPage page) {
            pages.put(List.of(read.query(), read.after()), page);
        }
    }

    @Test
    void pagesOfAClosedRangeAreReadOnce() {
        // Given
        GatherRequest closed = table.request(BUCKETS, true);

        // When
        gatherer.list(closed).await().atMost(Patience.LIMIT);
        List<Bucket> again = gatherer.list(closed).await().atMost(Patience.LIMIT).result();

        // Then
        assertThat(again).hasSize(BUCKETS);
        assertThat(table.reads).hasValue(1);
    }

    @Test
    void whatAResumedStreamMissedIsReadFromTheTable() {
        // Given
        GatherRequest any = table.request(1, true);
        LiveQuery query = new LiveQuery(any.scope(), Granularity.MINUTE, Duration.ofMinutes(1), LabelSelection.ALL,
                any.options());
        LivePolls polls = new LivePolls(gatherer, clock, timer,
                new LiveSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), BUCKETS), new HeldMemory(1_000_000));

        // When
        polls.read(query, CLOSED).await().atMost(Patience.LIMIT);
        List<Bucket> again = polls.read(query, CLOSED).await().atMost(Patience.LIMIT).result();

        // Then
        assertThat(again).hasSize(BUCKETS);
        assertThat(table.reads).hasValue(2);
    }
}
