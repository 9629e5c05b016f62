package dev.windrow.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/**
 * A standard queue in memory: a received message is hidden until it is deleted or made visible again; no visibility timeout
 * ends by itself. Thread-safe: the harness fills the queue while the server serves it.
 */
public final class MemoryQueue {

    /** How long ago the first backlog was sent: far less than a message is retained. */
    private static final long BACKLOG_MILLIS = TimeUnit.HOURS.toMillis(6);
    private static final long VERSION_4 = 0x4000L;

    private final String name;
    private final Deque<QueuedMessage> visible = new ArrayDeque<>();
    private final Map<String, QueuedMessage> inFlight = new HashMap<>();
    private long sequence;
    private long backlogEnd;
    private long deleted;

    /** Many messages share one body, so a queue of millions stays small. */
    record QueuedMessage(long number, Body body, long sentAt) {

        /** In the form of SQS, which some clients check. */
        String id() {
            return new UUID(VERSION_4, Long.MIN_VALUE | number).toString();
        }

        /** The same each time it is received. */
        String handle() {
            return Long.toString(number);
        }
    }

    MemoryQueue(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Adds one message for each body. */
    public synchronized void send(List<Body> bodies) {
        long now = System.currentTimeMillis();
        bodies.forEach(body -> visible.addLast(new QueuedMessage(sequence++, body, now)));
    }

    /** Adds a message for each body, sent at a steady rate one after the other, all backlogs together from hours ago on. */
    public synchronized void sendBacklog(List<Body> bodies, double perSecond) {
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

    /** Makes a message visible again if its timeout is 0; any other timeout changes nothing, as none ever ends here. */
    synchronized boolean changeVisibility(String handle, long seconds) {
        QueuedMessage message = seconds == 0 ? inFlight.remove(handle) : inFlight.get(handle);
        if (message != null && seconds == 0) {
            visible.addLast(message);
        }
        return message != null;
    }

    /** Makes all received messages visible again, as if their visibility timeout had ended. */
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

    /** Messages deleted so far. */
    public synchronized long deleted() {
        return deleted;
    }

    /**
     * A message's text, as JSON and with the digest that clients check.
     *
     * @param json the text as a JSON string, quoted
     * @param md5 hexadecimal
     */
    public record Body(String json, String md5) {

        /** Encodes a text once for all messages that carry it. */
        public static Body of(String text) {
            try {
                byte[] digest = MessageDigest.getInstance("MD5").digest(text.getBytes(UTF_8));
                return new Body('"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"',
                        HexFormat.of().formatHex(digest));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
