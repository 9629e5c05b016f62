package dev.windrow.writer.store;

import java.time.Duration;

import dev.windrow.reason.Reason;
import io.smallrye.mutiny.Uni;

/**
 * Bounds how long one request is waited for; a late one may have been applied. The client has the same limit, so that what
 * nobody waits for any more ends as well.
 */
public final class TimeoutWrites implements TableWrites {

    private final TableWrites writes;
    private final Duration timeout;

    public TimeoutWrites(TableWrites writes, Duration timeout) {
        this.writes = writes;
        this.timeout = timeout;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        return Uni.createFrom().deferred(() -> writes.write(write)).ifNoItem().after(timeout)
                .failWith(() -> new WriteFailedException(Reason.TIMED_OUT, "no answer within " + timeout));
    }
}
