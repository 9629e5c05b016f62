package dev.windrow.writer.journal.claim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.Moment;
import dev.windrow.writer.journal.record.JournalRecord;
import dev.windrow.writer.journal.record.RecordCodec;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;

/**
 * The units that wait to be claimed, in the order they came, and the claim under way. Units of a claim that did not succeed
 * go back to where they were; their slots show whether they were claimed after all. Not thread-safe.
 */
public final class Claims {

    /** Number of units ahead for which cuts are requested. */
    private static final int AHEAD = 10_000;
    /** Number of units that a claim may leave to later ones, so that looking through those that wait stays cheap. */
    private static final int MAX_SKIPPED = 10_000;
    /** Number of characters of keys that always fit into a record's body, at up to three bytes each. */
    private static final int MAX_BYTES = RecordCodec.MAX_BODY_BYTES / 4;

    private final ClaimLimits limits;
    private final Cuts cuts;
    private final FullSlots full = new FullSlots();
    /** By number, so that units that go back are where they were. */
    private final NavigableMap<Long, WaitingUnit> waiting = new TreeMap<>();
    private @Nullable ClaimDraft draft;
    /** Maximum number of units of the next claim: lowered when the table refuses a claim permanently. */
    private int maxUnits = Integer.MAX_VALUE;
    private long lastNumber;
    private long claims;
    private long duplicates;

    /** @param retentionSeconds how long claims are remembered */
    public Claims(ClaimLimits limits, long retentionSeconds) {
        this.limits = limits;
        this.cuts = new Cuts(retentionSeconds, limits.slotTarget());
    }

    /**
     * A claim.
     *
     * @param record what it adds
     * @param chunks the record as the table keeps it; none if it is too large
     * @param slots what remembers it
     * @param expires when the record may be forgotten, in seconds since the epoch
     * @param messages that it claims, in whole or in part
     */
    public record Prepared(JournalRecord record, List<byte[]> chunks, List<SlotUpdate> slots, long expires,
            List<JournalMessage> messages) {
    }

    /** Adds the units of a message. */
    public void add(MessageState message) {
        for (ClaimUnit unit : message.message().units()) {
            lastNumber++;
            waiting.put(lastNumber, new WaitingUnit(unit, message, lastNumber));
        }
    }

    /** How many units wait. */
    public int size() {
        return waiting.size();
    }

    /** How many claims succeeded so far. */
    public long claims() {
        return claims;
    }

    /** How many units so far were claimed before. */
    public long duplicates() {
        return duplicates;
    }

    /** The number of the unit that came last. */
    public long lastNumber() {
        return lastNumber;
    }

    /** Whether the next unit is among those up to a number. */
    public boolean hasUpTo(long number) {
        return !waiting.isEmpty() && waiting.firstKey() <= number;
    }

    /**
     * Prepares the next claim.
     *
     * @param upTo the number of the last unit to claim
     * @param writers among how many writers messages are spread
     * @param settled gets messages whose last unit turns out to be claimed already
     * @return null if nothing can be claimed now
     */
    public @Nullable Prepared prepare(long upTo, int writers, Moment now, Consumer<MessageState> settled,
            Consumer<Request> out) {
        ClaimDraft next = new ClaimDraft(limits, cuts, full, now.seconds());
        fill(next, waiting.headMap(upTo, true).values().iterator());
        if (next.lacksCut()) {
            askCuts(upTo, writers, now, out);
        }
        next.duplicates().forEach(unit -> settleDuplicate(unit, settled));
        if (next.units().isEmpty()) {
            return null;
        }
        draft = next;
        JournalRecord record = next.record(now.millis());
        List<byte[]> chunks = next.bytes() > MAX_BYTES ? List.of() : limits.cut(RecordCodec.encode(record));
        return new Prepared(record, chunks, next.slotUpdates(),
                cuts.expires(now.seconds()), next.messages());
    }

    private void fill(ClaimDraft next, Iterator<WaitingUnit> units) {
        int skipped = 0;
        while (units.hasNext() && next.units().size() < maxUnits && skipped < MAX_SKIPPED) {
            switch (next.add(units.next())) {
                case TAKEN -> units.remove();
                case SKIPPED -> skipped++;
                case LEFT -> {
                }
                case ENDED -> {
                    return;
                }
            }
        }
    }

    private void askCuts(long upTo, int writers, Moment now, Consumer<Request> out) {
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

    /** The claim under way succeeded. */
    public void claimed(Consumer<MessageState> settled) {
        ClaimDraft done = take();
        claims++;
        for (WaitingUnit unit : done.units()) {
            cuts.claimed(unit.unit().id());
            settle(unit, settled);
        }
        done.twins().forEach(unit -> settleDuplicate(unit, settled));
        done.slotUpdates().stream().filter(update -> update.ids().length == 0)
                .forEach(update -> full.kept(update.slot(), update.expires()));
        maxUnits = Integer.MAX_VALUE;
    }

    /** The claim under way did not succeed, as slots hold some of its ids, are full, or cannot be read. */
    public void refused(List<SlotContent> slots, Moment now, Consumer<MessageState> settled, Consumer<Request> out) {
        Map<Slot, long[]> idsBySlot = new HashMap<>();
        for (SlotContent content : slots) {
            if (!content.damage().isEmpty()) {
                cuts.unreadable(content.slot().cut(), content.damage(), now.seconds(), out);
                continue;
            }
            long[] ids = content.ids().clone();
            Arrays.sort(ids);
            idsBySlot.put(content.slot(), ids);
            full.note(new SlotContent(content.slot(), ids, content.expires()), limits.slotFullAt());
        }
        ClaimDraft refused = take();
        List<WaitingUnit> rest = new ArrayList<>(refused.twins());
        for (int i = 0; i < refused.units().size(); i++) {
            WaitingUnit unit = refused.units().get(i);
            long[] ids = idsBySlot.get(refused.slotOfUnit(i));
            if (ids != null && Arrays.binarySearch(ids, unit.unit().id().hash()) >= 0) {
                settleDuplicate(unit, settled);
            } else {
                rest.add(unit);
            }
        }
        putBack(rest);
    }

    /**
     * The outcome of the claim in flight is unknown: its units are claimed again, and their slots show whether they were.
     */
    public void forget() {
        if (draft != null) {
            putBack(take().all());
        }
    }

    /**
     * The table refuses the claim in flight permanently. Half as many units are tried next.
     *
     * @return the message of the only unit, which can never be claimed; null if there are several
     */
    public @Nullable MessageState unclaimable() {
        ClaimDraft refused = take();
        if (refused.units().size() == 1) {
            maxUnits = Integer.MAX_VALUE;
            putBack(refused.twins());
            return refused.units().get(0).message();
        }
        maxUnits = refused.units().size() / 2;
        putBack(refused.all());
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

    /** Takes the cut of a minute. */
    public void cut(CutKey key, Answer.CutIs answer, Moment now, Consumer<Request> out) {
        cuts.answer(key, answer, now.seconds(), out);
    }
}
