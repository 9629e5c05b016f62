package dev.windrow.writer.journal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.dataset.Granularity;
import dev.windrow.table.TableSchema.AwsLimits;

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

    /**
     * What changes while the caller is short of memory.
     *
     * @param claims whether everything that waits is claimed at once
     * @param deletions whether claimed messages are deleted even if fine buckets still lack them
     * @param backlog whether buckets are written later, as old messages wait in the queue
     */
    public record MemoryShortage(boolean claims, boolean deletions, boolean backlog) {

        /** No shortage: everything is done when it is due. */
        public static final MemoryShortage NONE = new MemoryShortage(false, false, false);
    }

    /**
     * The time of an input, by the caller's clocks.
     *
     * @param nanos time of a monotonic clock; only differences are meaningful
     * @param millis since the epoch; written to the table. Compared between writers only for expiry, and by human readers
     */
    public record Now(long nanos, long millis) {

        private static final long MILLIS = 1_000;

        public long seconds() {
            return Math.floorDiv(millis, MILLIS);
        }
    }

    /**
     * Limits of one claim, within a transaction of 100 items and 4 MB.
     *
     * @param bytes approximate size of its record before compression; a single unit may exceed it
     * @param chunkBytes size of each item that the record is cut into
     * @param chunks maximum number of such items
     * @param slotFullAt number of ids at which a slot is full; later ids go to slots below it. Part of the storage format:
     *        always the same for all writers of a table
     * @param slotTarget number of ids that a slot should get
     * @param namedIds number of ids that one condition can name (DynamoDB: 300 operators, two per id, and 4 KB)
     */
    public record ClaimLimits(int bytes, int chunkBytes, int chunks, int slots, int slotFullAt, int slotTarget, int namedIds) {

        /** @throws IllegalArgumentException if lane, record and slots do not fit into a transaction */
        public ClaimLimits {
            if (1 + chunks + slots > AwsLimits.TRANSACTION_ITEMS) {
                throw new IllegalArgumentException("expected at most " + AwsLimits.TRANSACTION_ITEMS + " items, found a lane, "
                        + chunks + " chunks and " + slots + " slots");
            }
        }

        /** Cuts a record into items of {@code chunkBytes}; returns none if there would be more than {@code chunks}. */
        public List<byte[]> cut(byte[] record) {
            List<byte[]> cut = new ArrayList<>();
            for (int from = 0; from < record.length; from += chunkBytes) {
                cut.add(Arrays.copyOfRange(record, from, Math.min(record.length, from + chunkBytes)));
            }
            return cut.size() > chunks ? List.of() : cut;
        }

        /**
         * The usual limits. A slot of 120 ids is 1 KB and costs as little as a slot of one id; few slots get a fifth more ids
         * than others. A full slot stays below 4 KB, whatever its last claim adds.
         */
        public static final ClaimLimits DEFAULTS = new ClaimLimits(2_000_000, 350_000, 8, 88, 250, 100, 140);
    }

    /**
     * How long additions to a bucket may wait for more, by granularity. They are durable once claimed. Longer waits need fewer
     * writes, but answers lack the additions for longer.
     */
    public static final class WriteEvery {

        /** Default for seconds and minutes. */
        public static final Duration FINE = Duration.ofSeconds(1);

        /** Default for granularities of several minutes and for hours. */
        static final Duration MIDDLE = Duration.ofSeconds(30);

        /** Default for days and longer. */
        static final Duration COARSE = Duration.ofMinutes(5);

        private static final Duration PROMPT = Duration.ofSeconds(5);

        private final Map<String, Long> nanosByGranularity = new HashMap<>();

        /** @param chosen waits that replace the defaults, by granularity */
        public WriteEvery(Map<Granularity, Duration> chosen) {
            chosen.forEach((granularity, wait) -> nanosByGranularity.put(granularity.name(), wait.toNanos()));
        }

        /** Returns how long additions may wait, in nanoseconds; granularities unknown to this release wait like minutes. */
        public long nanos(String granularity) {
            return nanosByGranularity.computeIfAbsent(granularity,
                    name -> Granularity.parse(name).map(WriteEvery::defaultOf).orElse(FINE).toNanos());
        }

        /** Whether additions wait so briefly that their messages stay in the queue meanwhile. */
        public boolean isPrompt(String granularity) {
            return nanos(granularity) <= PROMPT.toNanos();
        }

        private static Duration defaultOf(Granularity granularity) {
            if (granularity.compareTo(Granularity.MINUTE) <= 0) {
                return FINE;
            }
            return granularity.compareTo(Granularity.HOUR) <= 0 ? MIDDLE : COARSE;
        }
    }
}
