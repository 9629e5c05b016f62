package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.scatter.Murmur3;
import dev.windrow.writer.journal.apply.Applicator;
import dev.windrow.writer.journal.apply.Refusal;
import dev.windrow.writer.journal.claim.ClaimId;
import dev.windrow.writer.journal.lane.Lane;
import dev.windrow.writer.journal.lane.Parking;
import dev.windrow.writer.journal.request.Request;

/**
 * Takes additions that their items cannot take out of the way: first the lane's item says that they are parked, and the
 * bucket's item that it does not need them; then they go to the dead-letter queue. Whoever recovers the lane in between
 * sends them again under the same id, and applies them no more. Extremes are sent at once: applying them twice, or after
 * all, changes nothing. Not thread-safe.
 */
final class Parkings {

    /** Maximum number at a time: each takes some bytes of the lane's item, which is written with each claim. */
    private static final int MAX_UNSENT = 16;
    /** Maximum number of cells whose item cannot even be marked; they stay in the lane's item until all is applied. */
    private static final int MAX_UNMARKED = 4_096;

    /** A parking, and its letter until that is sent; inherited ones have theirs made by the recovery. */
    private static final class Entry {

        private Parking parking;
        private @Nullable Refusal refusal;

        Entry(Parking parking, @Nullable Refusal refusal) {
            this.parking = parking;
            this.refusal = refusal;
        }
    }

    private final int lane;
    private final Applicator applicator;
    private final List<Entry> entries = new ArrayList<>();
    private final Deque<Refusal> refusals = new ArrayDeque<>();
    private final Deque<Refusal> unmarkable = new ArrayDeque<>();
    private final List<Refusal> extremes = new ArrayList<>();
    private @Nullable Entry beingWritten;

    Parkings(Lane lane, Applicator applicator) {
        this.lane = lane.number();
        this.applicator = applicator;
        lane.parkings().forEach(parking -> entries.add(new Entry(parking, null)));
    }

    /** Takes over what items refused. */
    void collect(Consumer<Request> out) {
        for (Refusal refusal = applicator.nextRefusal(); refusal != null; refusal = applicator.nextRefusal()) {
            if (refusal.key().extreme() == null) {
                refusals.add(refusal);
            } else {
                extremes.add(refusal);
                out.accept(letter(refusal));
            }
        }
    }

    /** Begins the next parking, which must be written now; gives whether there is one. */
    boolean begin() {
        long unmarked = entries.stream().filter(entry -> !entry.parking.marked()).count();
        if (!unmarkable.isEmpty() && unmarked < MAX_UNMARKED) {
            begin(unmarkable.remove(), false);
            return true;
        }
        long unsent = entries.stream().filter(entry -> !entry.parking.sent()).count();
        if (!refusals.isEmpty() && unsent < MAX_UNSENT) {
            begin(refusals.remove(), true);
            return true;
        }
        return false;
    }

    private void begin(Refusal refusal, boolean marked) {
        Entry entry = new Entry(new Parking(refusal.key().hash(), refusal.first(), refusal.last(), marked, false), refusal);
        entries.add(entry);
        beingWritten = entry;
    }

    /** What the write of the newest parking sets in the bucket's item. */
    Request.ParkItem.@Nullable Mark mark() {
        Entry entry = beingWritten;
        Refusal refusal = entry == null ? null : entry.refusal;
        return entry == null || refusal == null || !entry.parking.marked() ? null
                : new Request.ParkItem.Mark(refusal.key().item(), refusal.first(), refusal.last());
    }

    /** The newest parking is written: its letter may be sent. */
    void written(Consumer<Request> out) {
        Entry entry = beingWritten;
        beingWritten = null;
        if (entry != null && entry.refusal != null) {
            out.accept(letter(entry.refusal));
        }
    }

    private Request letter(Refusal refusal) {
        return new Request.SendParked(lane, refusal.first(), refusal.last(),
                idOf(refusal.key().hash(), refusal.first(), refusal.last(), refusal.claimedMillis()), refusal.key().item(),
                refusal.granularity(), refusal.changes(), refusal.reason(), refusal.detail());
    }

    /** The newest parking is not written, as the bucket's item cannot even be marked: it is to be written without. */
    void markRefused() {
        Refusal refusal = forgetNewest();
        if (refusal != null) {
            unmarkable.add(refusal);
        }
    }

    /** The newest parking is not written, as its item has additions up to a position by now. */
    void markBeaten(long position) {
        Refusal refusal = forgetNewest();
        if (refusal != null) {
            applicator.settle(refusal, position);
        }
    }

    private @Nullable Refusal forgetNewest() {
        Entry entry = beingWritten;
        beingWritten = null;
        if (entry == null) {
            return null;
        }
        entries.remove(entry);
        return entry.refusal;
    }

    /** A letter is in the dead-letter queue. */
    void sent(Request.SendParked letter) {
        for (Refusal extreme : List.copyOf(extremes)) {
            if (letter.id().hash() == hashOf(extreme.key().hash(), extreme.first(), extreme.last())) {
                extremes.remove(extreme);
                applicator.settle(extreme, Long.MAX_VALUE);
            }
        }
        for (Entry entry : List.copyOf(entries)) {
            Parking parking = entry.parking;
            if (!parking.sent() && letter.id().hash() == hashOf(parking.cell(), parking.first(), parking.last())) {
                sent(entry);
            }
        }
    }

    private void sent(Entry entry) {
        Parking parking = entry.parking;
        entries.remove(entry);
        if (entry.refusal != null) {
            applicator.settle(entry.refusal, Long.MAX_VALUE);
        }
        if (parking.marked()) {
            return;
        }
        // Nothing but this list keeps a recovery from applying it; one entry for each cell will do.
        long first = parking.first();
        for (Entry other : List.copyOf(entries)) {
            if (other.parking.sent() && other.parking.cell() == parking.cell()) {
                first = Math.min(first, other.parking.first());
                entries.remove(other);
            }
        }
        entries.add(new Entry(new Parking(parking.cell(), first, parking.last(), false, true), null));
    }

    /** What the lane's item lists: what a recovery must not apply, or must send. */
    List<Parking> listed(long applied) {
        entries.removeIf(entry -> entry.parking.sent() && entry.parking.last() <= applied);
        return entries.stream().map(entry -> entry.parking).toList();
    }

    /** The first position among additions whose letters are not known to be sent. */
    long firstUnsent() {
        long first = Long.MAX_VALUE;
        for (Entry entry : entries) {
            if (!entry.parking.sent()) {
                first = Math.min(first, entry.parking.first());
            }
        }
        return first;
    }

    /** Whether nothing waits to be parked or sent. */
    boolean isIdle() {
        return refusals.isEmpty() && unmarkable.isEmpty() && extremes.isEmpty() && firstUnsent() == Long.MAX_VALUE;
    }

    /** By what parked additions are claimed when they come again. */
    ClaimId idOf(long cell, long first, long last, long claimedMillis) {
        return new ClaimId(ClaimId.Kind.PARKED, claimedMillis, hashOf(cell, first, last));
    }

    private long hashOf(long cell, long first, long last) {
        return Murmur3.hash64(lane + "#" + first + "#" + last + "#" + cell);
    }
}
