package dev.windrow.gather.lane;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.query.AbandonedLane;
import dev.windrow.gather.query.TableFreshness;
import dev.windrow.table.Freshness;
import dev.windrow.table.Freshness.Watermark;
import io.smallrye.mutiny.Uni;

/**
 * Caches the lanes for a moment, so that all queries together read them about once in that time; one read is in flight at a
 * time. Thread-safe.
 */
public final class LaneCache {

    private static final StructuredLogger LOG = StructuredLogger.of(LaneCache.class);

    private final LaneReader reader;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final Duration timeout;
    private final Function<Throwable, Reason> reasonOf;
    private final LaneWatch watch;
    private final RefreshedValue<TableFreshness> freshness;

    /**
     * @param refresh how long lanes are used before they are read again
     * @param timeout of a read
     * @param abandonedAfter how long a lane with work may stay unchanged before it counts as abandoned
     * @param reasonOf notes the failure of a read, and gives its reason
     */
    public LaneCache(LaneReader reader, Clock clock, LongSupplier nanoTime, Duration refresh, Duration timeout,
            Duration abandonedAfter, Function<Throwable, Reason> reasonOf) {
        this.reader = reader;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.timeout = timeout;
        this.reasonOf = reasonOf;
        this.watch = new LaneWatch(abandonedAfter.toNanos());
        this.freshness = new RefreshedValue<>(TableFreshness.UNKNOWN, nanoTime, refresh, this::read);
    }

    /** The freshness that the lanes show; never fails. If they cannot be read, the last known freshness and the reason. */
    public Uni<TableFreshness> current() {
        return freshness.current();
    }

    /** How many lanes were abandoned when they were read last. */
    public int abandoned() {
        return freshness.latest().abandoned().size();
    }

    private Uni<TableFreshness> read() {
        long beginMillis = clock.millis();
        long beginNanos = nanoTime.getAsLong();
        return reader.read().ifNoItem().after(timeout).fail()
                .onItem().transform(lanes -> found(lanes, beginMillis, beginNanos))
                .onFailure().recoverWithItem(this::failed);
    }

    private TableFreshness found(List<LaneItem> lanes, long readMillis, long readNanos) {
        List<Watermark> watermarks = lanes.stream().flatMap(lane -> lane.watermarks().stream()).toList();
        List<AbandonedLane> abandoned = watch.see(lanes, readNanos);
        if (freshness.latest().failure().isPresent()) {
            LOG.info("the journal's lanes can be read again");
        }
        return new TableFreshness(Optional.of(new Freshness(readMillis, watermarks)), abandoned, Optional.empty());
    }

    private TableFreshness failed(Throwable failure) {
        Reason reason = reasonOf.apply(failure);
        TableFreshness last = freshness.latest();
        // Logged once per failure, because lanes are read every second.
        if (!last.failure().equals(Optional.of(reason))) {
            LOG.warn("the journal's lanes could not be read; answers use the last known lanes, or have no asOf",
                    LogKey.REASON.of(reason.word()), LogKey.ERROR.of(failure.getMessage()));
        }
        return new TableFreshness(last.lanes(), last.abandoned(), Optional.of(reason));
    }
}
