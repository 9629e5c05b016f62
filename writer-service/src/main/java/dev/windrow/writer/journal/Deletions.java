package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;

import dev.windrow.writer.journal.claim.JournalMessage;
import dev.windrow.writer.journal.claim.MessageState;
import dev.windrow.writer.journal.request.Request;

/**
 * Deletes messages that are claimed, in the order of their claims, once the fine buckets have them: if every writer dies
 * before, they come again, and whoever is started for them finds the lane. A bucket in trouble holds them only for a while.
 * Not thread-safe.
 */
final class Deletions {

    /** A message whose claims are known. */
    private record Settled(MessageState message, long position, long sinceNanos) {
    }

    private final long deleteAfterNanos;
    private final Deque<Settled> settled = new ArrayDeque<>();
    private final Map<JournalMessage, MessageState> awaitingRejects = new IdentityHashMap<>();
    private int underWay;

    Deletions(long deleteAfterNanos) {
        this.deleteAfterNanos = deleteAfterNanos;
    }

    /** Sends what of a message was rejected; it is not deleted before. */
    void receive(MessageState message, Consumer<Request> out) {
        if (message.message().hasRejects()) {
            awaitingRejects.put(message.message(), message);
            out.accept(new Request.SendRejects(message.message()));
        }
    }

    /** All of a message is claimed, the last of it by a record of the lane up to a position. */
    void settle(MessageState message, long position, long nowNanos) {
        settled.add(new Settled(message, position, nowNanos));
    }

    /** What of a message was rejected is in the dead-letter queue. */
    void rejectsSent(JournalMessage message, Consumer<Request> out) {
        MessageState state = awaitingRejects.remove(message);
        if (state != null) {
            state.rejectsSent();
            if (state.isDeletable()) {
                delete(message, out);
            }
        }
    }

    /**
     * Deletes what may be deleted.
     *
     * @param promptlyApplied the position up to which fine buckets have all records; {@link Long#MAX_VALUE} without a lane
     */
    void delete(long promptlyApplied, long nowNanos, Consumer<Request> out) {
        while (!settled.isEmpty()) {
            Settled first = settled.element();
            if (first.position > promptlyApplied && nowNanos - first.sinceNanos < deleteAfterNanos) {
                return;
            }
            settled.remove();
            first.message.release();
            if (first.message.isDeletable()) {
                delete(first.message.message(), out);
            }
        }
    }

    private void delete(JournalMessage message, Consumer<Request> out) {
        underWay++;
        out.accept(new Request.DeleteMessage(message));
    }

    /** A delete has ended. */
    void deleted() {
        underWay--;
    }

    boolean isIdle() {
        return settled.isEmpty() && underWay == 0 && awaitingRejects.isEmpty();
    }
}
