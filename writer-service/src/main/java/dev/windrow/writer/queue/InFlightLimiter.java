package dev.windrow.writer.queue;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.Gate;
import dev.windrow.writer.decode.HeapSize;
import dev.windrow.writer.decode.Message;
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
    /** What may be held elsewhere for long, as items take no updates, and must not stop the decoding of large messages. */
    private static final int STUCK_PART = 16;

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

    /**
     * Reserves memory for decoding a message; null if that much is not free now.
     *
     * @param receivedBytes memory that the message takes already
     * @param wanted bytes to begin with; as many as any message may take if that is less
     * @param alone whether no other message is being decoded or written
     */
    public @Nullable MemoryReservation reserve(long receivedBytes, long wanted, boolean alone) {
        long most = Math.max(0, decodedBytes() - receivedBytes);
        long granted = Math.min(wanted, most);
        return tryGrow(granted, alone) ? new MemoryReservation(this, alone, most, granted) : null;
    }

    /**
     * Takes more memory if that much is free. Messages that wait to be decoded have a part of the memory: if they have more,
     * the one that is decoded alone still gets the rest, as they can only wait for it. So do items that take no updates.
     */
    synchronized boolean tryGrow(long moreBytes, boolean alone) {
        long total = totalBytes() + moreBytes;
        boolean fits = total <= maxBytes || (alone && total - undecodedBytes <= decodedBytes() + maxBytes / STUCK_PART);
        if (fits) {
            bytes += moreBytes;
        }
        return fits;
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
     * Counts memory, taken before, as a message's that claims will free.
     *
     * @param heldBytes memory of additions that are not claimed yet
     * @param receivedBytes memory of the message itself, which can be deleted once it is claimed
     */
    public synchronized void holdUnclaimed(long heldBytes, long receivedBytes) {
        unclaimedBytes += heldBytes + receivedBytes;
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

    /** The memory that messages which wait to be decoded leave to the others. */
    private long decodedBytes() {
        return maxBytes - maxBytes / UNDECODED_PART;
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

}
