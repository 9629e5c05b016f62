package dev.windrow.writer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.windrow.base.Durations;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.aggregate.Aggregation;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MemoryBudgetExceededException;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Provenance;
import dev.windrow.writer.journal.ParkedLetter;
import dev.windrow.writer.queue.InFlightMessages;
import dev.windrow.writer.queue.MessageCompletion;
import dev.windrow.writer.queue.MessageFailure;
import dev.windrow.writer.queue.PendingMessage;
import dev.windrow.writer.record.ClaimUnit;

/**
 * Decodes a message into additions and passes them to the journal; a message that adds nothing ends here. Thread-safe.
 *
 * @param maxReceiveCount a message received more often is rejected
 * @param retention how long claims are remembered, counted from the time a message was sent
 */
public record DecodeStage(EventDecoder decoder, int maxReceiveCount, Duration retention, Clock clock, InFlightMessages messages,
        MessageCompletion completion, Aggregation aggregation, JournalStage journal,
        FlowMetrics metrics) implements DecodeQueue.Decoding {

    static final StructuredLogger LOG = StructuredLogger.of(DecodeStage.class);

    @Override
    public void decode(PendingMessage pending, MemoryBudget allowance) {
        try {
            read(pending, allowance);
        } catch (MemoryBudgetExceededException e) {
            throw e;
        } catch (InvalidInputException e) {
            completion.rejected(pending, e.reason(), String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            // Includes errors: a message that overflows the stack must not be decoded again at once, in an endless loop.
            // SQS counts its deliveries, so it becomes a suspect and then a dead letter.
            LOG.error(e, "message not decoded; it returns to its queue", LogKey.REASON.of(Reason.INTERNAL.word()),
                    LogKey.MESSAGE_ID.of(pending.message().id()));
            completion.failed(pending, new MessageFailure(Reason.INTERNAL, e.toString()));
        }
    }

    private void read(PendingMessage pending, MemoryBudget allowance) {
        Message message = pending.message();
        if (message.receiveCount() > maxReceiveCount) {
            completion.rejected(pending, Reason.REDELIVERED_TOO_OFTEN, "message: received " + message.receiveCount()
                    + " times, at most " + maxReceiveCount + " are allowed, last error: " + completion.lastError(message));
            return;
        }
        if (isForgotten(message)) {
            completion.rejected(pending, Reason.CLAIM_EXPIRED, "message: sent at "
                    + Instant.ofEpochMilli(message.identityMillis()) + ", replayed more than " + Durations.text(retention)
                    + " later");
            return;
        }
        if (ParkedLetter.isParked(message)) {
            journal.addParked(pending, allowance);
            return;
        }
        ClaimUnitBuilder units = aggregation.start(message, allowance);
        DecodeResult decoded = decoder.decode(message, units, allowance);
        if (isLate(decoded) && message.receiveCount() < DecodeQueue.SUSPECT_RECEIVES) {
            completion.failed(pending, new MessageFailure(Reason.TIMED_OUT, decoded.rejections().get(0).explanation()));
            return;
        }
        handOn(pending, decoded, units, allowance);
    }

    private static boolean isLate(DecodeResult decoded) {
        return decoded.rejections().size() == 1 && decoded.rejections().get(0).reason() == Reason.TIMED_OUT;
    }

    private void handOn(PendingMessage pending, DecodeResult decoded, ClaimUnitBuilder builder, MemoryBudget allowance) {
        List<ClaimUnit> units = builder.build();
        boolean held = messages.hold(pending, decoded.heapBytes(), builder.heapBytes(), allowance);
        metrics.decoded(decoded, builder);
        if (!held) {
            return;
        }
        if (!decoded.rejections().isEmpty()) {
            pending.reject(decoded);
        }
        if (units.isEmpty()) {
            completion.counted(pending);
            return;
        }
        journal.add(pending, units);
    }

    /**
     * Whether a replayed message may have been counted and its claim forgotten. The replay checks this too, but the message
     * may then wait in its queue for days.
     */
    boolean isForgotten(Message message) {
        return message.attributes().containsKey(Provenance.SOURCE_MESSAGE_ID)
                && Instant.ofEpochMilli(message.identityMillis()).plus(retention).isBefore(clock.instant());
    }

}
