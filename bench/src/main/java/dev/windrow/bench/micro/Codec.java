package dev.windrow.bench.micro;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

import dev.windrow.key.BucketKey;
import dev.windrow.key.Label;
import dev.windrow.key.SeriesKey;
import dev.windrow.scatter.Murmur3;
import dev.windrow.time.Granularity;

/** A bucket's keys written and read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Codec {

    private final BucketKey key = new BucketKey(
            new SeriesKey("default", "clicks", new Label(List.of(Samples.label(1))), 0), Granularity.MINUTE, Samples.START);
    private final String indexSortKey = key.indexSortKey();

    @Benchmark
    public void writeAllKeysOfABucket(Blackhole hole) {
        String sort = key.indexSortKey();
        hole.consume(key.series().partitionKey());
        hole.consume(key.sortKey());
        hole.consume(sort);
        hole.consume(key.indexPartitionKey(Murmur3.bounded(sort, 10)));
    }

    @Benchmark
    public BucketKey readAnIndexSortKey() {
        return BucketKey.ofIndexSortKey("default", "clicks", Granularity.MINUTE, indexSortKey);
    }
}
