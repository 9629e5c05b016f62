package dev.windrow.writer.queue;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.writer.decode.EventDecoder.DecodeResult;
import dev.windrow.writer.decode.EventDecoder.MemoryBudget;
import dev.windrow.writer.decode.EventDecoder.MemoryBudget.MemoryBudgetExceededException;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.HeapSize;
import dev.windrow.writer.queue.Visibility.VisibilityDeadlines;

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

    /** A received message on its way to being counted. Thread-safe. */
    public static final class PendingMessage {

        private volatile Message message;
        private volatile @Nullable MessageFailure failure;
        private volatile boolean abandoned;
        private volatile @Nullable DecodeResult rejected;
        private final long receivedBytes;
        private long heldBytes;
        /** The part of the held bytes that is for additions not claimed yet. */
        private long unclaimedBytes;
        private boolean undecoded = true;
        private boolean released;

        public PendingMessage(Message message) {
            this.message = message;
            this.receivedBytes = HeapSize.of(message);
            this.heldBytes = receivedBytes;
        }

        public Message message() {
            return message;
        }

        /** Continues a redelivered message under its new receipt. */
        public void renew(Message delivery) {
            message = delivery;
        }

        /** Records the events of the message that cannot be counted, with its attributes. */
        public void reject(DecodeResult decoded) {
            rejected = decoded;
        }

        /** The decoded message if some of its events were rejected, else null. */
        public @Nullable DecodeResult rejected() {
            return rejected;
        }

        /** Estimated heap size of the message as received, in bytes. */
        public long receivedBytes() {
            return receivedBytes;
        }

        /** Ends the wait for decoding. @return the bytes that were waiting; 0 if the wait had ended before */
        public synchronized long beginDecoding() {
            long waited = undecoded ? receivedBytes : 0;
            undecoded = false;
            return waited;
        }

        /**
         * Records memory that the message holds from now on.
         *
         * @param bytes held until the message ends
         * @param unclaimed further bytes, held until all additions of the message are claimed
         * @return false, with nothing recorded, if the message has ended
         */
        public synchronized boolean hold(long bytes, long unclaimed) {
            if (!released) {
                heldBytes += bytes + unclaimed;
                unclaimedBytes += unclaimed;
            }
            return !released;
        }

        /** Called when all additions are claimed, or the message has ended. @return the bytes that were held for them */
        public synchronized long claimed() {
            long claimed = unclaimedBytes;
            unclaimedBytes = 0;
            heldBytes -= claimed;
            return claimed;
        }

        /** Ends the message. @return the memory that it held, in bytes, without what {@link #claimed()} returns */
        public synchronized long release() {
            released = true;
            return heldBytes - unclaimedBytes;
        }

        /** Records that a part of the message can never be counted; the message goes on until the rest is claimed. */
        public void fail(MessageFailure cause) {
            failure = cause;
        }

        /** Why a part of the message cannot be counted; null if nothing has failed so far. */
        public @Nullable MessageFailure failure() {
            return failure;
        }

        /** Gives up the message, because it will be redelivered. */
        public void abandon() {
            abandoned = true;
        }

        public boolean isAbandoned() {
            return abandoned;
        }
    }

    /** Why a message could not be counted; {@link Reason#REFUSED} means that it never can be. */
    public record MessageFailure(Reason reason, String detail) {

        /** Whether no retry can help. */
        boolean isFinal() {
            return reason == Reason.REFUSED;
        }
    }

    /**
     * The messages of FIFO groups in arrival order. The flow processes them in that order; this class ensures that they are
     * also deleted in that order, and that none is deleted while an earlier one is returned to the queue. Messages of other
     * queues pass straight through. Thread-safe.
     */
    public static final class FifoGroupTracker {

        /** The messages of each group in arrival order, each with whether it was applied. */
        private final Map<Key, Map<PendingMessage, Boolean>> groups = new HashMap<>();

        public synchronized void add(PendingMessage message) {
            Key group = group(message.message());
            if (group != null) {
                groups.computeIfAbsent(group, key -> new LinkedHashMap<>()).put(message, false);
            }
        }

        /** Records that a message was applied. @return the messages that may be deleted now, in order */
        public synchronized List<PendingMessage> applied(PendingMessage message) {
            return end(message, members -> {
                members.replace(message, true);
                return members.entrySet().stream().takeWhile(Map.Entry::getValue).map(Map.Entry::getKey).toList();
            });
        }

        /**
         * Records that a message is returned to its queue.
         *
         * @return it and all later ones of its group, to be returned as well; none if it was returned with an earlier one
         */
        public synchronized List<PendingMessage> failed(PendingMessage message) {
            return end(message, members -> {
                List<PendingMessage> all = List.copyOf(members.keySet());
                int first = all.indexOf(message);
                return first < 0 ? List.of() : all.subList(first, all.size());
            });
        }

        private List<PendingMessage> end(PendingMessage message,
                Function<Map<PendingMessage, Boolean>, List<PendingMessage>> ending) {
            Key group = group(message.message());
            if (group == null) {
                return List.of(message);
            }
            Map<PendingMessage, Boolean> members = groups.getOrDefault(group, new LinkedHashMap<>());
            List<PendingMessage> ended = ending.apply(members);
            ended.forEach(members::remove);
            if (members.isEmpty()) {
                groups.remove(group);
            }
            return ended;
        }

        private static @Nullable Key group(Message message) {
            String group = message.orderedGroup();
            return group == null ? null : new Key(message.queue().url(), group);
        }
    }
}
