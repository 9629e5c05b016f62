package dev.windrow.bench.server;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the capacity units of requests by the service's rules. Safe to read from other threads.
 * <p>
 * Sources: seed "AWS and other interesting stuff" (a write unit is 1 KB, a read unit 4 KB, or 8 KB if eventually
 * consistent) and seed "Global Secondary Indexes" (Write Capacity Units): an update of an item costs the index a write of
 * its entry, whose size is the larger of before and after.
 */
public final class Meter {

    private static final int WRITE_STEP = 1_024;
    private static final int READ_STEP = 4_096;

    final DoubleAdder writeUnits = new DoubleAdder();
    private final DoubleAdder readUnits = new DoubleAdder();
    final LongAdder minutes = new LongAdder();

    /**
     * The counts so far.
     *
     * @param writeUnits write units of table and index
     * @param minutes number of updates of minute buckets
     */
    public record Reading(double writeUnits, double readUnits, long minutes) {

        /** Returns the counts between an earlier reading and this one. */
        public Reading since(Reading earlier) {
            return new Reading(writeUnits - earlier.writeUnits, readUnits - earlier.readUnits, minutes - earlier.minutes);
        }
    }

    /** Returns the write units of an item: one per started KB, at least one; doubled in a transaction (prepare, commit). */
    static double writeUnits(int bytes, boolean transactional) {
        return begun(bytes, WRITE_STEP) * (transactional ? 2 : 1);
    }

    /** Returns the read units of a request: one per started 4 KB, at least one; half if eventually consistent. */
    static double readUnits(int bytes, boolean consistent) {
        return begun(bytes, READ_STEP) * (consistent ? 1 : 0.5);
    }

    private static int begun(int bytes, int step) {
        return Math.max(1, (bytes + step - 1) / step);
    }

    public void read(double units) {
        readUnits.add(units);
    }

    public Reading read() {
        return new Reading(writeUnits.sum(), readUnits.sum(), minutes.sum());
    }
}
