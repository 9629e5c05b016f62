package dev.windrow.gather.read;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.GatherOrder;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.ItemFilter;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.ReadSource;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.scatter.Scatter;
import dev.windrow.testing.Patience;
import dev.windrow.time.Granularity;
import io.smallrye.mutiny.Uni;

/** In-memory shards that answer, hang or fail as the test decides. Counts their reads. */
public final class FakeShards implements ShardReader {

    private static final List<Measure> MEASURES = List.of(new Measure("events", MeasureKind.COUNT, null));
    private static final Dataset DATASET = new Dataset("clicks", "click", List.of("referrer"),
            List.of(Granularity.MINUTE), List.of(Granularity.MINUTE), 1, MEASURES, Scatter.hash(1),
            Dedupe.MESSAGE);

    public final AtomicInteger inFlight = new AtomicInteger();
    public final AtomicInteger reads = new AtomicInteger();
    public final AtomicInteger itemsRead = new AtomicInteger();
    private IntPredicate passes = number -> true;
    private final int width;
    private final int itemsPerShard;
    private final Map<Integer, Supplier<Uni<ShardPage>>> told = new HashMap<>();

    public FakeShards(int width, int itemsPerShard) {
        this.width = width;
        this.itemsPerShard = itemsPerShard;
    }

    /** Lets a filter pass some items by their number, which runs through all shards. */
    public FakeShards filtered(IntPredicate passing) {
        passes = passing;
        return this;
    }

    /** Lets a filter pass one of every N items, spread over all shards, as a hash spreads the items of a label. */
    public FakeShards filtered(int oneIn) {
        int all = width * itemsPerShard;
        return filtered(number -> number * 7_919L % all < all / oneIn);
    }

    public FakeShards tell(int shard, Supplier<Uni<ShardPage>> answer) {
        told.put(shard, answer);
        return this;
    }

    public GatherRequest request(long wanted, boolean partial) {
        return request(wanted, partial, Patience.LIMIT);
    }

    public GatherRequest request(long wanted, boolean partial, Duration timeout) {
        List<ShardQuery> shards = IntStream.range(0, width)
                .mapToObj(shard -> new ShardQuery(ReadSource.INDEX, shard, "p#" + shard, "", "", false, false, Instant.EPOCH,
                        List.of(), ItemFilter.ALL))
                .toList();
        return new GatherRequest(new DatasetScope("default", DATASET),
                new QueryPlan(List.of(new QueryPlan.Stage(Granularity.MINUTE, shards))),
                GatherOrder.ASCENDING, wanted, new QueryOptions(timeout, partial, false, false));
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        return Uni.createFrom().deferred(() -> {
            reads.incrementAndGet();
            inFlight.incrementAndGet();
            Supplier<Uni<ShardPage>> otherwise = told.get(read.query().shard());
            Uni<ShardPage> answer = otherwise == null ? Uni.createFrom().item(() -> page(read)) : otherwise.get();
            return answer.onTermination().invoke(inFlight::decrementAndGet);
        });
    }

    private ShardPage page(Read read) {
        int from = read.after().map(after -> Integer.parseInt(after.getOrDefault("i", "0"))).orElse(0);
        return page(read.query().shard(), from, read.limit());
    }

    public ShardPage firstPage(int shard, int limit) {
        return page(shard, 0, limit);
    }

    private ShardPage page(int shard, int from, int limit) {
        int to = Math.min(itemsPerShard, from + limit);
        List<ShardItem> items = new ArrayList<>();
        for (int i = from; i < to; i++) {
            if (!passes.test(i * width + shard)) {
                continue;
            }
            String group = Instant.ofEpochSecond(60L * (i * width + shard)) + "#a";
            items.add(
                    new ShardItem(group + "#0", group, new MeasureValues(MEASURES, List.of(MeasureValue.of(BigDecimal.ONE)))));
        }
        itemsRead.addAndGet(to - from);
        return new ShardPage(items, to < itemsPerShard
                ? Optional.of(Map.of("i", Integer.toString(to)))
                : Optional.empty(), to - from, 0.5);
    }
}
