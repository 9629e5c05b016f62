package dev.windrow.writer.queue;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.AdmissionQueue.Gate;
import dev.windrow.writer.decode.EventDecoder.MemoryBudget;
import dev.windrow.writer.decode.EventDecoder.MemoryBudget.MemoryBudgetExceededException;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.HeapSize;
import io.smallrye.mutiny.Uni;

/**
 * Backpressure: bounds messages and bytes in memory. A receive reserves its messages before it starts, decoding reserves
 * more memory, and each message releases its share when it ends, however it ends. Thread-safe.
 */
public final class InFlightLimiter {

    /** Bounds the overhead per message. With messages of common size, the byte limit is reached long before. */
    public static final int MAX_MESSAGES = 20_000;

    /** Messages waiting to be decoded may use one part in four of the memory; the rest is for the results of decoding. */
    private static final int UNDECODED_PART = 4;

    private final int maxMessages;
    private final long maxBytes;
    private final LongSupplier elsewhere;
    private final AdmissionQueue receives = new AdmissionQueue(new Reservations());
    /** Messages that receives in flight may return. */
    private long reserved;
    private int messages;
    private long bytes;
    private long undecodedBytes;
    private long unclaimedBytes;
    private boolean closed;
    private boolean unlimited;

    /** @param elsewhere further memory that counts against the limit, in bytes; must not call this limiter */
    public InFlightLimiter(int maxMessages, long maxBytes, LongSupplier elsewhere) {
        this.maxMessages = maxMessages;
        this.maxBytes = maxBytes;
        this.elsewhere = elsewhere;
    }

    /**
     * Runs a receive once the limits admit all messages that it may return. The returned messages count until they are
     * {@linkplain #release released}.
     *
     * @param receive called with the number of messages admitted, at most {@code wanted}
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

    /** Records that received messages, of this size in bytes, no longer wait to be decoded. */
    public void decoding(long receivedBytes) {
        change(() -> undecodedBytes -= receivedBytes);
    }

    /** Takes more memory if that much is free. */
    public synchronized boolean tryGrow(long moreBytes) {
        boolean fits = totalBytes() + moreBytes <= maxBytes;
        if (fits) {
            bytes += moreBytes;
        }
        return fits;
    }

    /** Takes more memory, even beyond the limit. */
    public synchronized void grow(long moreBytes) {
        bytes += moreBytes;
    }

    public void shrink(long lessBytes) {
        change(() -> bytes -= lessBytes);
    }

    /** Makes a change after which waiting receives may be admitted. */
    private void change(Runnable change) {
        synchronized (this) {
            change.run();
        }
        receives.wakeUp();
    }

    /**
     * Takes more memory, even beyond the limit, for a message's additions that are not claimed yet.
     *
     * @param receivedBytes memory taken before for the message itself, which can be deleted once it is claimed
     */
    public synchronized void growUnclaimed(long moreBytes, long receivedBytes) {
        bytes += moreBytes;
        unclaimedBytes += moreBytes + receivedBytes;
    }

    /** Frees the memory of a message's additions, once they are claimed or given up. */
    void shrinkUnclaimed(long lessBytes, long receivedBytes) {
        change(() -> {
            bytes -= lessBytes;
            unclaimedBytes -= lessBytes + receivedBytes;
        });
    }

    public void release(long messageBytes) {
        change(() -> {
            messages--;
            bytes -= messageBytes;
        });
    }

    /**
     * Stops or resumes admitting receives. Must be called regularly, even without a change: only a call notices memory that
     * became free elsewhere.
     */
    public void close(boolean closing) {
        change(() -> closed = closing);
    }

    /** Admits all receives from now on, so that those that wait can end. */
    void admitAll() {
        change(() -> unlimited = true);
    }

    /** Whether a receive is waiting to be admitted. */
    public boolean isFull() {
        return receives.waiting() > 0;
    }

    /** Number of messages in memory, without those that receives in flight may return. */
    public synchronized int messages() {
        return messages;
    }

    /** Approximate size on the heap of everything in flight, in bytes. */
    public synchronized long bytes() {
        return totalBytes();
    }

    /** The part of the {@linkplain #bytes() bytes} that claims, and deletes of the claimed messages, will free. */
    public synchronized long unclaimedBytes() {
        return unclaimedBytes;
    }

    /** Whether claims, and deletes of the claimed messages, will free at least half of what messages take. */
    public synchronized boolean isMostlyUnclaimed() {
        return unclaimedBytes >= bytes - unclaimedBytes;
    }

    private long totalBytes() {
        return bytes + elsewhere.getAsLong();
    }

    /** Reserves the messages that receives may return. */
    private final class Reservations implements Gate {

        @Override
        public boolean tryTake(long wanted) {
            synchronized (InFlightLimiter.this) {
                boolean free = unlimited || (!closed && totalBytes() < maxBytes && undecodedBytes * UNDECODED_PART < maxBytes
                        && messages + reserved + wanted <= maxMessages);
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

    /** Memory for decoding one message, taken from the limiter in steps on demand. Not thread-safe. */
    public static final class MemoryReservation implements MemoryBudget {

        private static final long STEP = 256 * 1_024;

        private final InFlightLimiter limiter;
        private final boolean forced;
        private long granted;
        private long used;

        /** @param granted bytes already taken from the limiter */
        public MemoryReservation(InFlightLimiter limiter, long granted, boolean forced) {
            this.limiter = limiter;
            this.granted = granted;
            this.forced = forced;
        }

        @Override
        public void take(long bytes) {
            used += bytes;
            if (used <= granted) {
                return;
            }
            long more = Math.max(used - granted, STEP);
            if (forced) {
                limiter.grow(more);
            } else if (!limiter.tryGrow(more)) {
                throw new MemoryBudgetExceededException();
            }
            granted += more;
        }

        public void close() {
            limiter.shrink(granted);
        }
    }
}
