package dev.windrow.writer.journal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.Cuts.SlotCount;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.record.JournalRecord;
import dev.windrow.writer.record.RecordCodec;
import dev.windrow.writer.record.RecordDraft;

/**
 * The units that wait to be claimed, in arrival order, and the claim in flight. Units of a claim that did not succeed return to
 * their places; their slots show whether they were claimed after all. Not thread-safe.
 */
public final class Claims {

    /** Number of units ahead for which cuts are requested. */
    private static final int AHEAD = 10_000;
    /** Maximum number of units that a claim may skip, so that scanning the waiting units stays cheap. */
    private static final int MAX_SKIPPED = 10_000;
    /** Number of characters of keys that always fit into a record's body, at up to three bytes each. */
    private static final int MAX_BYTES = RecordCodec.MAX_BODY_BYTES / 4;

    private final ClaimLimits limits;
    private final Cuts cuts;
    private final KnownSlots known;
    /** By number, so that units that come back get their old places. */
    private final NavigableMap<Long, WaitingUnit> waiting = new TreeMap<>();
    private @Nullable ClaimDraft draft;
    /** Maximum number of units of the next claim; lowered when the table refuses a claim permanently. */
    private int maxUnits = Integer.MAX_VALUE;
    private boolean leftUnits;
    private long lastNumber;
    private long claims;
    private long duplicates;

    public Claims(ClaimLimits limits, long retentionSeconds) {
        this.limits = limits;
        this.known = new KnownSlots(limits.slotFullAt());
        this.cuts = new Cuts(retentionSeconds, limits.slotTarget());
    }

    /**
     * A claim that is ready to be written.
     *
     * @param record its additions
     * @param chunks the record, cut into items; none if it is too large
     * @param slots updates of the slots that remember it
     * @param expires when the record may be forgotten, in seconds since the epoch
     * @param messages that it claims, in whole or in part
     */
    public record Prepared(JournalRecord record, List<byte[]> chunks, List<SlotUpdate> slots, long expires,
            List<JournalMessage> messages) {
    }

    public void add(MessageState message) {
        for (ClaimUnit unit : message.message().units()) {
            lastNumber++;
            waiting.put(lastNumber, new WaitingUnit(unit, message, lastNumber));
        }
    }

    public int size() {
        return waiting.size();
    }

    public long claims() {
        return claims;
    }

    /** How many units so far were claimed before. */
    public long duplicates() {
        return duplicates;
    }

    public long lastNumber() {
        return lastNumber;
    }

    /** Whether the last claim left units that it had no room for. */
    boolean leftUnits() {
        return leftUnits;
    }

    /** Whether any waiting unit has at most this number. */
    boolean hasUpTo(long number) {
        return !waiting.isEmpty() && waiting.firstKey() <= number;
    }

    /**
     * Prepares the next claim.
     *
     * @param upTo the number of the last unit to claim
     * @param writers number of writers that share the messages
     * @param settled gets messages whose last unit turns out to be claimed already
     * @return null if nothing can be claimed now
     */
    public @Nullable Prepared prepare(long upTo, int writers, Now now, Consumer<MessageState> settled, Consumer<Request> out) {
        ClaimDraft next = new ClaimDraft(limits, cuts, known, writers == 1, now.seconds());
        fill(next, waiting.headMap(upTo, true).values().iterator());
        if (next.lacksCut) {
            askCuts(upTo, writers, now, out);
        }
        next.duplicates.forEach(unit -> settleDuplicate(unit, settled));
        if (next.units.isEmpty()) {
            return null;
        }
        draft = next;
        JournalRecord record = next.record.record(now.millis());
        List<byte[]> chunks = next.record.bytes() > MAX_BYTES ? List.of() : limits.cut(RecordCodec.encode(record));
        return new Prepared(record, chunks, next.slotUpdates(), cuts.expires(now.seconds()), next.messages());
    }

    private void fill(ClaimDraft next, Iterator<WaitingUnit> units) {
        int skipped = 0;
        boolean ended = false;
        while (!ended && units.hasNext() && next.units.size() < maxUnits && skipped < MAX_SKIPPED) {
            switch (next.add(units.next())) {
                case TAKEN -> units.remove();
                case SKIPPED -> skipped++;
                case LEFT -> {
                }
                case ENDED -> ended = true;
            }
        }
        leftUnits = skipped > 0 || (ended && !next.lacksCut);
    }

    private void askCuts(long upTo, int writers, Now now, Consumer<Request> out) {
        if (cuts.isAsking()) {
            return;
        }
        List<ClaimId> ahead = new ArrayList<>(Math.min(AHEAD, waiting.size()));
        for (WaitingUnit unit : waiting.headMap(upTo, true).values()) {
            if (ahead.size() == AHEAD) {
                break;
            }
            if (!cuts.isUnreadable(unit.unit().id(), now.seconds())) {
                ahead.add(unit.unit().id());
            }
        }
        cuts.request(ahead, writers, now.seconds(), out);
    }

    /** Ends the claim in flight, which succeeded. */
    public void claimed(Consumer<MessageState> settled) {
        ClaimDraft done = take();
        claims++;
        for (WaitingUnit unit : done.units) {
            cuts.claimed(unit.unit().id());
            settle(unit, settled);
        }
        done.slotUpdates().forEach(known::updated);
        maxUnits = Integer.MAX_VALUE;
    }

    /**
     * Ends the claim in flight, which failed because slots hold some of its ids or ids that this writer has not seen, are full,
     * or cannot be read. The next claim leaves out the ids that are known now.
     */
    public void refused(List<SlotContent> slots, Now now, Consumer<Request> out) {
        for (SlotContent content : slots) {
            if (content.damage().isEmpty()) {
                known.found(content);
            } else {
                cuts.unreadable(content.slot().cut(), content.damage(), now.seconds(), out);
            }
        }
        forget();
    }

    /** The outcome of the claim in flight is unknown: its units are claimed again, and their slots show whether they were. */
    public void forget() {
        if (draft != null) {
            putBack(take().units);
        }
    }

    /**
     * The table refuses the claim in flight permanently. Half as many units are tried next.
     *
     * @return the message of the only unit, which can never be claimed; null if there are several
     */
    public @Nullable MessageState unclaimable() {
        ClaimDraft refused = take();
        if (refused.units.size() == 1) {
            maxUnits = Integer.MAX_VALUE;
            return refused.units.get(0).message();
        }
        maxUnits = refused.units.size() / 2;
        putBack(refused.units);
        return null;
    }

    private ClaimDraft take() {
        ClaimDraft taken = draft;
        if (taken == null) {
            throw new IllegalStateException("no claim is under way");
        }
        draft = null;
        return taken;
    }

    private void putBack(List<WaitingUnit> units) {
        units.forEach(unit -> waiting.put(unit.number(), unit));
    }

    private void settleDuplicate(WaitingUnit unit, Consumer<MessageState> settled) {
        duplicates++;
        settle(unit, settled);
    }

    private static void settle(WaitingUnit unit, Consumer<MessageState> settled) {
        if (unit.message().settleUnit()) {
            settled.accept(unit.message());
        }
    }

    public void cut(CutKey key, Answer.Cut answer, Now now, Consumer<Request> out) {
        cuts.answer(key, answer, now.seconds(), out);
    }

    /** The units of one claim, within its limits. Not thread-safe. */
    static final class ClaimDraft {

        private final ClaimLimits limits;
        private final Cuts cuts;
        private final KnownSlots known;
        private final boolean isAlone;
        private final long nowSeconds;
        private final List<WaitingUnit> units = new ArrayList<>();
        /** Units that are known to be claimed. */
        private final List<WaitingUnit> duplicates = new ArrayList<>();
        private final Map<Slot, Set<Long>> idsBySlot = new LinkedHashMap<>();
        /** Full slots that lead to others and would expire before them. */
        private final Set<Slot> kept = new HashSet<>();
        private final RecordDraft record = new RecordDraft();
        /** Whether it ended because a minute's cut is not known. */
        private boolean lacksCut;

        /** The outcome of offering a unit to a claim. */
        enum Admission {

            /** It is in the claim, or known to be claimed. */
            TAKEN,
            /** It must go into a later claim, as this one has no room for its slot or for more ids in it. */
            SKIPPED,
            /** It must wait, as the items of its minute cannot be read, or for the claim of its other copy. */
            LEFT,
            /** The claim takes no more units. */
            ENDED
        }

        ClaimDraft(ClaimLimits limits, Cuts cuts, KnownSlots known, boolean isAlone, long nowSeconds) {
            this.limits = limits;
            this.cuts = cuts;
            this.known = known;
            this.isAlone = isAlone;
            this.nowSeconds = nowSeconds;
        }

        Admission add(WaitingUnit waiting) {
            ClaimUnit unit = waiting.unit();
            ClaimId id = unit.id();
            if (cuts.isUnreadable(id, nowSeconds)) {
                return Admission.LEFT;
            }
            SlotCount cut = cuts.of(id, nowSeconds);
            if (cut == null) {
                lacksCut = true;
                return Admission.ENDED;
            }
            KnownSlots.Route route = known.route(id, cut.slots());
            if (route.known()) {
                duplicates.add(waiting);
                return Admission.TAKEN;
            }
            Set<Long> ids = idsBySlot.get(route.slot());
            if (ids != null && ids.contains(id.hash())) {
                return Admission.LEFT;
            }
            Set<Slot> keep = kept(route);
            int slots = idsBySlot.size() + (ids == null ? 1 : 0) + keep.size();
            boolean slotHasRoom = slots <= limits.slots()
                    && (ids == null || ids.size() < limits.namedIds() || ids.size() < room(route.slot()));
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
            return Admission.TAKEN;
        }

        /**
         * Returns how many ids this claim may add to a slot. If others have added ids that a lone writer has not seen, the
         * claim is refused, and the refusal returns them.
         */
        private int room(Slot slot) {
            SlotContent seen = known.seen(slot);
            // An item that may have expired may have been replaced by one that holds as many ids.
            boolean isSure = isAlone && (seen == null || cuts.outlives(seen.expires(), nowSeconds));
            return limits.namedIds() + (isSure ? Math.max(0, limits.slotFullAt() - seenIds(slot)) : 0);
        }

        private int seenIds(Slot slot) {
            SlotContent seen = known.seen(slot);
            return seen == null ? 0 : seen.ids().length;
        }

        private Set<Slot> kept(KnownSlots.Route route) {
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
            idsBySlot.forEach((slot, ids) -> updates.add(new SlotUpdate(slot, ids.stream().mapToLong(Long::longValue).toArray(),
                    ids.size() > limits.namedIds() ? seenIds(slot) : SlotUpdate.NAMED, limits.slotFullAt(), expires)));
            for (Slot slot : kept) {
                updates.add(new SlotUpdate(slot, new long[0], SlotUpdate.NAMED, limits.slotFullAt(), expires));
            }
            return updates;
        }

        List<JournalMessage> messages() {
            return units.stream().map(unit -> unit.message().message()).distinct().toList();
        }

    }

    /** A unit that waits to be claimed, or is being claimed, numbered in arrival order. */
    record WaitingUnit(ClaimUnit unit, MessageState message, long number) {
    }

    /** A message, and how many of its units are not settled yet. Not thread-safe. */
    static final class MessageState {

        private final JournalMessage message;
        private int openUnits;

        MessageState(JournalMessage message) {
            this.message = message;
            this.openUnits = message.units().size();
        }

        public JournalMessage message() {
            return message;
        }

        /** Notes that one of its units is claimed, or in the dead-letter queue. Returns whether it was the last one. */
        boolean settleUnit() {
            openUnits--;
            return openUnits == 0;
        }
    }
}
