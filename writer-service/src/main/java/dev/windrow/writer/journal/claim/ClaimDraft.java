package dev.windrow.writer.journal.claim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.windrow.writer.journal.record.JournalRecord;

/** The units of one claim, within its limits. Not thread-safe. */
final class ClaimDraft {

    private final ClaimLimits limits;
    private final Cuts cuts;
    private final FullSlots full;
    private final long nowSeconds;
    private final List<WaitingUnit> units = new ArrayList<>();
    /** By unit. */
    private final List<Slot> slotOfUnit = new ArrayList<>();
    private final List<WaitingUnit> duplicates = new ArrayList<>();
    private final List<WaitingUnit> twins = new ArrayList<>();
    private final Map<Slot, Set<Long>> idsBySlot = new LinkedHashMap<>();
    /** Full slots that lead to others and would expire before these. */
    private final Set<Slot> kept = new HashSet<>();
    private final RecordDraft record = new RecordDraft();
    private boolean lacksCut;

    /** What became of a unit that was offered to a claim. */
    enum Admission {

        /** It is in the claim, or known to be claimed. */
        TAKEN,
        /** It must go into a later claim, as this one has no room for more ids in its slot. */
        SKIPPED,
        /** It must wait, as the items of its minute cannot be read. */
        LEFT,
        /** The claim takes no more units. */
        ENDED
    }

    ClaimDraft(ClaimLimits limits, Cuts cuts, FullSlots full, long nowSeconds) {
        this.limits = limits;
        this.cuts = cuts;
        this.full = full;
        this.nowSeconds = nowSeconds;
    }

    /** What is to be claimed. */
    List<WaitingUnit> units() {
        return units;
    }

    /** Whether it ends where it does because a minute's cut is not known. */
    boolean lacksCut() {
        return lacksCut;
    }

    /** Where the id of a unit is to be added. */
    Slot slotOfUnit(int unit) {
        return slotOfUnit.get(unit);
    }

    /** Units that are known to be claimed. */
    List<WaitingUnit> duplicates() {
        return duplicates;
    }

    /** Redelivered units, claimed by their other copy in this claim. */
    List<WaitingUnit> twins() {
        return twins;
    }

    /** All units that are settled with it. */
    List<WaitingUnit> all() {
        List<WaitingUnit> all = new ArrayList<>(units);
        all.addAll(twins);
        return all;
    }

    /** Adds a unit if there is room for it. */
    Admission add(WaitingUnit waiting) {
        ClaimUnit unit = waiting.unit();
        ClaimId id = unit.id();
        if (cuts.isUnreadable(id, nowSeconds)) {
            return Admission.LEFT;
        }
        Cut cut = cuts.of(id, nowSeconds);
        if (cut == null) {
            lacksCut = true;
            return Admission.ENDED;
        }
        FullSlots.Route route = full.route(id, cut.slots());
        Set<Long> ids = idsBySlot.get(route.slot());
        boolean isTwin = ids != null && ids.contains(id.hash());
        if (route.known() || isTwin) {
            (route.known() ? duplicates : twins).add(waiting);
            return Admission.TAKEN;
        }
        Set<Slot> keep = kept(route);
        int slots = idsBySlot.size() + (ids == null ? 1 : 0) + keep.size();
        boolean slotHasRoom = slots <= limits.slots() && (ids == null || ids.size() < SlotUpdate.MAX_IDS);
        // A single unit is claimed whatever its size, or never.
        if (!units.isEmpty() && !slotHasRoom) {
            return Admission.SKIPPED;
        }
        if (!units.isEmpty() && record.bytes() >= limits.bytes()) {
            return Admission.ENDED;
        }
        if (!record.fitsWith(unit) && !units.isEmpty()) {
            return Admission.ENDED;
        }
        kept.addAll(keep);
        idsBySlot.computeIfAbsent(route.slot(), slot -> new HashSet<>()).add(id.hash());
        record.add(unit);
        units.add(waiting);
        slotOfUnit.add(route.slot());
        return Admission.TAKEN;
    }

    private Set<Slot> kept(FullSlots.Route route) {
        if (route.above().isEmpty()) {
            return kept;
        }
        Set<Slot> keep = new HashSet<>(kept);
        for (SlotContent above : route.above()) {
            if (!cuts.outlives(above.expires(), nowSeconds)) {
                keep.add(above.slot());
            }
        }
        return keep;
    }

    List<SlotUpdate> slotUpdates() {
        List<SlotUpdate> updates = new ArrayList<>(idsBySlot.size() + kept.size());
        long expires = cuts.expires(nowSeconds);
        idsBySlot.forEach((slot, ids) -> updates.add(new SlotUpdate(slot,
                ids.stream().mapToLong(Long::longValue).toArray(), limits.slotFullAt(), expires)));
        for (Slot slot : kept) {
            updates.add(new SlotUpdate(slot, new long[0], limits.slotFullAt(), expires));
        }
        return updates;
    }

    /** The messages of its units. */
    List<JournalMessage> messages() {
        List<JournalMessage> messages = new ArrayList<>();
        MessageState last = null;
        for (WaitingUnit unit : units) {
            // Units of a message are neighbors.
            if (unit.message() != last) {
                last = unit.message();
                messages.add(last.message());
            }
        }
        return messages;
    }

    /** Approximate size of its record before compression, in bytes. */
    long bytes() {
        return record.bytes();
    }

    JournalRecord record(long claimedMillis) {
        return record.record(claimedMillis);
    }
}
