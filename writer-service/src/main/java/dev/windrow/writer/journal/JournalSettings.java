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
 * How a journal is kept.
 *
 * @param holder names this writer in lanes; another one never has the same name, nor has this one after a restart
 * @param flushEvery how long messages wait to be claimed together
 * @param lease how long a lane's holder may be silent before others take its lane over
 * @param retention how long claims are remembered, longer than any message may be delivered again
 * @param deleteAfter how long after the claim a message is deleted at the latest, though its additions are not applied
 * @param concurrentUpdates maximum number of updates under way for each lane
 * @param maxCells from how many buckets of usual size that lack something no more is claimed; half of them make everything due
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

    /** Enough for most updates to be applied first, and less than a queue's visibility timeout of 30 s. */
    public static final Duration DELETE_AFTER = Duration.ofSeconds(15);

    /** As long as an operator's change of the role's policy takes to reach DynamoDB. */
    public static final Duration DENIED_FOR = Duration.ofMinutes(1);

    /** Buckets of a backlog are late anyway, and most of its additions are to the same ones. */
    public static final Duration BACKLOG_DELAY = Duration.ofSeconds(4);

    /** As long as until an update that the table denies is parked. */
    public static final Duration DEFER_AFTER = Duration.ofMinutes(1);

    /**
     * What short memory of the caller changes.
     *
     * @param claims whether everything that waits is claimed
     * @param deletions whether claimed messages are deleted, though fine buckets lack them still
     * @param backlog whether buckets are written later, as the queue is long
     */
    public record MemoryShortage(boolean claims, boolean deletions, boolean backlog) {

        /** Everything has its time. */
        public static final MemoryShortage NONE = new MemoryShortage(false, false, false);
    }

    /**
     * The time of an input, as the caller's clocks show it.
     *
     * @param nanos of a clock that never goes back; only differences are meaningful
     * @param millis since the epoch; written into the table, compared between writers only for expiry and by people
     */
    public record Now(long nanos, long millis) {

        private static final long MILLIS = 1_000;

        /** Whole seconds since the epoch. */
        public long seconds() {
            return Math.floorDiv(millis, MILLIS);
        }
    }

    /**
     * What one claim may hold, within a transaction of 100 items and 4 MB.
     *
     * @param bytes of its record before compression, approximately; a single unit may have more
     * @param chunkBytes of each item that the record is cut into
     * @param chunks maximum number of such items
     * @param slots maximum number of slots
     * @param slotFullAt number of ids at which a slot is full; later ones go to slots below it. Part of the storage format: all
     *        writers of a table must always have the same
     * @param slotTarget how many ids a slot should get
     */
    public record ClaimLimits(int bytes, int chunkBytes, int chunks, int slots, int slotFullAt, int slotTarget) {

        /** @throws IllegalArgumentException if lane, record and slots do not fit into a transaction */
        public ClaimLimits {
            if (1 + chunks + slots > AwsLimits.TRANSACTION_ITEMS) {
                throw new IllegalArgumentException("expected at most " + AwsLimits.TRANSACTION_ITEMS + " items, found a lane, "
                        + chunks + " chunks and " + slots + " slots");
            }
        }

        /** A record as the items that it is cut into; none if it is longer than they may be together. */
        public List<byte[]> cut(byte[] record) {
            List<byte[]> cut = new ArrayList<>();
            for (int from = 0; from < record.length; from += chunkBytes) {
                cut.add(Arrays.copyOfRange(record, from, Math.min(record.length, from + chunkBytes)));
            }
            return cut.size() > chunks ? List.of() : cut;
        }

        /**
         * Usual limits: a slot of 120 ids is a KB and costs as little as one of one id, and few have a fifth more than others.
         * A full slot stays below 4 KB, whatever its last claim adds.
         */
        public static final ClaimLimits DEFAULTS = new ClaimLimits(2_000_000, 350_000, 8, 88, 250, 100);
    }

    /**
     * How long additions to a bucket may wait for more, by its granularity. They are safe once they are claimed; the longer
     * they wait the fewer writes they need, and the longer answers do without them.
     */
    public static final class WriteEvery {

        /** Default for seconds and minutes. */
        public static final Duration FINE = Duration.ofSeconds(1);

        /** Default for several minutes and hours. */
        static final Duration MIDDLE = Duration.ofSeconds(30);

        /** Default for days and longer. */
        static final Duration COARSE = Duration.ofMinutes(5);

        private static final Duration PROMPT = Duration.ofSeconds(5);

        private final Map<String, Long> nanosByGranularity = new HashMap<>();

        /** @param chosen other waits than the defaults, by granularity */
        public WriteEvery(Map<Granularity, Duration> chosen) {
            chosen.forEach((granularity, wait) -> nanosByGranularity.put(granularity.name(), wait.toNanos()));
        }

        /** How long additions may wait, in nanoseconds; granularities that this release does not know do as minutes. */
        public long nanos(String granularity) {
            return nanosByGranularity.computeIfAbsent(granularity,
                    name -> Granularity.parse(name).map(WriteEvery::defaultOf).orElse(FINE).toNanos());
        }

        /** Whether they wait so shortly that their messages stay in the queue for as long. */
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
