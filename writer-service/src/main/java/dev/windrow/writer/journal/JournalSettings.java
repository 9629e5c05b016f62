package dev.windrow.writer.journal;

import java.time.Duration;

/**
 * The settings of a journal.
 *
 * @param holder name of this writer in lanes, unique to it and new after each restart
 * @param flushEvery how long messages wait to be claimed together
 * @param lease how long a lane's holder may be silent before others take its lane over
 * @param retention how long claims are remembered; longer than a message can be redelivered
 * @param deleteAfter maximum time from claim to deletion of a message, even if its additions are not applied
 * @param concurrentUpdates maximum number of updates in flight per lane
 * @param maxCells number of pending cells of usual size at which claiming stops; above half of it, everything is due
 * @param maxRecords number of unapplied records at which claiming stops; above half of it, everything is due
 * @param deniedFor how long a denied update is tried before it goes to the dead-letter queue
 * @param writeEvery how long additions may wait, by granularity
 * @param backlogDelay how much longer additions wait in a backlog
 * @param deferAfter how long an item may fail to take an update before the update is deferred, so that others need not wait
 */
public record JournalSettings(String holder, Duration flushEvery, Duration lease, Duration retention,
        Duration deleteAfter, int concurrentUpdates, int maxCells, int maxRecords, ClaimLimits claimLimits,
        Duration deniedFor, WriteEvery writeEvery, Duration backlogDelay, Duration deferAfter) {

    /** Long enough for most updates to be applied first, and shorter than a queue's visibility timeout of 30 s. */
    public static final Duration DELETE_AFTER = Duration.ofSeconds(15);

    /** The time that an operator's change of the role's policy takes to reach DynamoDB. */
    public static final Duration DENIED_FOR = Duration.ofMinutes(1);

    /** In a backlog, buckets are late anyway, and most additions are to the same buckets. */
    public static final Duration BACKLOG_DELAY = Duration.ofSeconds(4);

    /** The time after which a denied update is parked, too. */
    public static final Duration DEFER_AFTER = Duration.ofMinutes(1);

}
