package dev.windrow.bench.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A standard queue in memory. A received message is hidden until it is deleted or made visible again; visibility timeouts
 * never expire. Thread-safe: the harness fills the queue while the server serves it.
 */
public final class MemoryQueue {

    /** Age of the first backlog: far less than the retention of messages. */
    private static final long BACKLOG_MILLIS = TimeUnit.HOURS.toMillis(6);
    private static final long VERSION_4 = 0x4000L;

    private final Deque<QueuedMessage> visible = new ArrayDeque<>();
    private final Map<String, QueuedMessage> inFlight = new HashMap<>();
    private long sequence;
    private long backlogEnd;
    private long deleted;

    /** Many messages share one body, so a queue of millions stays small. */
    record QueuedMessage(long number, QueuedBody body, long sentAt) {

        /** Returns an id in the form of SQS, which some clients check. */
        String id() {
            return new UUID(VERSION_4, Long.MIN_VALUE | number).toString();
        }

        /** Returns the receipt handle, the same on each delivery. */
        String handle() {
            return Long.toString(number);
        }
    }

    /** Adds one message for each body. */
    public synchronized void send(List<QueuedBody> bodies) {
        long now = System.currentTimeMillis();
        bodies.forEach(body -> visible.addLast(new QueuedMessage(sequence++, body, now)));
    }

    /** Adds a message per body, with sent times at a steady rate that follow the last backlog's or start hours ago. */
    public synchronized void sendBacklog(List<QueuedBody> bodies, double perSecond) {
        long now = System.currentTimeMillis();
        long start = backlogEnd == 0 ? now - BACKLOG_MILLIS : backlogEnd;
        for (int i = 0; i < bodies.size(); i++) {
            backlogEnd = start + (long) ((i + 1) * 1_000 / perSecond);
            visible.addLast(new QueuedMessage(sequence++, bodies.get(i), backlogEnd));
        }
        if (backlogEnd > now) {
            throw new IllegalStateException("more backlog than fits into " + BACKLOG_MILLIS + " ms");
        }
    }

    synchronized List<QueuedMessage> receive(int max) {
        List<QueuedMessage> received = new ArrayList<>(max);
        while (received.size() < max && !visible.isEmpty()) {
            QueuedMessage next = visible.removeFirst();
            inFlight.put(next.handle(), next);
            received.add(next);
        }
        return received;
    }

    synchronized boolean delete(String handle) {
        boolean known = inFlight.remove(handle) != null;
        deleted += known ? 1 : 0;
        return known;
    }

    /** Makes a message visible again if the timeout is 0. Other timeouts change nothing, as they never expire here. */
    synchronized boolean changeVisibility(String handle, long seconds) {
        QueuedMessage message = seconds == 0 ? inFlight.remove(handle) : inFlight.get(handle);
        if (message != null && seconds == 0) {
            visible.addLast(message);
        }
        return message != null;
    }

    /** Makes all received messages visible again, as if their visibility timeout had expired. */
    public synchronized void redeliver() {
        inFlight.values().forEach(visible::addFirst);
        inFlight.clear();
    }

    synchronized int visible() {
        return visible.size();
    }

    synchronized int inFlight() {
        return inFlight.size();
    }

    public synchronized long deleted() {
        return deleted;
    }

}
