package dev.windrow.writer.journal;

import dev.windrow.writer.record.ClaimId;

/**
 * An item with the ids of claimed units, for deduplication.
 *
 * @param cut the minute it belongs to
 * @param index its number within the minute
 * @param path empty for a slot of the cut; else one digit for each full slot above it
 */
public record Slot(CutKey cut, int index, String path) {

    private static final int DIGIT_BITS = 4;
    private static final int DIGIT_MASK = 15;

    /**
     * Returns the slot of an id, by its time: ids claimed together were sent one after the other, and each slot costs a write.
     */
    public static Slot of(ClaimId id, int slots) {
        return new Slot(CutKey.of(id), (int) partOf(id, slots), "");
    }

    /**
     * Returns the slot of an id if this one is full: one of sixteen below it, by time until a slot is a millisecond long, then
     * by hash. So ids of one instant get past at most five full slots before they are divided.
     */
    public Slot below(ClaimId id, int slots) {
        int depth = path.length();
        long parts = (long) slots << (depth * DIGIT_BITS);
        int digit = parts < CutKey.MINUTE_MILLIS
                ? (int) (partOf(id, parts << DIGIT_BITS) & DIGIT_MASK)
                : (int) (id.hash() >>> (depth * DIGIT_BITS)) & DIGIT_MASK;
        return new Slot(cut, index, path + Character.forDigit(digit, DIGIT_MASK + 1));
    }

    /** Returns which of a number of equal parts of its minute an id is in. */
    private static long partOf(ClaimId id, long parts) {
        return Math.floorMod(id.millis(), CutKey.MINUTE_MILLIS) * parts / CutKey.MINUTE_MILLIS;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Slot slot && index == slot.index && cut.minute() == slot.cut.minute()
                && cut.kind() == slot.cut.kind() && path.equals(slot.path));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(cut.minute()) + index) + path.hashCode();
    }

}
