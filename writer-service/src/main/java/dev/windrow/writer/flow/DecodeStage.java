package dev.windrow.writer.flow;

import java.time.Instant;
import java.util.List;

import dev.windrow.base.Durations;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.aggregate.Aggregation;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MemoryBudgetExceededException;
import dev.windrow.writer.inflight.InFlightMessages;
import dev.windrow.writer.inflight.MessageCompletion;
import dev.windrow.writer.inflight.pending.MessageFailure;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.journal.claim.ClaimUnit;
import dev.windrow.writer.journal.parked.ParkedLetter;
import dev.windrow.writer.message.Message;

/** Turns a message into additions and hands them on; a message that adds nothing ends here. Thread-safe. */
public final class DecodeStage implements DecodeQueue.Decoding {

    private static final StructuredLogger LOG = StructuredLogger.of(DecodeStage.class);

    private final EventDecoder decoder;
    private final int maxReceiveCount;
    private final ClaimRetention claims;
    private final InFlightMessages messages;
    private final MessageCompletion completion;
    private final Aggregation aggregation;
    private final JournalStage journal;
    private final FlowMetrics metrics;

    /** @param maxReceiveCount a message received more often is not decoded any more */
    public DecodeStage(EventDecoder decoder, int maxReceiveCount, ClaimRetention claims, InFlightMessages messages,
            MessageCompletion completion, Aggregation aggregation, JournalStage journal, FlowMetrics metrics) {
        this.decoder = decoder;
        this.maxReceiveCount = maxReceiveCount;
        this.claims = claims;
        this.messages = messages;
        this.completion = completion;
        this.aggregation = aggregation;
        this.journal = journal;
        this.metrics = metrics;
    }

    @Override
    public void decode(PendingMessage pending, MemoryBudget allowance) {
        try {
            read(pending, allowance);
        } catch (MemoryBudgetExceededException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            // Errors, too: a message that overflows the stack must not be decoded again at once, and so not for ever. Each
            // delivery is counted, so it becomes a suspect and then a dead letter.
            LOG.error(e, "message not decoded; it returns to its queue", LogKey.REASON.of(Reason.INTERNAL.word()),
                    LogKey.MESSAGE_ID.of(pending.message().id()));
            completion.failed(pending, new MessageFailure(Reason.INTERNAL, e.toString()));
        }
    }

    private void read(PendingMessage pending, MemoryBudget allowance) {
        Message message = pending.message();
        if (message.receiveCount() > maxReceiveCount) {
            completion.rejected(pending, Reason.REDELIVERED_TOO_OFTEN, "message: expected at most " + maxReceiveCount
                    + " receives, found " + message.receiveCount() + ", last error: " + completion.lastError(message));
            return;
        }
        if (claims.isOver(message)) {
            completion.rejected(pending, Reason.CLAIM_EXPIRED, "message: expected a replayed message that was sent within the"
                    + " last " + Durations.text(claims.retention()) + ", found "
                    + Instant.ofEpochMilli(message.identityMillis()));
            return;
        }
        if (ParkedLetter.isParked(message)) {
            journal.addParked(pending, allowance);
            return;
        }
        ClaimUnitBuilder units = aggregation.start(message, allowance);
        DecodeResult decoded = decoder.decode(message, units, allowance);
        if (isLate(decoded) && message.receiveCount() <= DecodeQueue.MAX_USUAL_RECEIVES) {
            completion.failed(pending,
                    new MessageFailure(Reason.TIMED_OUT, decoded.rejections().get(0).explanation()));
            return;
        }
        metrics.decoded(decoded, units);
        handOn(pending, decoded, units);
    }

    private static boolean isLate(DecodeResult decoded) {
        return decoded.rejections().size() == 1 && decoded.rejections().get(0).reason() == Reason.TIMED_OUT;
    }

    private void handOn(PendingMessage pending, DecodeResult decoded, ClaimUnitBuilder builder) {
        if (!decoded.rejections().isEmpty()) {
            pending.reject(decoded);
        }
        List<ClaimUnit> units = builder.build();
        if (!messages.hold(pending, decoded.heapBytes(), builder.heapBytes())) {
            return;
        }
        if (units.isEmpty()) {
            completion.counted(pending);
            return;
        }
        journal.add(pending, units);
    }
}
