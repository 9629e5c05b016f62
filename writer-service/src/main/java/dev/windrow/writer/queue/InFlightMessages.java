package dev.windrow.writer.queue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.decode.HeapSize;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MemoryBudgetExceededException;
import dev.windrow.writer.decode.Message;

/**
 * The messages in memory, with the memory that each holds until it ends. A message that is redelivered while in memory is
 * kept only once. Thread-safe.
 */
public final class InFlightMessages {

    private final InFlightLimiter limiter;
    private final VisibilityDeadlines deadlines;
    private final FifoGroupTracker groups;
    private final QueueMetrics metrics;
    private final Map<Key, PendingMessage> byId = new ConcurrentHashMap<>();
    private volatile Consumer<PendingMessage> ended = message -> {
    };

    /** Identifies a message, or a FIFO group, within a queue. */
    private record Key(String queue, String id) {

        static Key of(Message message) {
            return new Key(message.queue().url(), message.id());
        }
    }

    /** @param limiter has already admitted the received messages */
    public InFlightMessages(InFlightLimiter limiter, VisibilityDeadlines deadlines, FifoGroupTracker groups,
            QueueMetrics metrics) {
        this.limiter = limiter;
        this.deadlines = deadlines;
        this.groups = groups;
        this.metrics = metrics;
    }

    public void onEnded(Consumer<PendingMessage> listener) {
        ended = listener;
    }

    /** Adds a received message; null if it is in memory already, where it continues under its new receipt. */
    public @Nullable PendingMessage receive(Message message) {
        PendingMessage known = byId.get(Key.of(message));
        if (known != null && deadlines.renew(known, message)) {
            metrics.redelivered();
            limiter.decoding(HeapSize.of(message));
            limiter.release(HeapSize.of(message));
            return null;
        }
        PendingMessage pending = new PendingMessage(message);
        deadlines.add(pending);
        byId.put(Key.of(message), pending);
        groups.add(pending);
        return pending;
    }

    /**
     * Records memory that a message {@linkplain PendingMessage#hold holds} from now on; false if it has ended.
     *
     * @param allowance what was reserved for decoding, of which this memory is {@linkplain MemoryBudget#keep kept}
     * @throws MemoryBudgetExceededException if more is held than was reserved, and there is not enough memory now
     */
    public boolean hold(PendingMessage pending, long bytes, long unclaimed, MemoryBudget allowance) {
        long kept = allowance.keep(bytes + unclaimed);
        boolean held = pending.hold(bytes, unclaimed);
        if (held) {
            limiter.holdUnclaimed(unclaimed, unclaimed == 0 ? 0 : pending.receivedBytes());
        } else {
            limiter.shrink(kept);
        }
        return held;
    }

    /** Releases the memory of a message's additions, because all of them are claimed. */
    public void claimed(PendingMessage pending) {
        long unclaimed = pending.claimed();
        limiter.shrinkUnclaimed(unclaimed, unclaimed == 0 ? 0 : pending.receivedBytes());
    }

    /** Ends a message and releases its memory; has no effect if it has ended already. */
    void end(PendingMessage pending) {
        byId.remove(Key.of(pending.message()), pending);
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

    public boolean isEmpty() {
        return deadlines.size() == 0;
    }

}
