package dev.windrow.writer.inflight;

import java.util.List;
import java.util.function.Supplier;

import dev.windrow.base.Bulkhead;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.deadletter.DeadLetter;
import dev.windrow.writer.deadletter.DeadLetterSender;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.inflight.pending.FifoGroupTracker;
import dev.windrow.writer.inflight.pending.MessageFailure;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.inflight.pending.VisibilityDeadlines;
import dev.windrow.writer.message.Message;

/**
 * How messages end: deleted once everything in them is in the table or in the dead-letter queue, or returned to their
 * queue. Messages of a FIFO group are deleted in order, and none while an earlier one is returned. Thread-safe.
 */
public final class MessageCompletion {

    private static final StructuredLogger LOG = StructuredLogger.of(MessageCompletion.class);
    /**
     * Maximum number of messages whose dead letters are sent at a time, several each: no more than the spare connections.
     * Letters are copies of their messages, so they are created no earlier. How many wait is bounded by the messages in
     * memory.
     */
    private static final int MAX_MESSAGES_WITH_LETTERS = 4;

    private final InFlightMessages messages;
    private final VisibilityDeadlines deadlines;
    private final FifoGroupTracker groups;
    private final Acknowledger acknowledger;
    private final DeadLetterSender deadLetters;
    private final Bulkhead letters = new Bulkhead(MAX_MESSAGES_WITH_LETTERS);
    private final InFlightMetrics metrics;
    private final LastErrors lastErrors = new LastErrors();

    public MessageCompletion(InFlightMessages messages, VisibilityDeadlines deadlines, FifoGroupTracker groups,
            Acknowledger acknowledger, DeadLetterSender deadLetters, InFlightMetrics metrics) {
        this.messages = messages;
        this.deadlines = deadlines;
        this.groups = groups;
        this.acknowledger = acknowledger;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
    }

    /** Why a message was last returned to its queue, human-readable. */
    public String lastError(Message message) {
        String error = lastErrors.of(message.id());
        return error == null ? "unknown here" : error;
    }

    /** Nothing of a message can be counted. */
    public void rejected(PendingMessage pending, Reason reason, String detail) {
        sendToDeadLetterQueue(pending, () -> List.of(DeadLetter.whole(pending.message(), reason, detail)));
    }

    /** All of a message is counted; what of it was rejected becomes dead letters. */
    public void counted(PendingMessage pending) {
        DecodeResult decoded = pending.rejected();
        if (decoded == null) {
            acknowledge(pending);
            return;
        }
        sendToDeadLetterQueue(pending,
                () -> decoded.rejections().stream().map(rejection -> letter(pending, decoded, rejection)).toList());
    }

    /** Some of a message is not counted. */
    public void failed(PendingMessage pending, MessageFailure failure) {
        if (failure.isFinal()) {
            rejected(pending, failure.reason(), failure.detail());
            return;
        }
        lastErrors.note(pending.message().id(), failure.reason().word() + ": " + failure.detail());
        LOG.warn("message returned; SQS will redeliver", LogKey.REASON.of(failure.reason().word()),
                LogKey.MESSAGE_ID.of(pending.message().id()), LogKey.DETAIL.of(failure.detail()));
        returnToQueue(pending, failure.reason());
    }

    /** Dead letters first: a message is deleted only once everything in it is elsewhere. */
    private void sendToDeadLetterQueue(PendingMessage pending, Supplier<List<DeadLetter>> made) {
        letters.run(() -> deadLetters.send(metered(made.get()))).onFailure().recoverWithItem(false).subscribe().with(sent -> {
            if (sent) {
                acknowledge(pending);
            } else {
                returnToQueue(pending, Reason.UNAVAILABLE);
            }
        });
    }

    private List<DeadLetter> metered(List<DeadLetter> some) {
        some.forEach(metrics::deadLetter);
        return some;
    }

    private void acknowledge(PendingMessage pending) {
        for (PendingMessage ready : groups.applied(pending)) {
            deadlines.ending(ready);
            acknowledger.delete(ready.message()).subscribe().with(deleted -> {
                metrics.deleted(deleted);
                messages.end(ready);
            });
        }
    }

    /** Not at once: what failed now would fail again, in a loop as fast as the queue. */
    private void returnToQueue(PendingMessage pending, Reason reason) {
        metrics.returnedToQueue(reason);
        for (PendingMessage back : groups.failed(pending)) {
            back.abandon();
            deadlines.ending(back);
            acknowledger.returnToQueueLater(back.message()).subscribe().with(done -> messages.end(back));
        }
    }

    private static DeadLetter letter(PendingMessage pending, DecodeResult decoded, RejectedEvent rejection) {
        return rejection.index() == RejectedEvent.WHOLE
                ? DeadLetter.whole(pending.message(), rejection.reason(), rejection.explanation())
                : DeadLetter.event(pending.message(), rejection.index(), rejection.text(), decoded.attributes(),
                        rejection.reason(), rejection.explanation());
    }
}
