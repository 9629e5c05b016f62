package dev.windrow.gather.read;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.plan.TableFreshness.AbandonedLane;
import dev.windrow.gather.read.ItemReader.ItemKey;
import dev.windrow.gather.read.ReadProducer.ReadSettings;
import dev.windrow.table.Freshness;
import dev.windrow.table.Freshness.Watermark;
import dev.windrow.table.Lane;
import dev.windrow.table.Lane.LaneCodec;
import dev.windrow.table.Lane.LaneWatch;
import dev.windrow.table.TableSchema;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * Caches the lanes briefly, so that all queries together read them about once per refresh interval; one read is in flight at a
 * time. Thread-safe.
 */
public final class Lanes {

    private static final StructuredLogger LOG = StructuredLogger.of(Lanes.class);

    private final Supplier<Uni<List<Lane>>> lanes;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final Duration timeout;
    private final Consumer<Throwable> failures;
    private final ScheduledExecutorService timer;
    private final LaneWatch watch;
    private final RefreshedValue<TableFreshness> freshness;

    /**
     * @param lanes reads all existing lanes
     * @param refresh how long lanes are used before they are read again
     * @param abandonedAfter how long a lane with work may stay unchanged before it counts as abandoned
     * @param failures receives the failure of each read that fails
     * @param timer ends waits for reads
     */
    public Lanes(Supplier<Uni<List<Lane>>> lanes, Clock clock, LongSupplier nanoTime, Duration refresh, Duration timeout,
            Duration abandonedAfter, Consumer<Throwable> failures, ScheduledExecutorService timer) {
        this.lanes = lanes;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.timeout = timeout;
        this.failures = failures;
        this.timer = timer;
        this.watch = new LaneWatch(abandonedAfter.toNanos());
        this.freshness = new RefreshedValue<>(TableFreshness.UNKNOWN, nanoTime, refresh, this::read);
    }

    /** Returns the freshness that the lanes show, or if they cannot be read, the last known one and the reason; never fails. */
    public Uni<TableFreshness> current() {
        return freshness.current();
    }

    /** The same, with a limit to the wait for a read that other queries may share. */
    public Uni<TableFreshness> current(Duration patience) {
        return freshness.current().ifNoItem().after(TimerDelays.atLeastShortest(patience)).on(timer)
                .recoverWithItem(() -> lastKnown(Reason.TIMED_OUT));
    }

    /** Number of abandoned lanes at the last read. */
    public int abandoned() {
        return freshness.latest().abandoned().size();
    }

    private Uni<TableFreshness> read() {
        long beginMillis = clock.millis();
        long beginNanos = nanoTime.getAsLong();
        return lanes.get().ifNoItem().after(timeout).on(timer)
                .failWith(() -> new GatherException(Reason.TIMED_OUT, "the lanes were not read in time"))
                .onItem().transform(lanes -> found(lanes, beginMillis, beginNanos))
                .onFailure().recoverWithItem(this::failed);
    }

    private TableFreshness found(List<Lane> lanes, long readMillis, long readNanos) {
        List<Watermark> watermarks = lanes.stream().flatMap(lane -> lane.watermarks().stream()).toList();
        watch.see(lanes, readNanos);
        List<AbandonedLane> abandoned = lanes.stream().filter(lane -> watch.isAbandoned(lane, readNanos))
                .map(lane -> new AbandonedLane(lane.number(), lane.holder(), lane.watermarks())).toList();
        if (freshness.latest().failure().isPresent()) {
            LOG.info("the journal's lanes can be read again");
        }
        return new TableFreshness(Optional.of(new Freshness(readMillis, watermarks)), abandoned, Optional.empty());
    }

    private TableFreshness failed(Throwable failure) {
        failures.accept(failure);
        Reason reason = GatherException.reasonOf(failure);
        // Logged once per failure, because lanes are read every second.
        if (!freshness.latest().failure().equals(Optional.of(reason))) {
            LOG.warn("the journal's lanes could not be read; answers use the last known lanes, or have no asOf",
                    LogKey.REASON.of(reason.word()), LogKey.ERROR.of(failure.getMessage()));
        }
        return lastKnown(reason);
    }

    private TableFreshness lastKnown(Reason reason) {
        TableFreshness last = freshness.latest();
        return new TableFreshness(last.lanes(), last.abandoned(), Optional.of(reason));
    }

    /**
     * A value that is cached for a while before it is read again. One read is in flight at a time, and all callers meanwhile
     * share its outcome; a caller that cancels does not cancel it for the others. A failure is not cached: the next caller
     * reads again.
     * <p>
     * Does not use Mutiny's {@code memoize()}: if a subscription races with the outcome, the subscriber may get the item before
     * the subscription (seen with Mutiny 3.1), and {@code chain} behind it fails. Thread-safe.
     */
    public static final class RefreshedValue<T> {

        private final LongSupplier nanoTime;
        private final long refreshNanos;
        private final Supplier<Uni<T>> read;
        private volatile T latest;
        private CompletableFuture<T> outcome;
        private long begunNanos;

        /**
         * @param initial the value before the first read
         * @param refresh how long a value is used, counted from the start of its read
         */
        public RefreshedValue(T initial, LongSupplier nanoTime, Duration refresh, Supplier<Uni<T>> read) {
            this.latest = initial;
            this.nanoTime = nanoTime;
            this.refreshNanos = refresh.toNanos();
            this.read = read;
            this.outcome = CompletableFuture.completedFuture(initial);
            this.begunNanos = nanoTime.getAsLong() - refreshNanos;
        }

        /** Returns the value, read again if it is too old. */
        public Uni<T> current() {
            // Returns copies, because cancelling the Uni cancels its future.
            return Uni.createFrom().completionStage(() -> {
                CompletableFuture<T> begun = new CompletableFuture<>();
                synchronized (this) {
                    long now = nanoTime.getAsLong();
                    boolean fresh = !outcome.isCompletedExceptionally() && now - begunNanos < refreshNanos;
                    if (!outcome.isDone() || fresh) {
                        return outcome.copy();
                    }
                    outcome = begun;
                    begunNanos = now;
                }
                Cancellable unused = Uni.createFrom().deferred(read::get).onItem().invoke(value -> latest = value)
                        .subscribe().with(begun::complete, begun::completeExceptionally);
                return begun.copy();
            });
        }

        public T latest() {
            return latest;
        }
    }

    /**
     * Reads lanes as items of the table. Existing lanes have the lowest numbers and are never deleted, so it reads the known
     * ones and one more, and goes on only if that exists as well.
     */
    static final class DynamoLaneReader {

        private final ItemReader items;
        private volatile int known;

        /** @param items retries transient failures */
        DynamoLaneReader(ItemReader items) {
            this.items = items;
        }

        /** Reads all existing lanes, with strong consistency; none in a table without a journal. */
        Uni<List<Lane>> read() {
            return Uni.createFrom().deferred(() -> read(List.of(), 0, known + 1));
        }

        /**
         * Reads further lanes.
         *
         * @param lanes the lanes read so far
         * @param from number of the first lane to read, inclusive
         * @param to number of the last lane to read, exclusive
         */
        private Uni<List<Lane>> read(List<Lane> lanes, int from, int to) {
            int end = Math.min(to, TableSchema.MAX_LANES);
            List<ItemKey> keys = IntStream.range(from, end)
                    .mapToObj(lane -> new ItemKey(TableSchema.lanePartitionKey(lane), TableSchema.LANE_SK)).toList();
            return items.read(keys, LaneCodec.ATTRIBUTES, true).onItem().transformToUni(found -> {
                List<Lane> all = new ArrayList<>(lanes);
                found.texts().stream().map(DynamoLaneReader::lane).forEach(all::add);
                all.sort((a, b) -> Integer.compare(a.number(), b.number()));
                // There may be gaps, as items can be lost.
                int highest = all.isEmpty() ? -1 : all.get(all.size() - 1).number();
                if (highest == end - 1 && end < TableSchema.MAX_LANES) {
                    return read(all, end, 2 * end);
                }
                known = Math.max(known, highest + 1);
                return Uni.createFrom().item(all);
            });
        }

        /** @throws GatherException if it is malformed: it may have claimed anything, so the others prove nothing without it */
        private static Lane lane(Map<String, String> texts) {
            try {
                return LaneCodec.decode(TableSchema.laneNumber(texts.getOrDefault(TableSchema.PK, "")), new Texts(texts));
            } catch (IllegalArgumentException e) {
                throw new GatherException(Reason.UNAVAILABLE, e);
            }
        }

        /** Attributes as text, numbers included. */
        private record Texts(Map<String, String> texts) implements LaneCodec.Attributes {

            @Override
            public long number(String attribute) {
                return Long.parseLong(texts.getOrDefault(attribute, "0"));
            }

            @Override
            public String text(String attribute) {
                return texts.getOrDefault(attribute, "");
            }
        }
    }

    /** Reads lanes periodically even without queries, so that abandoned ones are noticed in quiet hours as well. */
    @ApplicationScoped
    static class IdleLaneReads {

        /** Number of reads in the time after which a lane counts as abandoned. */
        private static final int READS = 4;

        private Cancellable reads = () -> {
        };

        void begin(@Observes StartupEvent start, Lanes lanes, ReadSettings settings) {
            Duration interval = settings.abandonedAfter().dividedBy(READS);
            reads = Multi.createFrom().ticks().onExecutor(Infrastructure.getDefaultWorkerPool()).every(interval)
                    .onOverflow().drop()
                    .onItem().transformToUniAndConcatenate(tick -> lanes.current())
                    .subscribe().with(read -> {
                    });
        }

        void end(@Observes ShutdownEvent end) {
            reads.cancel();
        }
    }
}
