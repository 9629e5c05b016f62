package dev.windrow.gather.read;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.base.TimerDelays;
import dev.windrow.gather.plan.AbandonedLane;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.table.Freshness;
import dev.windrow.table.Lane;
import dev.windrow.table.LaneWatch;
import dev.windrow.table.Watermark;
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
