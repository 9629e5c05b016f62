package dev.windrow.writer.queue;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.decode.Message;

/**
 * The messages of FIFO groups in arrival order. The flow processes them in that order; this class ensures that they are
 * also deleted in that order, and that none is deleted while an earlier one is returned to the queue. Messages of other
 * queues pass straight through. Thread-safe.
 */
public final class FifoGroupTracker {

    private record Group(String queue, String id) {
    }

    /** The messages of each group in arrival order, each with whether it was applied. */
    private final Map<Group, Map<PendingMessage, Boolean>> groups = new HashMap<>();

    public synchronized void add(PendingMessage message) {
        Group group = group(message.message());
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
        Group group = group(message.message());
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

    private static @Nullable Group group(Message message) {
        String group = message.orderedGroup();
        return group == null ? null : new Group(message.queue().url(), group);
    }
}
