package dev.windrow.bench.table;

/**
 * Write and read units of single operations, in the service's steps.
 * <p>
 * Sources: seed "AWS and other interesting stuff" (a write unit is 1 KB, a read unit 4 KB, or 8 KB if eventually consistent)
 * and seed "Global Secondary Indexes" (Write Capacity Units): an update of an item costs the index a write of its entry, whose
 * size is the larger of before and after.
 */
public final class Units {

    private static final int WRITE_STEP = 1_024;
    private static final int READ_STEP = 4_096;

    private Units() {
    }

    /** Write units of one item: each begun KB, at least one; twice that in a transaction, to prepare and to commit. */
    public static double write(int bytes, boolean transactional) {
        return begun(bytes, WRITE_STEP) * (transactional ? 2 : 1);
    }

    /** Read units of what one request reads of a partition: each begun 4 KB, at least one; half of it if not consistent. */
    public static double read(int bytes, boolean consistent) {
        return begun(bytes, READ_STEP) * (consistent ? 1 : 0.5);
    }

    private static int begun(int bytes, int step) {
        return Math.max(1, (bytes + step - 1) / step);
    }
}
