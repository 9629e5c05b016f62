package dev.windrow.writer.flow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.deadletter.DeadLetter;
import dev.windrow.writer.deadletter.DeadLetterSender;
import dev.windrow.writer.inflight.InFlightMessages;
import dev.windrow.writer.inflight.MessageCompletion;
import dev.windrow.writer.inflight.pending.MessageFailure;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.journal.parked.ParkedLetter;
import dev.windrow.writer.journal.request.Request;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.store.journal.JournalQueues;
import io.smallrye.mutiny.Uni;

/**
 * Completes messages that the journal no longer needs, and sends parked additions to the dead-letter queue. Thread-safe.
 */
public final class JournalMessages implements JournalQueues {

    private static final StructuredLogger LOG = StructuredLogger.of(JournalMessages.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    private final InFlightMessages messages;
    private final MessageCompletion completion;
    private final DeadLetterSender deadLetters;
    private final JournalMetrics metrics;
    private final Clock clock;
    private volatile List<SourceQueue> queues = List.of();

    /** @param clock says when parked additions became a dead letter */
    public JournalMessages(InFlightMessages messages, MessageCompletion completion, DeadLetterSender deadLetters,
            JournalMetrics metrics, Clock clock) {
        this.messages = messages;
        this.completion = completion;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
        this.clock = clock;
    }

    void start(List<SourceQueue> found) {
        queues = found;
    }

    /** Its letter is sent when the rest of the message is claimed: then the message is completed. */
    @Override
    public Uni<Void> send(Request.SendUnclaimable message) {
        pending(message.message().reference()).fail(new MessageFailure(Reason.REFUSED, message.detail()));
        return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<Void> send(Request.SendParked parked) {
        DeadLetter letter = DeadLetter.whole(ParkedLetter.write(parked, queues.get(0), clock.instant()), parked.reason(),
                parked.detail());
        metrics.parked(parked.reason());
        return Uni.createFrom().deferred(() -> deadLetters.send(List.of(letter)))
                .onItem().invoke(sent -> {
                    if (!sent) {
                        throw new IllegalStateException("the dead-letter queue does not accept parked additions");
                    }
                })
                .onFailure().retry().withBackOff(FIRST_PAUSE, MAX_PAUSE).indefinitely().replaceWithVoid();
    }

    @Override
    public void claimed(Request.ReportClaimed message) {
        messages.claimed(pending(message.reference()));
    }

    /** All of the message is claimed: what was rejected goes to the dead-letter queue, and then the message is deleted. */
    @Override
    public Uni<Void> delete(Request.DeleteMessage delete) {
        PendingMessage pending = pending(delete.reference());
        if (!pending.isAbandoned()) {
            MessageFailure failure = pending.failure();
            if (failure == null) {
                completion.counted(pending);
            } else {
                completion.failed(pending, failure);
            }
        }
        return Uni.createFrom().voidItem();
    }

    @Override
    public void report(Request.Report report) {
        if (report instanceof Request.ReportUnreadable unreadable) {
            report(unreadable);
        } else if (report instanceof Request.ReportDeferred deferred) {
            report(deferred);
        } else if (report instanceof Request.ReportUnreadableClaims claims) {
            report(claims);
        } else if (report instanceof Request.ReportLane lane) {
            report(lane);
        }
    }

    private void report(Request.ReportUnreadableClaims claims) {
        metrics.unreadable();
        LOG.error("what remembers the claims of a minute cannot be read; its messages wait, and others go on",
                LogKey.REASON.of(Reason.JOURNAL_UNREADABLE.word()), LogKey.DETAIL.of(claims.minute().kind().name()
                        .toLowerCase(Locale.ROOT) + " ids of "
                        + Instant.EPOCH.plus(Duration.ofMinutes(claims.minute().minute())) + ": "
                        + claims.detail()));
    }

    private void report(Request.ReportUnreadable unreadable) {
        metrics.unreadable();
        LOG.error("lane cannot be recovered by this writer; its additions are missing from the table",
                LogKey.REASON.of(Reason.JOURNAL_UNREADABLE.word()),
                LogKey.DETAIL
                        .of("lane " + unreadable.lane() + ", record " + unreadable.position() + ": " + unreadable.detail()));
    }

    private static void report(Request.ReportDeferred deferred) {
        LOG.warn("buckets take no update for a minute; their additions wait in the journal, and others go on",
                LogKey.DETAIL.of("lane " + deferred.lane() + ", " + deferred.cells() + " buckets and extremes, among them pk '"
                        + deferred.item().partitionKey() + "', sk '" + deferred.item().sortKey() + "'"));
    }

    private static void report(Request.ReportLane lane) {
        switch (lane.event()) {
            case HELD -> LOG.info("claiming on a lane of the journal", LogKey.DETAIL.of("lane " + lane.lane()));
            case LOST -> LOG.warn("lane lost, as it was not renewed for a lease or its item was changed; looking for another,"
                    + " and receiving nothing meanwhile", LogKey.DETAIL.of("lane " + lane.lane()));
            case NONE_FREE -> LOG.warn("no lane is free; receiving nothing until a writer on this table ends",
                    LogKey.DETAIL.of("expected fewer than " + TableSchema.MAX_LANES + " other writers"));
        }
    }

    private static PendingMessage pending(Object reference) {
        return (PendingMessage) reference;
    }
}
