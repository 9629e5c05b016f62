package dev.windrow.writer.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Bounds what is in memory: a receive takes room before it begins, and each message gives its part back when it is done
 * with, however that ends. Thread-safe.
 */
public final class Room {

    private final int mostMessages;
    private final long mostBytes;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    /** Messages that receives under way may bring. */
    private int reserved;
    private int messages;
    private long bytes;
    private boolean closed;

    private record Waiter(int messages, UniEmitter<? super Integer> emitter) {
    }

    public Room(int mostMessages, long mostBytes) {
        this.mostMessages = mostMessages;
        this.mostBytes = mostBytes;
    }

    /** Completes with the number of messages that room was taken for, once there is room for as many. */
    public Uni<Integer> take(int wanted) {
        int taken = Math.min(wanted, mostMessages);
        return Uni.createFrom().emitter(emitter -> {
            Waiter waiter = new Waiter(taken, emitter);
            emitter.onTermination(() -> forget(waiter));
            synchronized (this) {
                waiters.add(waiter);
            }
            admit();
        });
    }

    /** Replaces room that was taken for a receive by what was received. */
    public void settle(int taken, int received, long receivedBytes) {
        synchronized (this) {
            reserved -= taken;
            messages += received;
            bytes += receivedBytes;
        }
        admit();
    }

    /** Gives back the room of one message. */
    public void release(long messageBytes) {
        synchronized (this) {
            messages--;
            bytes -= messageBytes;
        }
        admit();
    }

    /** Lets no receive begin, or lets them again. */
    public void close(boolean closing) {
        boolean opened;
        synchronized (this) {
            opened = closed && !closing;
            closed = closing;
        }
        if (opened) {
            admit();
        }
    }

    /** Whether a receive is waiting for room. */
    public synchronized boolean isFull() {
        return !waiters.isEmpty();
    }

    /** Messages in memory; what receives under way may bring is not among them. */
    public synchronized int messages() {
        return messages;
    }

    /** Bytes of messages in memory. */
    public synchronized long bytes() {
        return bytes;
    }

    private synchronized void forget(Waiter waiter) {
        waiters.remove(waiter);
    }

    private void admit() {
        List<Waiter> admitted = new ArrayList<>();
        synchronized (this) {
            Waiter next = waiters.peek();
            while (next != null && !closed && bytes < mostBytes && messages + reserved + next.messages <= mostMessages) {
                waiters.remove();
                reserved += next.messages;
                admitted.add(next);
                next = waiters.peek();
            }
        }
        // Outside the lock: a waiter goes on at once, and may come back here.
        admitted.forEach(waiter -> waiter.emitter.complete(waiter.messages));
    }
}
