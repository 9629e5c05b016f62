package dev.windrow.writer.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import dev.windrow.writer.decode.Message;

/**
 * When the visibility timeout of each message in memory must be extended: only while the message waits, not once it is
 * being deleted or returned, and not while an extension is in flight. Thread-safe.
 */
public final class VisibilityDeadlines {

    private final Map<PendingMessage, Hold> holds = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;
    private volatile boolean late;

    private enum Phase {
        WAITING,
        EXTENDING,
        ENDING
    }

    /** @param extendAt when the extension is due */
    private record Hold(Phase phase, long extendAt) {
    }

    private record Due(PendingMessage message, long since) {
    }

    public VisibilityDeadlines(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    public void add(PendingMessage message) {
        holds.put(message, waiting(message));
    }

    /**
     * Records that a message was redelivered while in memory: it continues under its new receipt, since the old one would
     * no longer delete it. A second copy of the same delivery does not count.
     *
     * @return whether the message continues; if not, the delivery is treated as a separate message
     */
    public boolean renew(PendingMessage pending, Message delivery) {
        AtomicBoolean renewed = new AtomicBoolean();
        holds.computeIfPresent(pending, (message, hold) -> {
            if (hold.phase == Phase.ENDING || delivery.receiveCount() <= message.message().receiveCount()) {
                return hold;
            }
            message.renew(delivery);
            renewed.set(true);
            return waiting(message);
        });
        return renewed.get();
    }

    /** Records that a message is being deleted or returned. */
    public void ending(PendingMessage message) {
        holds.computeIfPresent(message, (key, hold) -> new Hold(Phase.ENDING, hold.extendAt));
    }

    /** @return whether the message was present */
    public boolean remove(PendingMessage message) {
        return holds.remove(message) != null;
    }

    public List<PendingMessage> all() {
        return new ArrayList<>(holds.keySet());
    }

    public int size() {
        return holds.size();
    }

    /**
     * Takes the messages for which half of the visibility timeout has elapsed, most overdue first. None is returned again
     * before its extension {@linkplain #extended has ended}.
     */
    List<PendingMessage> takeDue() {
        long now = nanoTime.getAsLong();
        List<Due> due = new ArrayList<>();
        AtomicBoolean anyLate = new AtomicBoolean();
        holds.forEach((message, hold) -> {
            long since = now - hold.extendAt;
            if (hold.phase == Phase.EXTENDING && since > visibilityNanos(message) / 4) {
                anyLate.set(true);
            }
            if (hold.phase == Phase.WAITING && since >= 0
                    && holds.replace(message, hold, new Hold(Phase.EXTENDING, hold.extendAt))) {
                due.add(new Due(message, since));
            }
        });
        late = anyLate.get();
        due.sort((one, other) -> Long.compare(other.since, one.since));
        return due.stream().map(Due::message).toList();
    }

    /**
     * Whether, at the last check, some message had used three quarters of its visibility timeout without an extension.
     * Further messages would then be redelivered before they are done.
     */
    public boolean isLate() {
        return late;
    }

    /** Whether a due message still needs its extension: it has not ended, and is not being deleted or returned. */
    boolean needsExtension(PendingMessage message) {
        Hold hold = holds.get(message);
        return hold != null && hold.phase == Phase.EXTENDING;
    }

    /** Records that an extension ended, successfully or not: the message is due again after half a timeout. */
    void extended(PendingMessage message) {
        holds.computeIfPresent(message, (key, hold) -> hold.phase == Phase.EXTENDING ? waiting(message) : hold);
    }

    private Hold waiting(PendingMessage message) {
        return new Hold(Phase.WAITING, nanoTime.getAsLong() + visibilityNanos(message) / 2);
    }

    private static long visibilityNanos(PendingMessage message) {
        return message.message().queue().visibility().toNanos();
    }
}
