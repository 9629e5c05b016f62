package dev.windrow.bench.partition;

/**
 * Write units of single operations, in the service's steps.
 * <p>
 * Sources: seed "AWS and other interesting stuff" (a write unit is 1 KB) and seed "Global Secondary Indexes" (Write Capacity
 * Units): an update of an item costs the index a write of its entry, whose size is the larger of before and after.
 */
public final class Units {

    private static final int WRITE_STEP = 1_024;

    private Units() {
    }

    /** Write units of one item: each begun KB, at least one. */
    public static double write(int bytes) {
        return Math.max(1, (bytes + WRITE_STEP - 1) / WRITE_STEP);
    }

    /** Write units of one item in a transaction: it is written twice, to prepare and to commit. */
    public static double transactionalWrite(int bytes) {
        return 2 * write(bytes);
    }
}
