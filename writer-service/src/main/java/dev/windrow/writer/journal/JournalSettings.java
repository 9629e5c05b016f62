package dev.windrow.writer.journal;

import java.time.Duration;
import java.util.Map;

import dev.windrow.dataset.Granularity;
import dev.windrow.writer.journal.apply.WriteEvery;
import dev.windrow.writer.journal.claim.ClaimLimits;

/**
 * How a journal is kept.
 *
 * @param holder names this writer in lanes; another one never has the same name, nor has this one after a restart
 * @param flushEvery how long messages wait to be claimed together
 * @param lease how long a lane's holder may be silent before others take its lane over
 * @param retention how long claims are remembered, longer than any message may be delivered again
 * @param deleteAfter how long after the claim a message is deleted at the latest, though its additions are not applied
 * @param concurrentUpdates maximum number of updates under way for each lane
 * @param maxCells from how many buckets of usual size that lack something no more is claimed; half of them make
 *        everything due
 * @param maxRecords from how many records that are not applied no more is claimed; half of them make everything due
 * @param claimLimits of one claim
 * @param deniedFor how long an update is tried that the table denies, before it goes to the dead-letter queue
 * @param writeEvery how long additions may wait, by granularity
 * @param backlogDelay how much longer additions wait in a backlog
 * @param deferAfter how long an item does not take its update before that is moved out of the way of others
 */
public record JournalSettings(String holder, Duration flushEvery, Duration lease, Duration retention,
        Duration deleteAfter, int concurrentUpdates, int maxCells, int maxRecords, ClaimLimits claimLimits,
        Duration deniedFor, WriteEvery writeEvery, Duration backlogDelay, Duration deferAfter) {

    /** With the usual time until updates are deferred: a minute, as long as until an update that the table denies is parked. */
    public JournalSettings(String holder, Duration flushEvery, Duration lease, Duration retention, Duration deleteAfter,
            int concurrentUpdates, int maxCells, int maxRecords, ClaimLimits claimLimits, Duration deniedFor,
            WriteEvery writeEvery, Duration backlogDelay) {
        this(holder, flushEvery, lease, retention, deleteAfter, concurrentUpdates, maxCells, maxRecords, claimLimits, deniedFor,
                writeEvery, backlogDelay, Duration.ofMinutes(1));
    }

    /** Usual settings. */
    public static JournalSettings defaults(String holder) {
        return new JournalSettings(holder, Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ofDays(15),
                Duration.ofSeconds(15), 128, 200_000, 1_000, ClaimLimits.DEFAULTS,
                Duration.ofMinutes(1),
                new WriteEvery(Map.<Granularity, Duration> of()), Duration.ofSeconds(4));
    }
}
