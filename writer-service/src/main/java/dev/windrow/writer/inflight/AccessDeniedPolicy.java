package dev.windrow.writer.inflight;

import java.util.function.BooleanSupplier;

import dev.windrow.writer.inflight.pending.ContributionOutcome;
import dev.windrow.writer.message.Message;

/**
 * When to give up on a message with a label to which the table denies access. While the table accepts no writes at all,
 * the table must be repaired, and messages wait for that.
 *
 * @param maxReceives how often a message may be received before
 * @param tableTakesWrites whether the table takes other writes
 */
public record AccessDeniedPolicy(int maxReceives, BooleanSupplier tableTakesWrites) {

    /** Whether the message becomes a dead letter, as returning it once more would not help. */
    boolean givesUp(Message message, ContributionOutcome.Failed failure) {
        int limit = Math.min(maxReceives, message.queue().maxReceives());
        return failure.isDenied() && message.receiveCount() >= limit && tableTakesWrites.getAsBoolean();
    }
}
