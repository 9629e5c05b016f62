package dev.windrow.writer.inflight.pending;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.message.HeapSize;
import dev.windrow.writer.message.Message;

/** A received message on its way to being counted. Thread-safe. */
public final class PendingMessage {

    private volatile Message message;
    private volatile @Nullable MessageFailure failure;
    private volatile boolean abandoned;
    private volatile @Nullable DecodeResult rejected;
    private final long receivedBytes;
    private long heldBytes;
    /** Those of the held bytes that are for what the message adds. */
    private long unclaimedBytes;
    private boolean undecoded = true;
    private boolean released;

    public PendingMessage(Message message) {
        this.message = message;
        this.receivedBytes = HeapSize.of(message);
        this.heldBytes = receivedBytes;
    }

    public Message message() {
        return message;
    }

    /** The message was redelivered: it continues under its new receipt. */
    public void renew(Message delivery) {
        message = delivery;
    }

    /**
     * Notes what of the message cannot be counted.
     *
     * @param decoded also has its attributes
     */
    public void reject(DecodeResult decoded) {
        rejected = decoded;
    }

    /** What the message was read as, if events of it were rejected. */
    public @Nullable DecodeResult rejected() {
        return rejected;
    }

    /** Estimated heap size when it was received, in bytes. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** It no longer waits to be decoded. @return the bytes that waited with it; 0 if it did not wait */
    public synchronized long beginDecoding() {
        long waited = undecoded ? receivedBytes : 0;
        undecoded = false;
        return waited;
    }

    /**
     * Notes memory that it holds from now on.
     *
     * @param bytes held until the message ends
     * @param unclaimed further bytes, held until all that the message adds is claimed
     * @return false, with nothing noted, if the message has ended
     */
    public synchronized boolean hold(long bytes, long unclaimed) {
        if (!released) {
            heldBytes += bytes + unclaimed;
            unclaimedBytes += unclaimed;
        }
        return !released;
    }

    /** All that the message adds is claimed, or the message has ended. @return the bytes that were held for that */
    public synchronized long claimed() {
        long claimed = unclaimedBytes;
        unclaimedBytes = 0;
        heldBytes -= claimed;
        return claimed;
    }

    /** The message has ended. @return the memory that it held, in bytes, without what {@link #claimed()} returns */
    public synchronized long release() {
        released = true;
        return heldBytes - unclaimedBytes;
    }

    /** Notes that a part of it can never be counted; the message ends with the rest. */
    public void fail(MessageFailure cause) {
        failure = cause;
    }

    /** Why a part of it cannot be counted; null if nothing failed so far. */
    public @Nullable MessageFailure failure() {
        return failure;
    }

    /** Gives the message up, as it will be redelivered. */
    public void abandon() {
        abandoned = true;
    }

    public boolean isAbandoned() {
        return abandoned;
    }
}
