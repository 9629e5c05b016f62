package dev.windrow.writer.aggregate;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.decode.BodyKind;
import dev.windrow.writer.decode.Rejection;
import dev.windrow.writer.message.Message;

/** A received message on its way to being applied. Thread-safe. */
public final class PendingMessage {

    private final Message message;
    private final AtomicInteger openShares = new AtomicInteger();
    private volatile ShareOutcome.@Nullable Failed failure;
    private volatile boolean abandoned;
    private volatile BodyKind kind = BodyKind.OBJECT;
    private volatile List<Rejection> rejections = List.of();

    public PendingMessage(Message message) {
        this.message = message;
    }

    public Message message() {
        return message;
    }

    /** Notes what of the message cannot be counted. */
    public void reject(BodyKind bodyKind, List<Rejection> rejected) {
        kind = bodyKind;
        rejections = List.copyOf(rejected);
    }

    /** How the body holds its events. */
    public BodyKind kind() {
        return kind;
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
