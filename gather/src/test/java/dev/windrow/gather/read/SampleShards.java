package dev.windrow.gather.read;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.gather.plan.ItemFilter;
import dev.windrow.gather.plan.ReadSource;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.local.LocalAws;
import dev.windrow.scatter.Scatter;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;

/** One hour's minutes of two datasets with one shard each: a few items with difficult labels, and many long ones. */
final class SampleShards {

    static final Granularity MINUTE = Granularity.MINUTE;
    static final Instant HOUR = Instant.parse("2026-11-20T10:00:00Z");
    static final List<String> LABELS = List.of("a", "say \"hi\"\\", "line\r\nbreak", "\u0001", "ü€😀", "", "#$");
    static final Dataset CLICKS = dataset("clicks");
    static final Dataset LARGE = dataset("large");
    static final int LARGE_ITEMS = 1_000;

    private SampleShards() {
    }

    /** Writes the items: the index of a label is the minute of its second event. */
    static void writeTo(LocalAws aws) {
        Aggregated clicks = new Aggregated("default", CLICKS, new SplittableRandom(1));
        for (int i = 0; i < LABELS.size(); i++) {
            clicks.event(Label.of(LABELS.get(i)), HOUR.plusSeconds(60), "12345678901234567890123456.789");
            clicks.event(Label.of(LABELS.get(i)), HOUR.plusSeconds(60L * i).plusMillis(250), "-0.5");
        }
        clicks.writeTo(aws.dynamoDb(), TableSchema.TABLE);
        Aggregated large = new Aggregated("default", LARGE, new SplittableRandom(1));
        IntStream.range(0, LARGE_ITEMS).forEach(i -> large.event(Label.of(i + "x".repeat(700)), HOUR, "1"));
        large.writeTo(aws.dynamoDb(), TableSchema.TABLE);
    }

    static ShardQuery hour(Dataset dataset, boolean descending, String... filters) {
        return new ShardQuery(ReadSource.INDEX, 0, BucketKey.indexPartitionKeyPrefix("default", dataset.name(), MINUTE) + 0,
                HOUR.toString(), HOUR.plusSeconds(3_600).toString(), descending, false, HOUR.plusSeconds(3_600),
                List.of(filters), ItemFilter.ALL);
    }

    static ShardReader.Read firstPage() {
        return read(hour(CLICKS, false), Optional.empty(), 100);
    }

    static ShardReader.Read read(ShardQuery query, Optional<Map<String, String>> after, int limit) {
        return new ShardReader.Read(CLICKS, query, after, limit);
    }

    static SeriesKey series(String label) {
        return new SeriesKey("default", CLICKS.name(), Label.of(label), 0);
    }

    private static Dataset dataset(String name) {
        List<Measure> measures = List.of(new Measure("events", MeasureKind.COUNT, null),
                new Measure("sum", MeasureKind.SUM, "a"), new Measure("last", MeasureKind.LAST, "a"));
        return new Dataset(name, "click", List.of("referrer"), List.of(MINUTE), List.of(MINUTE), 1, measures,
                Scatter.hash(1), Dedupe.MESSAGE);
    }
}
