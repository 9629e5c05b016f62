package dev.windrow.bench.micro;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

import dev.windrow.dataset.Dataset;
import dev.windrow.gather.merge.ShardItem;
import dev.windrow.gather.merge.ShardMerge;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.measure.MeasureValue;

/** The answers of many shards to one sorted sequence. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Merge {

    private static final int SHARDS = 100;
    private static final int ITEMS = 10;

    private final List<List<ShardItem>> shards = shards();

    private static List<List<ShardItem>> shards() {
        Dataset dataset = Samples.DATASETS.all().iterator().next();
        MeasureValue value = MeasureValue.of(BigDecimal.TEN);
        MeasureValues values = new MeasureValues(dataset.measures(), Arrays.asList(value, value));
        List<List<ShardItem>> shards = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            List<ShardItem> items = new ArrayList<>();
            for (int i = 0; i < ITEMS; i++) {
                String key = String.format("2026-11-20T10:%02d:00Z#referrer-%04d#0", i, shard * 37 % SHARDS);
                items.add(new ShardItem(key, key, values));
            }
            shards.add(items);
        }
        return shards;
    }

    @Benchmark
    public void thousandItemsOfAHundredShards(Blackhole hole) {
        ShardMerge merge = new ShardMerge(SHARDS, false);
        for (int shard = 0; shard < SHARDS; shard++) {
            merge.feed(shard, shards.get(shard), true);
        }
        while (merge.hasNext()) {
            hole.consume(merge.next());
        }
    }
}
