package dev.windrow.writer.inflight;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

import dev.windrow.admission.AdmissionQueue;
import dev.windrow.admission.Gate;
import dev.windrow.writer.message.HeapSize;
import dev.windrow.writer.message.Message;
import io.smallrye.mutiny.Uni;

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
    private final AdmissionQueue receives = new AdmissionQueue(new Reservations());
    /** Messages that receives under way may bring. */
    private long reserved;
    private int messages;
    private long bytes;
    private long undecodedBytes;
    private boolean closed;

    /** @param elsewhere memory in bytes that counts as well, and is accounted for elsewhere; must not come back here */
    public InFlightLimiter(int maxMessages, long maxBytes, LongSupplier elsewhere) {
        this.maxMessages = maxMessages;
        this.maxBytes = maxBytes;
        this.elsewhere = elsewhere;
    }

    /**
     * Runs a receive once there is room for all messages that it may bring; those that it brought hold their room until it
     * is {@linkplain #release released}.
     *
     * @param wanted messages
     * @param receive is given the number of messages that there is room for, at most as many as wanted
     */
    public Uni<List<Message>> receive(int wanted, IntFunction<Uni<List<Message>>> receive) {
        int reserving = Math.min(wanted, maxMessages);
        return receives.run(reserving, () -> receive.apply(reserving).invoke(this::received));
    }

    private synchronized void received(List<Message> batch) {
        long receivedBytes = batch.stream().mapToLong(HeapSize::of).sum();
        messages += batch.size();
        bytes += receivedBytes;
        undecodedBytes += receivedBytes;
    }

    /** Notes that received messages of so many bytes wait to be decoded no longer. */
    public void decoding(long receivedBytes) {
        synchronized (this) {
            undecodedBytes -= receivedBytes;
        }
        receives.wakeUp();
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
        receives.wakeUp();
    }

    /** Gives back the room of one message. */
    public void release(long messageBytes) {
        synchronized (this) {
            messages--;
            bytes -= messageBytes;
        }
        receives.wakeUp();
    }

    /** Lets no receive begin, or lets them again. */
    public void close(boolean closing) {
        boolean opened;
        synchronized (this) {
            opened = closed && !closing;
            closed = closing;
        }
        if (opened) {
            receives.wakeUp();
        }
    }

    /** Whether a receive is waiting for room. */
    public boolean isFull() {
        return receives.waiting() > 0;
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
        receives.wakeUp();
    }

    /** Reserves room for the messages that receives may bring. */
    private final class Reservations implements Gate {

        @Override
        public boolean tryTake(long wanted) {
            synchronized (InFlightLimiter.this) {
                boolean free = !closed && totalBytes() < maxBytes && undecodedBytes < maxBytes / UNDECODED_PART
                        && messages + reserved + wanted <= maxMessages;
                if (free) {
                    reserved += wanted;
                }
                return free;
            }
        }

        @Override
        public void giveBack(long wanted) {
            synchronized (InFlightLimiter.this) {
                reserved -= wanted;
            }
        }
    }
}
