package dev.windrow.writer.table;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;

/**
 * Whether the table accepts writes, and what the operator must repair if it does not. An error that may concern a single
 * label, such as denied access, is the table's problem only if no write has succeeded within a minute. Thread-safe.
 */
public final class TableHealth {

    /** How long after a successful write the table counts as accepting writes. */
    private static final long LATELY_NANOS = Duration.ofMinutes(1).toNanos();

    /** Minimum interval between log lines, however many writes fail. */
    private static final long LOG_NANOS = Duration.ofMinutes(1).toNanos();
    private static final StructuredLogger LOG = StructuredLogger.of(TableHealth.class);

    private record Problem(Reason reason, String detail, long nanos) {
    }

    private final LongSupplier nanoTime;
    private volatile @Nullable Long lastSuccess;
    private volatile @Nullable Problem lastProblem;
    private @Nullable Long lastLog;

    public TableHealth(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Records that the table applied a write, or rejected it only because its condition did not hold. */
    void succeeded() {
        lastSuccess = nanoTime.getAsLong();
    }

    synchronized void failed(WriteFailedException failure) {
        if (failure.reason() != Reason.SCHEMA_MISMATCH && !failure.isDenied()) {
            return;
        }
        long now = nanoTime.getAsLong();
        lastProblem = new Problem(failure.reason(), failure.detail(), now);
        Long logged = lastLog;
        if (logged == null || now - logged >= LOG_NANOS) {
            lastLog = now;
            LOG.warn(takesWrites() ? "table denies some writes; unless it accepts them soon, they become dead letters"
                    : "table denies all writes; messages wait in the queue until it accepts writes",
                    LogKey.REASON.of(failure.reason().word()), LogKey.DETAIL.of(failure.detail()));
        }
    }

    /** Whether some write succeeded within the last minute. */
    boolean takesWrites() {
        Long success = lastSuccess;
        return success != null && nanoTime.getAsLong() - success < LATELY_NANOS;
    }

    /** Why the table accepts no writes, as reason and detail; null if it does, or if the operator need not act. */
    public @Nullable String problem() {
        Problem problem = lastProblem;
        Long success = lastSuccess;
        if (problem == null || (success != null && success - problem.nanos >= 0)) {
            return null;
        }
        boolean ofOneLabel = problem.reason != Reason.SCHEMA_MISMATCH && takesWrites();
        return ofOneLabel ? null : problem.reason.word() + ": " + problem.detail;
    }

    /** Wraps reads to record their failures, so that readiness shows a missing permission. */
    public TableReads watching(TableReads reads) {
        return (partitionKey, sortKey) -> reads.read(partitionKey, sortKey).onFailure(WriteFailedException.class)
                .invoke(this::failed);
    }
}
