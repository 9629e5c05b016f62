package dev.windrow.writer.flow;

import dev.windrow.log.LogKey;
import dev.windrow.log.StructuredLogger;
import dev.windrow.reason.Reason;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MemoryBudgetExceededException;
import dev.windrow.writer.inflight.InFlightMessages;
import dev.windrow.writer.inflight.MessageCompletion;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.journal.parked.ParkedLetter;
import dev.windrow.writer.message.Message;

/** Turns a message into what it adds, and hands that on; a message that adds nothing ends here. Thread-safe. */
public final class DecodeStage implements DecodeQueue.Decoding {

    private static final StructuredLogger LOG = StructuredLogger.of(DecodeStage.class);

    private final EventDecoder decoder;
    private final int maxReceiveCount;
    private final InFlightMessages messages;
    private final MessageCompletion completion;
    private final WriteStage writes;
    private final FlowMetrics metrics;

    /** @param maxReceiveCount a message received more often is not decoded any more */
    public DecodeStage(EventDecoder decoder, int maxReceiveCount, InFlightMessages messages,
            MessageCompletion completion, WriteStage writes, FlowMetrics metrics) {
        this.decoder = decoder;
        this.maxReceiveCount = maxReceiveCount;
        this.messages = messages;
        this.completion = completion;
        this.writes = writes;
        this.metrics = metrics;
    }

    @Override
    public void decode(PendingMessage pending, MemoryBudget allowance) {
        try {
            read(pending, allowance);
        } catch (MemoryBudgetExceededException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error(e, "message not decoded; it returns to its queue", LogKey.REASON.of(Reason.INTERNAL.word()),
                    LogKey.MESSAGE_ID.of(pending.message().id()));
            completion.failed(pending, new ContributionOutcome.Failed(Reason.INTERNAL, e.toString()));
        }
    }

    private void read(PendingMessage pending, MemoryBudget allowance) {
        Message message = pending.message();
        if (message.receiveCount() > maxReceiveCount) {
            completion.rejected(pending, Reason.REDELIVERED_TOO_OFTEN, "message: expected at most " + maxReceiveCount
                    + " receives, found " + message.receiveCount() + ", last error: " + completion.lastError(message));
            return;
        }
        if (ParkedLetter.isParked(message)) {
            writes.addParked(pending);
            return;
        }
        MessageAdditions additions = writes.gather(pending, allowance);
        DecodeResult decoded = decoder.decode(message, additions, allowance);
        if (isLate(decoded) && message.receiveCount() <= DecodeQueue.MAX_USUAL_RECEIVES) {
            completion.failed(pending,
                    new ContributionOutcome.Failed(Reason.TIMED_OUT, decoded.rejections().get(0).explanation()));
            return;
        }
        metrics.decoded(decoded);
        handOn(pending, decoded, additions);
    }

    private static boolean isLate(DecodeResult decoded) {
        return decoded.rejections().size() == 1 && decoded.rejections().get(0).reason() == Reason.TIMED_OUT;
    }

    private void handOn(PendingMessage pending, DecodeResult decoded, MessageAdditions additions) {
        if (!decoded.rejections().isEmpty()) {
            pending.reject(decoded);
        }
        if (!messages.hold(pending, additions.build() + decoded.heapBytes())) {
            return;
        }
        if (additions.isEmpty()) {
            completion.applied(pending);
            return;
        }
        additions.submit();
    }
}
