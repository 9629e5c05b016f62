package dev.windrow.writer.queue;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.HeapSize;
import dev.windrow.writer.decode.Message;

/** A received message on its way to being counted. Thread-safe. */
public final class PendingMessage {

    private volatile Message message;
    private volatile @Nullable MessageFailure failure;
    private volatile boolean abandoned;
    private volatile @Nullable DecodeResult rejected;
    private final long receivedBytes;
    private long heldBytes;
    /** The part of the held bytes that is for additions not claimed yet. */
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

    /** Continues a redelivered message under its new receipt. */
    public void renew(Message delivery) {
        message = delivery;
    }

    /** Records the events of the message that cannot be counted, with its attributes. */
    public void reject(DecodeResult decoded) {
        rejected = decoded;
    }

    /** The decoded message if some of its events were rejected, else null. */
    public @Nullable DecodeResult rejected() {
        return rejected;
    }

    /** Estimated heap size of the message as received, in bytes. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Ends the wait for decoding. @return the bytes that were waiting; 0 if the wait had ended before */
    public synchronized long beginDecoding() {
        long waited = undecoded ? receivedBytes : 0;
        undecoded = false;
        return waited;
    }

    /**
     * Records memory that the message holds from now on.
     *
     * @param bytes held until the message ends
     * @param unclaimed further bytes, held until all additions of the message are claimed
     * @return false, with nothing recorded, if the message has ended
     */
    public synchronized boolean hold(long bytes, long unclaimed) {
        if (!released) {
            heldBytes += bytes + unclaimed;
            unclaimedBytes += unclaimed;
        }
        return !released;
    }

    /** Called when all additions are claimed, or the message has ended. @return the bytes that were held for them */
    public synchronized long claimed() {
        long claimed = unclaimedBytes;
        unclaimedBytes = 0;
        heldBytes -= claimed;
        return claimed;
    }

    /** Ends the message. @return the memory that it held, in bytes, without what {@link #claimed()} returns */
    public synchronized long release() {
        released = true;
        return heldBytes - unclaimedBytes;
    }

    /** Records that a part of the message can never be counted; the message goes on until the rest is claimed. */
    public void fail(MessageFailure cause) {
        failure = cause;
    }

    /** Why a part of the message cannot be counted; null if nothing has failed so far. */
    public @Nullable MessageFailure failure() {
        return failure;
    }

    /** Gives up the message, because it will be redelivered. */
    public void abandon() {
        abandoned = true;
    }

    public boolean isAbandoned() {
        return abandoned;
    }
}
