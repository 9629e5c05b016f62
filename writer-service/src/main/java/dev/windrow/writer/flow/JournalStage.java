package dev.windrow.writer.flow;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.writer.decode.Decompression;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.inflight.InFlightMessages;
import dev.windrow.writer.inflight.MessageCompletion;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.journal.Urgency;
import dev.windrow.writer.journal.claim.ClaimUnit;
import dev.windrow.writer.journal.claim.JournalMessage;
import dev.windrow.writer.journal.parked.ParkedLetter;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.store.journal.JournalRun;

/** Hands messages to the journal, which claims each once, with everything it adds, and applies it. Thread-safe. */
public final class JournalStage {

    /** Longer than it takes to find another lane where one is free. */
    private static final long LANELESS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final JournalRun journal;
    private final JournalMessages queues;
    private final InFlightMessages messages;
    private final MessageCompletion completion;
    private final Runnable broken;
    private final LongSupplier nanoTime;
    private volatile long heldAtNanos;

    /**
     * @param broken is run when the journal has stopped, so that only a restart can help
     * @param nanoTime a clock that never goes back
     */
    public JournalStage(JournalRun journal, JournalMessages queues, InFlightMessages messages, MessageCompletion completion,
            Runnable broken, LongSupplier nanoTime) {
        this.journal = journal;
        this.queues = queues;
        this.messages = messages;
        this.completion = completion;
        this.broken = broken;
        this.nanoTime = nanoTime;
        this.heldAtNanos = nanoTime.getAsLong();
    }

    /** The queues were found: from now on there may be messages. */
    void start(List<SourceQueue> found) {
        queues.start(found);
    }

    /** Takes what a message adds, at least one unit. */
    void add(PendingMessage pending, List<ClaimUnit> units) {
        journal.receive(new JournalMessage(pending, units));
    }

    /**
     * Takes a replayed dead letter that holds additions instead of events.
     *
     * @param allowance memory to decompress it
     */
    void addParked(PendingMessage pending, MemoryBudget allowance) {
        Message message = pending.message();
        try {
            ClaimUnit unit = ParkedLetter.read(message, Decompression.text(message.body(), message.attributes(), allowance));
            if (messages.hold(pending, 0, pending.receivedBytes())) {
                add(pending, List.of(unit));
            }
        } catch (InvalidInputException e) {
            completion.rejected(pending, e.reason(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            completion.rejected(pending, Reason.INVALID_ENVELOPE, "body: " + e.getMessage());
        }
    }

    /**
     * Claims and applies what is due.
     *
     * @param urgent what short memory changes
     */
    void writeDue(Urgency urgent) {
        if (journal.isBroken()) {
            broken.run();
        }
        journal.tick(urgent);
    }

    /** Whether it holds a lane, without which nothing is claimed. */
    public boolean hasLane() {
        return journal.status().lane() >= 0;
    }

    /**
     * Whether messages that wait are claimed, or will be soon: it holds a lane, or did a moment ago. Without, other writers
     * should get them.
     */
    boolean keepsMessages() {
        long now = nanoTime.getAsLong();
        if (hasLane()) {
            heldAtNanos = now;
        }
        return now - heldAtNanos < LANELESS_NANOS;
    }

    /** Makes everything due at once. */
    void drain() {
        journal.drain();
    }

    /** Whether a drain has nothing left to do but to complete messages. */
    boolean isDrained() {
        return journal.isDrained();
    }

    /** Gives up all attempts in flight, as nothing waits for them any more. */
    void stop() {
        journal.stop();
    }
}
