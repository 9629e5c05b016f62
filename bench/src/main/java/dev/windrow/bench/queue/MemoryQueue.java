package dev.windrow.bench.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A standard queue: received messages are hidden until deleted or until their visibility ends. Thread-safe: the harness
 * fills it while the server serves it.
 */
public final class MemoryQueue {

    /** How long ago the first backlog began: far less than a message is kept. */
    private static final long BACKLOG_MILLIS = TimeUnit.HOURS.toMillis(6);

    private final String name;
    private final LongSupplier millis;
    private final long visibilityMillis;
    private final Deque<QueuedMessage> visible = new ArrayDeque<>();
    private final Map<String, InFlight> inFlight = new HashMap<>();
    private final PriorityQueue<Deadline> deadlines = new PriorityQueue<>();
    private long sequence;
    private long backlogEnd;
    private long deleted;
    private long received;

    private record Deadline(long at, String handle) implements Comparable<Deadline> {
        @Override
        public int compareTo(Deadline other) {
            return Long.compare(at, other.at);
        }
    }

    private record InFlight(QueuedMessage message, long until) {
    }

    /** A message handed out, and the handle that deletes it. */
    record Handed(QueuedMessage message, String handle) {
    }

    /**
     * @param name the queue's name
     * @param millis the time in milliseconds since the epoch
     * @param visibilityMillis how long a received message is hidden
     */
    public MemoryQueue(String name, LongSupplier millis, long visibilityMillis) {
        this.name = name;
        this.millis = millis;
        this.visibilityMillis = visibilityMillis;
    }

    /** The queue's name. */
    public String name() {
        return name;
    }

    /** Adds one message for each body. */
    public synchronized void send(List<Body> bodies) {
        long now = millis.getAsLong();
        for (Body body : bodies) {
            sequence++;
            visible.addLast(new QueuedMessage(name + "-" + sequence, body, now));
        }
    }

    /**
     * Adds one message for each body, as a backlog: sent one after the other, all backlogs together from some hours ago on.
     *
     * @param perSecond messages a second
     */
    public synchronized void sendBacklog(List<Body> bodies, double perSecond) {
        long begin = backlogEnd == 0 ? millis.getAsLong() - BACKLOG_MILLIS : backlogEnd;
        for (int i = 0; i < bodies.size(); i++) {
            sequence++;
            backlogEnd = begin + (long) ((i + 1) * 1_000 / perSecond);
            visible.addLast(new QueuedMessage(name + "-" + sequence, bodies.get(i), backlogEnd));
        }
        if (backlogEnd > millis.getAsLong()) {
            throw new IllegalStateException("backlogs of more than the time since they began");
        }
    }

    synchronized List<Handed> receive(int most) {
        long now = millis.getAsLong();
        showAgain(now);
        List<Handed> handed = new ArrayList<>(most);
        while (handed.size() < most && !visible.isEmpty()) {
            QueuedMessage message = visible.removeFirst();
            received++;
            String handle = message.id() + ":" + received;
            hide(handle, message, now + visibilityMillis);
            handed.add(new Handed(message, handle));
        }
        return handed;
    }

    synchronized boolean delete(String handle) {
        boolean known = inFlight.remove(handle) != null;
        deleted += known ? 1 : 0;
        return known;
    }

    synchronized boolean changeVisibility(String handle, long millisFromNow) {
        InFlight hidden = inFlight.get(handle);
        if (hidden == null) {
            return false;
        }
        hide(handle, hidden.message(), millis.getAsLong() + millisFromNow);
        return true;
    }

    private void hide(String handle, QueuedMessage message, long until) {
        inFlight.put(handle, new InFlight(message, until));
        deadlines.add(new Deadline(until, handle));
    }

    private void showAgain(long now) {
        while (!deadlines.isEmpty() && deadlines.peek().at() <= now) {
            Deadline deadline = deadlines.remove();
            InFlight hidden = inFlight.get(deadline.handle());
            if (hidden != null && hidden.until() == deadline.at()) {
                inFlight.remove(deadline.handle());
                visible.addLast(hidden.message());
            }
        }
    }

    /** Messages that can be received. */
    public synchronized int visible() {
        showAgain(millis.getAsLong());
        return visible.size();
    }

    /** Messages received and not yet deleted. */
    public synchronized int hidden() {
        return inFlight.size();
    }

    /** Messages deleted since the queue was made. */
    public synchronized long deleted() {
        return deleted;
    }

    /** Forgets every message that was not received yet. */
    public synchronized void purge() {
        visible.clear();
    }

    long visibilityMillis() {
        return visibilityMillis;
    }
}
