package dev.windrow.writer.acknowledge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import dev.windrow.writer.aggregate.PendingMessage;

/** The messages in memory, and when each must be hidden anew. Thread-safe. */
public final class Held {

    private final Map<PendingMessage, Long> extendAt = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    /** @param nanoTime a clock that never goes back */
    public Held(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    public void add(PendingMessage message) {
        extendAt.put(message, nextExtension(message));
    }

    /** @return whether it was held until now */
    public boolean remove(PendingMessage message) {
        return extendAt.remove(message) != null;
    }

    public List<PendingMessage> all() {
        return new ArrayList<>(extendAt.keySet());
    }

    public int size() {
        return extendAt.size();
    }

    /** The messages half of whose visibility timeout is over; each is due again after another half. */
    public List<PendingMessage> takeDue() {
        long now = nanoTime.getAsLong();
        List<PendingMessage> due = new ArrayList<>();
        extendAt.forEach((message, at) -> {
            if (now - at >= 0 && extendAt.replace(message, at, nextExtension(message))) {
                due.add(message);
            }
        });
        return due;
    }

    private long nextExtension(PendingMessage message) {
        Duration visibility = message.message().queue().visibility();
        return nanoTime.getAsLong() + visibility.toNanos() / 2;
    }
}
