package dev.windrow.writer.queue;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.RecentMap;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.RejectedEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Ends messages: deletes each once everything in it is in the table or in the dead-letter queue, or returns it to its
 * queue. Messages of a FIFO group are deleted in order, and none while an earlier one is returned. Thread-safe.
 */
public final class MessageCompletion {

    private static final StructuredLogger LOG = StructuredLogger.of(MessageCompletion.class);
    /**
     * Maximum number of messages whose dead letters are sent at a time, several each, within the spare connections. Letters
     * are copies of their messages, so they are created no earlier. The messages in memory bound how many wait.
     */
    private static final int MAX_MESSAGES_WITH_LETTERS = 4;
    private static final int MAX_LAST_ERRORS = 1_000;
    private static final Duration POLL = Duration.ofMillis(20);

    private final InFlightMessages messages;
    private final VisibilityDeadlines deadlines;
    private final FifoGroupTracker groups;
    private final Acknowledger acknowledger;
    private final DeadLetters deadLetters;
    private final AdmissionQueue letters = AdmissionQueue.ofPermits(MAX_MESSAGES_WITH_LETTERS);
    private final QueueMetrics metrics;
    /** By the id of a returned message, for its dead letter if it is received too often. */
    private final Map<String, String> lastErrors = Collections.synchronizedMap(new RecentMap<>(MAX_LAST_ERRORS));

    public MessageCompletion(InFlightMessages messages, VisibilityDeadlines deadlines, FifoGroupTracker groups,
            Acknowledger acknowledger, DeadLetters deadLetters, QueueMetrics metrics) {
        this.messages = messages;
        this.deadlines = deadlines;
        this.groups = groups;
        this.acknowledger = acknowledger;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
    }

    /** Why a message was last returned to its queue, human-readable. */
    public String lastError(Message message) {
        return lastErrors.getOrDefault(message.id(), "unknown here");
    }

    /** Ends a message of which nothing can be counted. */
    public void rejected(PendingMessage pending, Reason reason, String detail) {
        sendToDeadLetterQueue(pending, () -> List.of(DeadLetter.whole(pending.message(), reason, detail)));
    }

    /** Ends a message that is counted; its rejected events become dead letters. */
    public void counted(PendingMessage pending) {
        DecodeResult decoded = pending.rejected();
        if (decoded == null) {
            acknowledge(pending);
            return;
        }
        sendToDeadLetterQueue(pending,
                () -> decoded.rejections().stream().map(rejection -> letter(pending, decoded, rejection)).toList());
    }

    public void failed(PendingMessage pending, MessageFailure failure) {
        if (failure.isFinal()) {
            rejected(pending, failure.reason(), failure.detail());
            return;
        }
        lastErrors.put(pending.message().id(), failure.reason().word() + ": " + failure.detail());
        LOG.warn("message returned; SQS will redeliver", LogKey.REASON.of(failure.reason().word()),
                LogKey.MESSAGE_ID.of(pending.message().id()), LogKey.DETAIL.of(failure.detail()));
        returnToQueue(pending, failure.reason());
    }

    /** Sends dead letters before the delete: a message is deleted only once everything in it is safe elsewhere. */
    private void sendToDeadLetterQueue(PendingMessage pending, Supplier<List<DeadLetter>> made) {
        letters.run(() -> deadLetters.send(made.get(), metrics::deadLetter))
                .onFailure().recoverWithItem(failure -> Optional.of(AwsErrors.reason(failure)))
                .subscribe().with(failed -> failed.ifPresentOrElse(reason -> {
                    lastErrors.putIfAbsent(pending.message().id(), reason.word() + ": not sent to the dead-letter queue");
                    returnToQueue(pending, reason);
                }, () -> acknowledge(pending)));
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

    /** Returns a message after a pause, since an immediate return would fail again in a tight loop. */
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

    /** Completes once the condition holds. */
    static Uni<Void> until(BooleanSupplier condition) {
        return Multi.createFrom().ticks().onExecutor(Infrastructure.getDefaultWorkerPool()).every(POLL)
                .onOverflow().drop().select().where(tick -> condition.getAsBoolean()).toUni().replaceWithVoid();
    }
}
