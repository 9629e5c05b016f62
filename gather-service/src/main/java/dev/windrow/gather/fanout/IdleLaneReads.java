package dev.windrow.gather.fanout;

import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.lane.LaneCache;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;

/** Reads lanes now and then without any query, so that abandoned ones are noticed at night as well. */
@ApplicationScoped
class IdleLaneReads {

    /** Reads in the time after which a lane counts as abandoned. */
    private static final int READS = 4;

    private @Nullable Cancellable reads;

    void begin(@Observes StartupEvent start, LaneCache lanes, FanoutConfig config) {
        Duration interval = config.lanes().abandonedAfter().dividedBy(READS);
        reads = Multi.createFrom().ticks().onExecutor(Infrastructure.getDefaultWorkerPool()).every(interval)
                .onOverflow().drop()
                .onItem().transformToUniAndConcatenate(tick -> lanes.current())
                .subscribe().with(read -> {
                });
    }

    void end(@Observes ShutdownEvent end) {
        Cancellable begun = reads;
        if (begun != null) {
            begun.cancel();
        }
    }
}
