package dev.windrow.writer.journal.claim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Slots that are known to be full: they never take another id, so what they hold can be remembered as long as they do not
 * expire. An id whose slot is full belongs into one below it. Not thread-safe.
 */
final class FullSlots {

    private static final int REMEMBERED = 1_000;

    private final Map<Slot, SlotContent> full = new Recent<>(REMEMBERED);

    /**
     * Where an id belongs.
     *
     * @param slot the first that is not full, or a full one that holds the id
     * @param known whether it is known to be claimed
     * @param above the full slots that lead there
     */
    record Route(Slot slot, boolean known, List<SlotContent> above) {
    }

    /** @param slots how many the id's minute is cut into */
    Route route(ClaimId id, int slots) {
        Slot first = Slot.of(id, slots);
        SlotContent content = full.get(first);
        return content == null ? new Route(first, false, List.of()) : route(id, slots, first, content);
    }

    private Route route(ClaimId id, int slots, Slot first, SlotContent content) {
        List<SlotContent> above = new ArrayList<>();
        Slot slot = first;
        for (@Nullable
        SlotContent in = content; in != null; in = full.get(slot)) {
            if (Arrays.binarySearch(in.ids(), id.hash()) >= 0) {
                return new Route(slot, true, above);
            }
            above.add(in);
            slot = slot.below(id, slots);
        }
        return new Route(slot, false, above);
    }

    /**
     * Notes what a slot holds.
     *
     * @param content with its ids in order
     */
    void note(SlotContent content, int fullAt) {
        if (content.ids().length >= fullAt) {
            full.put(content.slot(), content);
        } else {
            full.remove(content.slot());
        }
    }

    /** A full slot will not expire before. */
    void kept(Slot slot, long expires) {
        full.computeIfPresent(slot, (key, content) -> new SlotContent(slot, content.ids(), expires));
    }
}
