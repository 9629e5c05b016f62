package dev.windrow.gather.fanout;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Notices that answers no longer end. Each answer ends by its own deadline, whatever its shards do: one that does not is
 * overdue, and where all are for long, it is this process that is at fault.
 */
final class OverdueQueries {

    private @Nullable Instant first;
    private @Nullable Instant last;

    /** Notes an answer that neither came nor failed by its deadline. */
    synchronized void add(Instant now) {
        first = first == null ? now : first;
        last = now;
    }

    /** Notes an answer that came, or failed for a reason of its own. */
    synchronized void ended() {
        first = null;
        last = null;
    }

    /** From the first to the latest answer that was overdue, if none ended in between; one alone spans nothing. */
    synchronized Duration span() {
        return first == null || last == null ? Duration.ZERO : Duration.between(first, last);
    }
}
