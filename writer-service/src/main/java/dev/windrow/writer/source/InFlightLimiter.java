package dev.windrow.writer.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Bounds what is in memory: a receive takes room before it begins, decoding takes more, and each message gives its part
 * back when it is done with, however that ends. Thread-safe.
 */
public final class InFlightLimiter {

    /** Part of the memory that messages which wait to be decoded may fill; the rest is for what decoding makes of them. */
    private static final int UNDECODED_PART = 4;

    private final int maxMessages;
    private final long maxBytes;
    private final LongSupplier elsewhere;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    /** Messages that receives under way may bring. */
    private int reserved;
    private int messages;
    private long bytes;
    private long undecodedBytes;
    private boolean closed;

    private record Waiter(int messages, UniEmitter<? super Integer> emitter) {
    }

    /** @param elsewhere memory in bytes that counts as well, and is accounted for elsewhere; must not come back here */
    public InFlightLimiter(int maxMessages, long maxBytes, LongSupplier elsewhere) {
        this.maxMessages = maxMessages;
        this.maxBytes = maxBytes;
        this.elsewhere = elsewhere;
    }

    /** Completes with the number of messages that room was taken for, once there is room for as many. */
    public Uni<Integer> take(int wanted) {
        int taken = Math.min(wanted, maxMessages);
        return Uni.createFrom().emitter(emitter -> {
            Waiter waiter = new Waiter(taken, emitter);
            emitter.onTermination(() -> forget(waiter));
            synchronized (this) {
                waiters.add(waiter);
            }
            admit();
        });
    }

    /** Replaces room that was taken for a receive by what was received, which is to be decoded. */
    public void settle(int taken, int received, long receivedBytes) {
        synchronized (this) {
            reserved -= taken;
            messages += received;
            bytes += receivedBytes;
            undecodedBytes += receivedBytes;
        }
        admit();
    }

    /** Notes that received messages of so many bytes wait to be decoded no longer. */
    public void decoding(long receivedBytes) {
        synchronized (this) {
            undecodedBytes -= receivedBytes;
        }
        admit();
    }

    /** Takes more memory if there is so much. */
    public synchronized boolean tryGrow(long moreBytes) {
        boolean fits = totalBytes() + moreBytes <= maxBytes;
        if (fits) {
            bytes += moreBytes;
        }
        return fits;
    }

    /** Takes more memory, whether there is so much or not. */
    public synchronized void grow(long moreBytes) {
        bytes += moreBytes;
    }

    /** Gives memory back. */
    public void shrink(long lessBytes) {
        synchronized (this) {
            bytes -= lessBytes;
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

    /** About what all that is held takes on the heap, in bytes. */
    public synchronized long bytes() {
        return totalBytes();
    }

    private long totalBytes() {
        return bytes + elsewhere.getAsLong();
    }

    /** Lets receives begin that wait, if there is room: memory elsewhere may have become free. */
    public void look() {
        admit();
    }

    private synchronized void forget(Waiter waiter) {
        waiters.remove(waiter);
    }

    private void admit() {
        List<Waiter> admitted = new ArrayList<>();
        synchronized (this) {
            Waiter next = waiters.peek();
            while (next != null && !closed && totalBytes() < maxBytes && undecodedBytes < maxBytes / UNDECODED_PART
                    && messages + reserved + next.messages <= maxMessages) {
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
