package dev.windrow.writer.flow;

import java.util.List;

import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.message.SourceQueue;

/** Writes what messages add, and completes each message once it is safe in the table. Thread-safe. */
public interface WriteStage {

    /** The queues were found: from now on there may be messages. */
    void start(List<SourceQueue> queues);

    /**
     * Starts to gather what a message adds.
     *
     * @param allowance memory for it
     */
    MessageAdditions gather(PendingMessage pending, MemoryBudget allowance);

    /** Takes a replayed dead letter that holds additions instead of events. */
    void addParked(PendingMessage pending);

    /**
     * Starts the writes that are due.
     *
     * @param pressed whether memory is short, so that waiting for more gains nothing
     * @param ended is run after each write that has ended, as more may be due then
     */
    void writeDue(boolean pressed, Runnable ended);

    /** From now on everything is due at once. */
    void drain();

    /** Whether a drain has nothing left to do but to complete messages. */
    boolean isDrained();
}
