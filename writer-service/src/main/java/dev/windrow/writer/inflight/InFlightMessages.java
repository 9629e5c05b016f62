package dev.windrow.writer.inflight;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.inflight.pending.FifoGroupTracker;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.inflight.pending.VisibilityDeadlines;
import dev.windrow.writer.message.HeapSize;
import dev.windrow.writer.message.Message;

/**
 * The messages in memory, each with the memory it holds, which is released once, when the message ends. A message that is
 * redelivered meanwhile is held once. Thread-safe.
 */
public final class InFlightMessages {

    private final InFlightLimiter limiter;
    private final VisibilityDeadlines deadlines;
    private final FifoGroupTracker groups;
    private final InFlightMetrics metrics;
    private final Map<Id, PendingMessage> byId = new ConcurrentHashMap<>();
    private volatile Consumer<PendingMessage> ended = message -> {
    };

    private record Id(String queue, String message) {

        static Id of(Message message) {
            return new Id(message.queue().url(), message.id());
        }
    }

    /** @param limiter has admitted the messages that are received */
    public InFlightMessages(InFlightLimiter limiter, VisibilityDeadlines deadlines, FifoGroupTracker groups,
            InFlightMetrics metrics) {
        this.limiter = limiter;
        this.deadlines = deadlines;
        this.groups = groups;
        this.metrics = metrics;
    }

    /** Sets the listener for messages that have ended. */
    public void onEnded(Consumer<PendingMessage> listener) {
        ended = listener;
    }

    /**
     * Takes a message that was received.
     *
     * @return null if it is in memory already, and continues under its new receipt
     */
    public @Nullable PendingMessage receive(Message message) {
        PendingMessage known = byId.get(Id.of(message));
        if (known != null && deadlines.renew(known, message)) {
            metrics.redelivered();
            limiter.decoding(HeapSize.of(message));
            limiter.release(HeapSize.of(message));
            return null;
        }
        PendingMessage pending = new PendingMessage(message);
        deadlines.add(pending);
        byId.put(Id.of(message), pending);
        groups.add(pending);
        return pending;
    }

    /**
     * Notes memory that a message holds from now on.
     *
     * @param bytes held until the message ends
     * @param unclaimed further bytes, held until all that the message adds is claimed
     * @return false if the message has ended meanwhile
     */
    public boolean hold(PendingMessage pending, long bytes, long unclaimed) {
        boolean held = pending.hold(bytes, unclaimed);
        if (held) {
            limiter.grow(bytes);
            limiter.growUnclaimed(unclaimed);
        }
        return held;
    }

    /** Releases the memory of what a message adds, as all of it is claimed. */
    public void claimed(PendingMessage pending) {
        limiter.shrinkUnclaimed(pending.claimed());
    }

    /** Releases what a message holds, once. */
    void end(PendingMessage pending) {
        byId.remove(Id.of(pending.message()), pending);
        if (deadlines.remove(pending)) {
            limiter.decoding(pending.beginDecoding());
            limiter.release(pending.release());
            claimed(pending);
            ended.accept(pending);
        }
    }

    List<PendingMessage> all() {
        return deadlines.all();
    }

    boolean isEmpty() {
        return deadlines.size() == 0;
    }
}
