package dev.windrow.writer.inflight;

import java.util.function.BooleanSupplier;

import dev.windrow.writer.inflight.pending.ContributionOutcome;
import dev.windrow.writer.message.Message;

/**
 * When a message is given up that has a label which the table denies. While the table takes no writes at all, it is the
 * table that must be mended, and messages wait for that.
 *
 * @param maxReceives how often a message may be received before
 * @param tableTakesWrites whether the table takes other writes
 */
public record AccessDeniedPolicy(int maxReceives, BooleanSupplier tableTakesWrites) {

    /** Whether the message becomes a dead letter, as handing it back once more would not help. */
    boolean givesUp(Message message, ContributionOutcome.Failed failure) {
        int most = Math.min(maxReceives, message.queue().maxReceives());
        return failure.isDenied() && message.receiveCount() >= most && tableTakesWrites.getAsBoolean();
    }
}
