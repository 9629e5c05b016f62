package dev.windrow.writer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.journal.ParkedLetter;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.queue.DeadLetter;
import dev.windrow.writer.queue.DeadLetters;
import io.smallrye.mutiny.Uni;

/** Sends parked additions to the dead-letter queue and logs the journal's reports. Thread-safe. */
final class JournalQueues implements Request.Queues, Request.Reports {

    private static final StructuredLogger LOG = StructuredLogger.of(JournalQueues.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

    private final DeadLetters deadLetters;
    private final JournalMetrics metrics;
    private final Clock clock;
    private volatile List<SourceQueue> queues = List.of();

    /** @param clock gives the time at which parked additions became a dead letter */
    JournalQueues(DeadLetters deadLetters, JournalMetrics metrics, Clock clock) {
        this.deadLetters = deadLetters;
        this.metrics = metrics;
        this.clock = clock;
    }

    void start(List<SourceQueue> found) {
        queues = found;
    }

    @Override
    public CompletionStage<Answer.Done> send(Request.SendParked parked) {
        DeadLetter letter = DeadLetter.whole(ParkedLetter.write(parked, queues.get(0), clock.instant()), parked.reason(),
                parked.detail());
        metrics.parked(parked.reason());
        return Uni.createFrom().deferred(() -> deadLetters.send(List.of(letter), sent -> {
        })).onItem().invoke(failed -> {
            if (failed.isPresent()) {
                throw new IllegalStateException("the dead-letter queue does not accept parked additions");
            }
        })
                .onFailure().retry().withBackOff(FIRST_PAUSE, MAX_PAUSE).indefinitely()
                .replaceWith(Answer.DONE).subscribeAsCompletionStage();
    }

    @Override
    public void unreadable(Request.ReportUnreadableClaims claims) {
        metrics.unreadable();
        LOG.error("the claim slots of a minute are unreadable; its messages wait, others continue",
                LogKey.REASON.of(Reason.JOURNAL_UNREADABLE.word()),
                LogKey.DETAIL.of(claims.minute().kind().name().toLowerCase(Locale.ROOT) + " ids of "
                        + Instant.EPOCH.plus(Duration.ofMinutes(claims.minute().minute())) + ": " + claims.detail()));
    }

    @Override
    public void unreadable(Request.ReportUnreadable unreadable) {
        metrics.unreadable();
        LOG.error("lane cannot be recovered by this writer; its additions are missing from the table",
                LogKey.REASON.of(Reason.JOURNAL_UNREADABLE.word()), LogKey.DETAIL.of("lane " + unreadable.lane()
                        + ", record " + unreadable.position() + ": " + unreadable.detail()));
    }

    @Override
    public void deferred(Request.ReportDeferred deferred) {
        LOG.warn("buckets take no update for a minute; their additions wait in the journal, and others go on",
                LogKey.DETAIL
                        .of("lane " + deferred.lane() + ", " + deferred.cells() + " buckets and extremes, among them pk '"
                                + deferred.item().partitionKey() + "', sk '" + deferred.item().sortKey() + "'"));
    }

    @Override
    public void lane(Request.ReportLane lane) {
        switch (lane.event()) {
            case HELD -> LOG.info("claiming on a lane of the journal", LogKey.DETAIL.of("lane " + lane.lane()));
            case RECOVERING -> LOG.info("recovering a lane that another writer left",
                    LogKey.DETAIL.of("lane " + lane.lane()));
            case LOST ->
                LOG.warn("lane lost, as it was not renewed for a lease or its item was changed; looking for another,"
                        + " and receiving nothing meanwhile", LogKey.DETAIL.of("lane " + lane.lane()));
            case NONE_FREE -> LOG.warn("no lane is free; receiving nothing until a writer on this table ends",
                    LogKey.DETAIL.of("all " + TableSchema.MAX_LANES + " lanes are held by other writers"));
        }
    }
}
