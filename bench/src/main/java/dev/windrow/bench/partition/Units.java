package dev.windrow.bench.partition;

/**
 * Capacity units of single operations, in the service's steps.
 * <p>
 * Sources: seed "AWS and other interesting stuff" (a read unit is 4 KB strongly consistent or two of them eventually
 * consistent; a write unit is 1 KB) and seed "Global Secondary Indexes" (Read and Write Capacity Units).
 */
public final class Units {

    private static final int READ_STEP = 4_096;
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

    /**
     * Read units of one page: the sizes of all items read are summed, then rounded up to 4 KB.
     *
     * @param bytes of all items that were read, filtered out or not
     * @param consistent strongly consistent reads cost twice the eventually consistent ones
     */
    public static double read(long bytes, boolean consistent) {
        double steps = Math.max(1, (bytes + READ_STEP - 1) / READ_STEP);
        return consistent ? steps : steps / 2;
    }

    /**
     * Write units of an index for one write to the table.
     *
     * @param before the entry before the write, or {@link IndexEntry#NONE}
     * @param after the entry after it
     */
    public static double index(IndexEntry before, IndexEntry after) {
        if (!before.exists()) {
            return after.exists() ? write(after.bytes()) : 0;
        }
        if (!after.exists()) {
            return write(before.bytes());
        }
        if (!before.key().equals(after.key())) {
            return write(before.bytes()) + write(after.bytes());
        }
        return before.sameProjection(after) ? 0 : write(Math.max(before.bytes(), after.bytes()));
    }
}
