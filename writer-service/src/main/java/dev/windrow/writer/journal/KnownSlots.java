package dev.windrow.writer.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.RecentMap;
import dev.windrow.writer.record.ClaimId;

/**
 * What is known of slots. A full slot never takes another id, so its content can be cached until it expires. An id whose
 * slot is full goes to a slot below it. Not thread-safe.
 */
final class KnownSlots {

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
