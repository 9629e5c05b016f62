package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

import dev.windrow.writer.journal.request.Request;

/**
 * Deletes messages that are claimed, in the order of their claims, once the fine buckets have them: if every writer dies
 * before, they are redelivered, and the writer that is started for them finds the lane. A bucket that rejects updates
 * delays them only for a while, and short memory not at all. Not thread-safe.
 */
final class Deletions {

    /** A message whose claims are known. */
    private record Settled(Object reference, long position, long sinceNanos) {
    }

    private final long deleteAfterNanos;
    private final Deque<Settled> settled = new ArrayDeque<>();
    private int underWay;

    Deletions(long deleteAfterNanos) {
        this.deleteAfterNanos = deleteAfterNanos;
    }

    /** All of a message is claimed, the last of it by a record of the lane up to a position. */
    void settle(Object reference, long position, long nowNanos) {
        settled.add(new Settled(reference, position, nowNanos));
    }

    /**
     * Deletes what may be deleted.
     *
     * @param promptlyApplied the position up to which fine buckets have all records; {@link Long#MAX_VALUE} without a lane,
     *        or if nothing is to wait for them
     */
    void delete(long promptlyApplied, long nowNanos, Consumer<Request> out) {
        while (!settled.isEmpty()) {
            Settled first = settled.element();
            if (first.position > promptlyApplied && nowNanos - first.sinceNanos < deleteAfterNanos) {
                return;
            }
            settled.remove();
            underWay++;
            out.accept(new Request.DeleteMessage(first.reference));
        }
    }

    /** A delete has ended. */
    void deleted() {
        underWay--;
    }

    boolean isIdle() {
        return settled.isEmpty() && underWay == 0;
    }
}
