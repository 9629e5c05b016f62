package dev.windrow.writer.queue;

import java.util.ArrayList;
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
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.HeapSize;
import dev.windrow.writer.queue.Visibility.VisibilityDeadlines;

/**
 * The messages in memory, each with the memory it holds, which is released once, when the message ends. A message that is
 * redelivered meanwhile is held once. Thread-safe.
 */
public final class InFlightMessages {

    private final InFlightLimiter limiter;
    private final VisibilityDeadlines deadlines;
    private final FifoGroupTracker groups;
    private final QueueMetrics metrics;
    private final Map<Key, PendingMessage> byId = new ConcurrentHashMap<>();
    private volatile Consumer<PendingMessage> ended = message -> {
    };

    /** A message of a queue, or an ordered group of its messages. */
    private record Key(String queue, String id) {

        static Key of(Message message) {
            return new Key(message.queue().url(), message.id());
        }
    }

    /** @param limiter has admitted the messages that are received */
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

    /** Takes a message that was received; null if it is in memory already, and continues under its new receipt. */
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

    /** Notes memory that a message {@linkplain PendingMessage#hold holds} from now on; false if it has ended meanwhile. */
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

    boolean isEmpty() {
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
        /** Those of the held bytes that are for what the message adds. */
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

        /** The message was redelivered: it continues under its new receipt. */
        public void renew(Message delivery) {
            message = delivery;
        }

        /** Notes what of the message cannot be counted, and with which attributes. */
        public void reject(DecodeResult decoded) {
            rejected = decoded;
        }

        /** What the message was read as, if events of it were rejected. */
        public @Nullable DecodeResult rejected() {
            return rejected;
        }

        /** Estimated heap size when it was received, in bytes. */
        public long receivedBytes() {
            return receivedBytes;
        }

        /** It no longer waits to be decoded. @return the bytes that waited with it; 0 if it did not wait */
        public synchronized long beginDecoding() {
            long waited = undecoded ? receivedBytes : 0;
            undecoded = false;
            return waited;
        }

        /**
         * Notes memory that it holds from now on.
         *
         * @param bytes held until the message ends
         * @param unclaimed further bytes, held until all that the message adds is claimed
         * @return false, with nothing noted, if the message has ended
         */
        public synchronized boolean hold(long bytes, long unclaimed) {
            if (!released) {
                heldBytes += bytes + unclaimed;
                unclaimedBytes += unclaimed;
            }
            return !released;
        }

        /** All that the message adds is claimed, or the message has ended. @return the bytes that were held for that */
        public synchronized long claimed() {
            long claimed = unclaimedBytes;
            unclaimedBytes = 0;
            heldBytes -= claimed;
            return claimed;
        }

        /** The message has ended. @return the memory that it held, in bytes, without what {@link #claimed()} returns */
        public synchronized long release() {
            released = true;
            return heldBytes - unclaimedBytes;
        }

        /** Notes that a part of it can never be counted; the message ends with the rest. */
        public void fail(MessageFailure cause) {
            failure = cause;
        }

        /** Why a part of it cannot be counted; null if nothing failed so far. */
        public @Nullable MessageFailure failure() {
            return failure;
        }

        /** Gives the message up, as it will be redelivered. */
        public void abandon() {
            abandoned = true;
        }

        public boolean isAbandoned() {
            return abandoned;
        }
    }

    /** Why a message could not be counted: with {@link Reason#REFUSED} it never can be. */
    public record MessageFailure(Reason reason, String detail) {

        /** Whether no retry can help. */
        boolean isFinal() {
            return reason == Reason.REFUSED;
        }
    }

    /**
     * The messages of FIFO groups, in order of arrival. They are handed on in that order; this class ensures that they are also
     * deleted in that order, and none while an earlier one is returned to the queue. Messages of other queues pass straight
     * through. Thread-safe.
     */
    public static final class FifoGroupTracker {

        /** Of each group in order of arrival, each with whether it was applied. */
        private final Map<Key, Map<PendingMessage, Boolean>> groups = new HashMap<>();

        public synchronized void add(PendingMessage message) {
            Key group = group(message.message());
            if (group != null) {
                groups.computeIfAbsent(group, key -> new LinkedHashMap<>()).put(message, false);
            }
        }

        /** Notes that a message was applied. @return the messages that may be deleted now, in order */
        public synchronized List<PendingMessage> applied(PendingMessage message) {
            return end(message, members -> {
                members.replace(message, true);
                return members.entrySet().stream().takeWhile(Map.Entry::getValue).map(Map.Entry::getKey).toList();
            });
        }

        /**
         * Notes that a message is returned to its queue. @return it and all later ones of its group, which must be returned too
         */
        public synchronized List<PendingMessage> failed(PendingMessage message) {
            return end(message, members -> {
                List<PendingMessage> all = List.copyOf(members.keySet());
                List<PendingMessage> back = new ArrayList<>(List.of(message));
                back.addAll(all.subList(all.indexOf(message) + 1, all.size()));
                return back;
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
