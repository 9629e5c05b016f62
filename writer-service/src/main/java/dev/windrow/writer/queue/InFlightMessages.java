package dev.windrow.writer.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

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
            QueueMetrics metrics) {
        this.limiter = limiter;
        this.deadlines = deadlines;
        this.groups = groups;
        this.metrics = metrics;
    }

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

        /**
         * Notes what of the message cannot be counted.
         *
         * @param decoded also has its attributes
         */
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

    /**
     * Why a message could not be counted.
     *
     * @param reason {@link Reason#REFUSED} if it never can be
     */
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

        private final Map<Group, Deque<Member>> groups = new HashMap<>();

        private record Group(String queue, String id) {
        }

        private static final class Member {

            private final PendingMessage message;
            private boolean done;

            Member(PendingMessage message) {
                this.message = message;
            }
        }

        public synchronized void add(PendingMessage message) {
            Group group = group(message.message());
            if (group != null) {
                groups.computeIfAbsent(group, key -> new ArrayDeque<>()).add(new Member(message));
            }
        }

        /** Notes that a message was applied. @return the messages that may be deleted now, in order */
        public synchronized List<PendingMessage> applied(PendingMessage message) {
            Group group = group(message.message());
            if (group == null) {
                return List.of(message);
            }
            Deque<Member> members = groups.getOrDefault(group, new ArrayDeque<>());
            members.stream().filter(member -> member.message == message).forEach(member -> member.done = true);
            List<PendingMessage> ready = new ArrayList<>();
            while (!members.isEmpty() && members.peek().done) {
                ready.add(members.remove().message);
            }
            forgetIfEmpty(group, members);
            return ready;
        }

        /**
         * Notes that a message is returned to its queue. @return it and all later ones of its group, which must be returned too
         */
        public synchronized List<PendingMessage> failed(PendingMessage message) {
            Group group = group(message.message());
            if (group == null) {
                return List.of(message);
            }
            List<PendingMessage> back = new ArrayList<>();
            Deque<Member> members = groups.getOrDefault(group, new ArrayDeque<>());
            while (!members.isEmpty() && members.peekLast().message != message) {
                back.add(0, members.removeLast().message);
            }
            if (!members.isEmpty()) {
                members.removeLast();
            }
            back.add(0, message);
            forgetIfEmpty(group, members);
            return back;
        }

        private void forgetIfEmpty(Group group, Deque<Member> members) {
            if (members.isEmpty()) {
                groups.remove(group);
            }
        }

        private static @Nullable Group group(Message message) {
            String group = message.orderedGroup();
            return group == null ? null : new Group(message.queue().url(), group);
        }
    }
}
