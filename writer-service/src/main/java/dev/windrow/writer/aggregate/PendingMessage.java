package dev.windrow.writer.aggregate;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.decode.Decoded;
import dev.windrow.writer.decode.Rejection;
import dev.windrow.writer.message.Message;

/** A received message on its way to being applied. Thread-safe. */
public final class PendingMessage {

    private volatile Message message;
    private final AtomicInteger openShares = new AtomicInteger();
    private volatile ShareOutcome.@Nullable Failed failure;
    private volatile boolean abandoned;
    private volatile @Nullable Decoded rejected;
    private volatile List<Rejection> rejections = List.of();

    public PendingMessage(Message message) {
        this.message = message;
    }

    public Message message() {
        return message;
    }

    /** The message was delivered again: it goes on under its new receipt. */
    public void renew(Message delivery) {
        message = delivery;
    }

    /** Notes what of the message cannot be counted. */
    public void reject(List<Rejection> some) {
        rejections = List.copyOf(some);
    }

    /** Likewise, with the text that the bad events are cut from. */
    public void reject(Decoded decoded, List<Rejection> some) {
        rejected = decoded;
        rejections = List.copyOf(some);
    }

    /** What the message was read as, if events of it were rejected. */
    public @Nullable Decoded rejected() {
        return rejected;
    }

    /** What of the message cannot be counted. */
    public List<Rejection> rejections() {
        return rejections;
    }

    /** Sets how many shares must be settled before the message is; called once, before any is. */
    public void expect(int shares) {
        openShares.set(shares);
    }

    /**
     * Notes what became of one share.
     *
     * @return whether it was the last one
     */
    public boolean settle(ShareOutcome outcome) {
        if (outcome instanceof ShareOutcome.Failed failed) {
            failure = failed;
        }
        return openShares.decrementAndGet() == 0;
    }

    /** Why one of its shares could not be applied; null if none failed so far. */
    public ShareOutcome.@Nullable Failed failure() {
        return failure;
    }

    /** Gives the message up: shares of it that are not being written yet are dropped, as it will be delivered again. */
    public void abandon() {
        abandoned = true;
    }

    public boolean isAbandoned() {
        return abandoned;
    }
}
