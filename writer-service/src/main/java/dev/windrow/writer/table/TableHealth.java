package dev.windrow.writer.table;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.table.TableWrites.TableReads;
import dev.windrow.writer.table.TableWrites.WriteFailedException;

/**
 * Whether the table accepts writes, and what the operator must repair if it does not. An error that may concern one label
 * only, such as a denied one, is the table's problem where no write at all has succeeded lately. Thread-safe.
 */
public final class TableHealth {

    /** How long ago a write may have succeeded for the table to count as one that takes writes. */
    private static final long LATELY_NANOS = Duration.ofMinutes(1).toNanos();

    /** At most one line in that time, even if many writes fail. */
    private static final long LOG_NANOS = Duration.ofMinutes(1).toNanos();
    private static final StructuredLogger LOG = StructuredLogger.of(TableHealth.class);

    private record Problem(Reason reason, String detail, long nanos) {
    }

    private final LongSupplier nanoTime;
    private final AtomicReference<@Nullable Long> lastSuccess = new AtomicReference<>();
    private final AtomicReference<@Nullable Problem> lastProblem = new AtomicReference<>();
    private final AtomicReference<@Nullable Long> lastLog = new AtomicReference<>();

    public TableHealth(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The table applied a write, or would have if its condition had held. */
    void succeeded() {
        lastSuccess.set(nanoTime.getAsLong());
    }

    void failed(WriteFailedException failure) {
        if (failure.reason() != Reason.SCHEMA_MISMATCH && !failure.isDenied()) {
            return;
        }
        long now = nanoTime.getAsLong();
        lastProblem.set(new Problem(failure.reason(), failure.detail(), now));
        Long logged = lastLog.get();
        if ((logged == null || now - logged >= LOG_NANOS) && lastLog.compareAndSet(logged, now)) {
            LOG.warn(
                    takesWrites() ? "table denies some writes; unless it accepts them soon, they become dead letters"
                            : "table denies all writes; messages wait in the queue until it accepts writes",
                    LogKey.REASON.of(failure.reason().word()), LogKey.DETAIL.of(failure.detail()));
        }
    }

    /** Whether some write succeeded within the last minute. */
    boolean takesWrites() {
        Long success = lastSuccess.get();
        return success != null && nanoTime.getAsLong() - success < LATELY_NANOS;
    }

    /** Why the table accepts no writes, as reason and detail; null if it does, or if the operator need not act. */
    public @Nullable String problem() {
        Problem problem = lastProblem.get();
        Long success = lastSuccess.get();
        if (problem == null || (success != null && success - problem.nanos >= 0)) {
            return null;
        }
        boolean ofOneLabel = problem.reason != Reason.SCHEMA_MISMATCH && takesWrites();
        return ofOneLabel ? null : problem.reason.word() + ": " + problem.detail;
    }

    /** Reads whose failures are noted, so that readiness shows a missing permission. */
    public TableReads watching(TableReads reads) {
        return (partitionKey, sortKey) -> reads.read(partitionKey, sortKey).onFailure(WriteFailedException.class)
                .invoke(this::failed);
    }
}
