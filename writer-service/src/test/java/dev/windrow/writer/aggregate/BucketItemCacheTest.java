package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.scatter.Scatter;
import dev.windrow.scatter.ScatterStrategy;
import dev.windrow.scatter.WidthEpoch;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;
import dev.windrow.writer.aggregate.AggregationPlan.BucketItemCache;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.IndexKey;

class BucketItemCacheTest {

    private static final Instant WIDER = Instant.parse("2026-11-10T00:00:00Z");
    private static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");
    private static final Dataset CLICKS = new Dataset("clicks", "click", List.of("referrer"),
            List.of(Granularity.MINUTE, Granularity.HOUR, Granularity.MONTH), List.of(Granularity.MINUTE, Granularity.MONTH), 1,
            List.of(new Measure("events", MeasureKind.COUNT, null)),
            new Scatter(ScatterStrategy.HASH, List.of(new WidthEpoch(Instant.EPOCH, 2), new WidthEpoch(WIDER, 1_000))),
            Dedupe.MESSAGE);

    private final RandomGenerator random = Seeds.random("BucketItemCacheTest");
    private final List<BucketItem> created = new ArrayList<>();

    @Test
    void aBucketMetAgainHasTheSameItem() {
        // Given
        BucketItemCache cache = new BucketItemCache(CLICKS, 1);
        BucketItem first = item(cache, series("a"), Granularity.MINUTE, NOVEMBER);

        // When
        BucketItem again = item(cache, series("a"), Granularity.MINUTE, NOVEMBER);

        // Then
        assertThat(again).isSameAs(first);
        assertThat(created).containsExactly(first);
    }

    @Test
    void largeItemsAreNotKept() {
        // Given
        BucketItemCache cache = new BucketItemCache(CLICKS, 1);
        ResolvedSeries large = series("a".repeat(600));

        // When
        BucketItem first = item(cache, large, Granularity.MINUTE, NOVEMBER);

        // Then
        assertThat(item(cache, large, Granularity.MINUTE, NOVEMBER)).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void anItemIsItsBucketsWhateverWasMetBefore() {
        // Given: more buckets than places
        BucketItemCache cache = new BucketItemCache(CLICKS, 64);

        for (int i = 0; i < 20_000; i++) {
            ResolvedSeries series = series("referrer-" + random.nextInt(20));
            Granularity granularity = CLICKS.granularities().get(random.nextInt(3));
            Instant time = NOVEMBER.plusSeconds(random.nextInt(20 * 86_400));
            Instant start = granularity.floor(time);

            // When
            BucketItem item = cache.of(series, granularity, start.getEpochSecond(), time, random, created::add);

            // Then
            BucketKey key = new BucketKey(series.key(), granularity, start);
            assertThat(item.partitionKey()).isEqualTo(series.partitionKey());
            assertThat(item.sortKey()).isEqualTo(key.sortKey());
            assertThat(item.index()).isEqualTo(index(series, granularity, start, time));
        }
    }

    private BucketItem item(BucketItemCache cache, ResolvedSeries series, Granularity granularity, Instant start) {
        return cache.of(series, granularity, start.getEpochSecond(), start, random, created::add);
    }

    private IndexKey index(ResolvedSeries series, Granularity granularity, Instant start, Instant time) {
        if (!CLICKS.isIndexed(granularity)) {
            return null;
        }
        BucketKey key = new BucketKey(series.key(), granularity, start);
        return new IndexKey(key.indexPartitionKey(CLICKS.scatter().shardOf(time, key.indexSortKey(), random)),
                key.indexSortKey());
    }

    private static ResolvedSeries series(String referrer) {
        SeriesKey key = new SeriesKey("default", CLICKS.name(), new Label(List.of(referrer)), 1, 0);
        return ResolvedSeries.of(key);
    }
}
