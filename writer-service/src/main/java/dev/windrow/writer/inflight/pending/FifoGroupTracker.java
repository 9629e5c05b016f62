package dev.windrow.writer.inflight.pending;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.message.Message;

/**
 * The messages of FIFO groups, in order of arrival. They are handed on in that order; this class ensures that they are also
 * deleted in that order, and none while an earlier one is returned to the queue. Messages of other queues pass straight
 * through. Thread-safe.
 */
public final class FifoGroupTracker {

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

    /** Notes a message that was received. */
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
