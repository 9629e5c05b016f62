package dev.windrow.writer.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.RecentMap;
import dev.windrow.writer.journal.ClaimUnit.ClaimId;
import dev.windrow.writer.journal.Cuts.CutKey;

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

    /**
     * The content of a slot, as a refused claim returns it.
     *
     * @param ids hashes in the slot, sorted; none if it does not exist
     * @param expires when it may be forgotten, in seconds since the epoch
     * @param damage why the item cannot be read or takes no ids; else empty
     */
    public record SlotContent(Slot slot, long[] ids, long expires, String damage) {

        public SlotContent {
            ids = Arrays.stream(ids).sorted().toArray();
        }

        public SlotContent(Slot slot, long[] ids, long expires) {
            this(slot, ids, expires, "");
        }

        public static SlotContent damaged(Slot slot, String damage) {
            return new SlotContent(slot, new long[0], 0, damage);
        }

        /**
         * Returns this content with more ids. It keeps its expiry: a claim by name does not show whether the item is still the
         * one that was seen.
         */
        private SlotContent with(long[] more) {
            return new SlotContent(slot, LongStream.concat(Arrays.stream(ids), Arrays.stream(more)).toArray(), expires);
        }

        boolean has(ClaimId id) {
            return Arrays.binarySearch(ids, id.hash()) >= 0;
        }
    }

    /**
     * A claim's update of a slot. With ids, it adds them, provided that the slot holds none of them. Without ids, it extends
     * the expiry of a full slot, provided that the slot exists.
     *
     * @param ids hashes to add
     * @param holds number of ids that the slot must hold, none of which is among these; {@link #NAMED} if the condition names
     *        the ids, and requires that there are fewer than {@code fullAt} others
     * @param fullAt number of ids at which a slot is full
     * @param expires when the slot may be forgotten, in seconds since the epoch
     */
    public record SlotUpdate(Slot slot, long[] ids, int holds, int fullAt, long expires) {

        public static final int NAMED = -1;
    }

    /**
     * What is known of slots. A full slot never takes another id, so its content can be cached until it expires. An id whose
     * slot is full goes to a slot below it. Not thread-safe.
     */
    static final class KnownSlots {

        private static final int REMEMBERED = 1_000;

        private final int fullAt;
        /** All ids of full slots. */
        private final Map<Slot, SlotContent> full = new RecentMap<>(REMEMBERED);
        /** Ids of other slots; other writers may have added more. */
        private final Map<Slot, SlotContent> seen = new RecentMap<>(REMEMBERED);

        KnownSlots(int fullAt) {
            this.fullAt = fullAt;
        }

        /**
         * The slot of an id.
         *
         * @param slot the first slot that is not known to be full, or one that is known to hold the id
         * @param known whether the id is known to be claimed
         * @param above the full slots passed on the way
         */
        record Route(Slot slot, boolean known, List<SlotContent> above) {
        }

        /** @param slots number of slots that the id's minute is cut into */
        Route route(ClaimId id, int slots) {
            List<SlotContent> above = new ArrayList<>(0);
            Slot slot = Slot.of(id, slots);
            for (SlotContent in = full.get(slot); in != null; in = full.get(slot)) {
                if (in.has(id)) {
                    return new Route(slot, true, above);
                }
                above.add(in);
                slot = slot.below(id, slots);
            }
            SlotContent in = seen.get(slot);
            return new Route(slot, in != null && in.has(id), above);
        }

        /** Returns what is known of a slot that is not known to be full. */
        @Nullable
        SlotContent seen(Slot slot) {
            return seen.get(slot);
        }

        /** Notes that a claim has updated a slot. */
        void updated(SlotUpdate update) {
            Slot slot = update.slot();
            if (update.ids().length == 0) {
                full.computeIfPresent(slot, (key, content) -> new SlotContent(slot, content.ids(), update.expires()));
                return;
            }
            SlotContent after = seen.getOrDefault(slot, new SlotContent(slot, new long[0], update.expires()))
                    .with(update.ids());
            // Named ids may have joined others that this writer has not seen.
            if (update.holds() == SlotUpdate.NAMED) {
                seen.put(slot, after);
            } else {
                found(after);
            }
        }

        /** Notes all ids of a slot. */
        void found(SlotContent content) {
            boolean isFull = content.ids().length >= fullAt;
            (isFull ? seen : full).remove(content.slot());
            (isFull ? full : seen).put(content.slot(), content);
        }
    }
}
