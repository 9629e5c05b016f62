package dev.windrow.writer.acknowledge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import dev.windrow.writer.aggregate.PendingMessage;

/**
 * The messages in memory, and when each must be hidden anew: only as long as it waits, not once it is being deleted or
 * handed back, and not again while an extension is on its way. Thread-safe.
 */
public final class Held {

    private final Map<PendingMessage, Hold> holds = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;
    /** No message that waits is due before: as a rule there is nothing to look through. */
    private final AtomicLong earliest;

    private enum Phase {
        WAITING,
        EXTENDING,
        ENDING
    }

    /** @param extendAt when it is due, while it waits */
    private record Hold(Phase phase, long extendAt) {
    }

    private record Due(PendingMessage message, long since) {
    }

    /** @param nanoTime a clock that never goes back */
    public Held(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.earliest = new AtomicLong(nanoTime.getAsLong());
    }

    public void add(PendingMessage message) {
        Hold hold = waiting(message);
        holds.put(message, hold);
        // After it can be found: a look through that missed it must not make it forgotten.
        lookAt(hold.extendAt);
    }

    /** Notes that a message is being deleted or handed back. */
    public void ending(PendingMessage message) {
        holds.computeIfPresent(message, (key, hold) -> new Hold(Phase.ENDING, hold.extendAt));
    }

    /** @return whether it was held until now */
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
     * The messages half of whose visibility timeout is over, the longest overdue first. None comes again before its
     * extension {@linkplain #extended has ended}.
     */
    public List<PendingMessage> takeDue() {
        long now = nanoTime.getAsLong();
        if (now - earliest.get() < 0) {
            return List.of();
        }
        earliest.set(now + Long.MAX_VALUE / 2);
        List<Due> due = new ArrayList<>();
        holds.forEach((message, hold) -> {
            long since = now - hold.extendAt;
            if (hold.phase == Phase.WAITING && since < 0) {
                lookAt(hold.extendAt);
            }
            if (hold.phase == Phase.WAITING && since >= 0
                    && holds.replace(message, hold, new Hold(Phase.EXTENDING, hold.extendAt))) {
                due.add(new Due(message, since));
            }
        });
        due.sort((one, other) -> Long.compare(other.since, one.since));
        return due.stream().map(Due::message).toList();
    }

    /** Whether a message that was due still waits. */
    public boolean needsExtension(PendingMessage message) {
        Hold hold = holds.get(message);
        return hold != null && hold.phase == Phase.EXTENDING;
    }

    /** Notes that an extension ended, well or not: the message is due again after another half. */
    public void extended(PendingMessage message) {
        Hold now = holds.computeIfPresent(message,
                (key, hold) -> hold.phase == Phase.EXTENDING ? waiting(message) : hold);
        if (now != null) {
            lookAt(now.extendAt);
        }
    }

    private void lookAt(long time) {
        earliest.accumulateAndGet(time, (one, other) -> one - other < 0 ? one : other);
    }

    private Hold waiting(PendingMessage message) {
        Duration visibility = message.message().queue().visibility();
        return new Hold(Phase.WAITING, nanoTime.getAsLong() + visibility.toNanos() / 2);
    }
}
