package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.table.Lane;
import dev.windrow.table.Lane.Parking;
import dev.windrow.writer.journal.Applicator.Refusal;
import dev.windrow.writer.journal.ClaimUnit.ClaimId;
import dev.windrow.writer.journal.RejectedAdditions.ParkingList.Entry;

/**
 * Parks additions that their items reject: first the lane's item says that they are parked, and the bucket's item that it
 * does not need them; then they go to the dead-letter queue. A recovery of the lane in between sends them again under the
 * same id, and does not apply them. Extremes are sent without either: applying them twice, or after all, changes nothing.
 *
 * <p>
 * Where an item cannot even be marked, nothing but the list in the lane's item keeps a recovery from applying it. These
 * cells are parked in the order of their hashes, so that any number of them becomes few entries of the list. Not
 * thread-safe.
 */
final class RejectedAdditions {

    /** Maximum number at a time: each takes some bytes of the lane's item, which is written with each claim. */
    private static final int MAX_UNSENT = 16;
    /** Maximum number of entries for cells that cannot be marked: about 100 KB of the lane's item. */
    private static final int MAX_LISTED = 2_048;
    private static final int LISTED_SHARE = 8;
    /** From this part of the maximum on, entries are merged. */
    private static final int MERGED_SHARE = 4;
    /** Maximum number of cells that cannot be marked in one write of the lane's item. */
    private static final int MAX_AT_ONCE = 64;
    /** Maximum number of extremes' letters being sent; a denied tenant may have as many extremes as memory holds. */
    private static final int MAX_EXTREMES_UNSENT = 64;
    /** Between attempts to merge entries, each of which looks at all cells. */
    private static final long MERGE_PAUSE_NANOS = 1_000_000_000;

    /** A refusal of an item that cannot be marked. */
    private record Unmarkable(long cell, Refusal refusal) {
    }

    private final int lane;
    private final Applicator applicator;
    private final int maxListed;
    private final ParkingList list;
    private final Deque<Refusal> refusals = new ArrayDeque<>();
    private final PriorityQueue<Unmarkable> unmarkable = new PriorityQueue<>(
            (some, other) -> Long.compareUnsigned(some.cell, other.cell));
    private final Deque<Refusal> extremes = new ArrayDeque<>();
    /** Extremes whose letters are being sent, by the hash of the letter's id. */
    private final Map<Long, Refusal> unsentExtremes = new HashMap<>();
    private final List<Entry> beingWritten = new ArrayList<>();
    private boolean merged;
    /** Whether the list may exceed its limit, as it cannot be made shorter. */
    private boolean reserve;
    private long mergedNanos;

    /** @param maxListed maximum number of entries for cells that cannot be marked */
    RejectedAdditions(Lane lane, Applicator applicator, int maxListed) {
        this.lane = lane.number();
        this.applicator = applicator;
        this.maxListed = maxListed;
        this.list = new ParkingList(lane.parkings(), lane.applied());
    }

    /** Takes over refusals of items. */
    void collect(Consumer<Request> out) {
        for (Refusal refusal = applicator.nextRefusal(); refusal != null; refusal = applicator.nextRefusal()) {
            if (refusal.key().extreme() == null) {
                refusals.add(refusal);
            } else {
                extremes.add(refusal);
            }
        }
        while (!extremes.isEmpty() && unsentExtremes.size() < MAX_EXTREMES_UNSENT) {
            Refusal extreme = extremes.remove();
            unsentExtremes.put(hashOf(extreme.key().hash(), extreme.first(), extreme.last()), extreme);
            out.accept(letter(extreme));
        }
    }

    /** See the constructor; less than can wait at all. */
    static int maxListed(int maxCells) {
        return Math.max(1, Math.min(MAX_LISTED, maxCells / LISTED_SHARE));
    }

    /** Whether so many unmarkable cells are listed that everything should be applied soon. */
    boolean isCrowded() {
        return list.unmarked() >= Math.max(1, maxListed / MERGED_SHARE);
    }

    /** Whether nothing should be claimed before some of these cells are no longer listed. */
    boolean isFull() {
        return !unmarkable.isEmpty() && list.unmarked() >= maxListed;
    }

    /** Starts the next parkings, which must be written now; returns whether there are any. */
    boolean begin(long nowNanos) {
        if (isCrowded() && (!merged || nowNanos - mergedNanos >= MERGE_PAUSE_NANOS)) {
            list.merge(applicator);
            merged = true;
            reserve = true;
            mergedNanos = nowNanos;
        }
        if (unmarkable.isEmpty() && refusals.isEmpty()) {
            return false;
        }
        long room = maxListed - list.unmarked();
        if (room <= 0 && reserve && list.areUnmarkedSent()) {
            // Once the lowest cells are parked too, all entries up to there become one.
            reserve = false;
            room = MAX_AT_ONCE;
        }
        for (; room > 0 && !unmarkable.isEmpty() && beingWritten.size() < MAX_AT_ONCE; room--) {
            begin(unmarkable.remove().refusal, false);
        }
        if (beingWritten.isEmpty() && !refusals.isEmpty() && list.unsent().size() < MAX_UNSENT) {
            begin(refusals.remove(), true);
        }
        return !beingWritten.isEmpty();
    }

    private void begin(Refusal refusal, boolean marked) {
        beingWritten.add(list.add(refusal, marked));
    }

    /** What the write of the newest parking sets in the bucket's item. */
    Request.ParkItem.@Nullable Mark mark() {
        Entry entry = beingWritten.get(0);
        Refusal refusal = entry.refusal();
        return refusal == null || !entry.parking().marked() ? null
                : new Request.ParkItem.Mark(refusal.key().item(), refusal.first(), refusal.last());
    }

    /** The newest parkings are written: their letters may be sent. */
    void written(Consumer<Request> out) {
        for (Entry entry : beingWritten) {
            Refusal refusal = entry.refusal();
            if (refusal != null) {
                out.accept(letter(refusal));
            }
        }
        beingWritten.clear();
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
            unmarkable.add(new Unmarkable(refusal.key().hash(), refusal));
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
        if (beingWritten.isEmpty()) {
            return null;
        }
        Entry entry = beingWritten.remove(0);
        list.remove(entry);
        return entry.refusal();
    }

    /** A letter is in the dead-letter queue. */
    void sent(Request.SendParked letter) {
        Refusal extreme = unsentExtremes.remove(letter.id().hash());
        if (extreme != null) {
            applicator.settle(extreme, Long.MAX_VALUE);
        }
        for (Entry entry : list.unsent()) {
            Parking parking = entry.parking();
            if (letter.id().hash() == hashOf(parking.cell(), parking.first(), parking.last())) {
                list.sent(entry);
                Refusal refusal = entry.refusal();
                if (refusal != null) {
                    applicator.settle(refusal, Long.MAX_VALUE);
                }
            }
        }
    }

    /** What the lane's item lists: what a recovery must not apply, or must send. */
    List<Parking> listed(long applied, long deferred) {
        return list.parkings(applied, deferred);
    }

    /** The first position among inherited additions whose letters are not known to be sent: no cell here lacks them. */
    long firstUnsent() {
        return list.firstUnsent();
    }

    /** Whether nothing waits to be parked or sent. */
    boolean isIdle() {
        return refusals.isEmpty() && unmarkable.isEmpty() && extremes.isEmpty() && unsentExtremes.isEmpty()
                && list.unsent().isEmpty();
    }

    /** The id by which parked additions are claimed when they are replayed. */
    ClaimId idOf(long cell, long first, long last, long claimedMillis) {
        return new ClaimId(ClaimId.Kind.PARKED, claimedMillis, hashOf(cell, first, last));
    }

    private long hashOf(long cell, long first, long last) {
        return Murmur3.hash64(lane + "#" + first + "#" + last + "#" + cell);
    }

    /** The parkings that a lane's item lists. Not thread-safe. */
    static final class ParkingList {

        private final List<Entry> entries = new ArrayList<>();
        private final long inheritedApplied;

        /** A parking, and its refusal until the dead letter is sent; the recovery makes those of inherited ones. */
        static final class Entry {

            private Parking parking;
            private final @Nullable Refusal refusal;

            private Entry(Parking parking, @Nullable Refusal refusal) {
                this.parking = parking;
                this.refusal = refusal;
            }

            Parking parking() {
                return parking;
            }

            @Nullable
            Refusal refusal() {
                return refusal;
            }
        }

        /**
         * @param inherited what the lane's item listed when it was acquired
         * @param applied up to which position it was applied then
         */
        ParkingList(List<Parking> inherited, long applied) {
            this.inheritedApplied = applied;
            inherited.forEach(parking -> entries.add(new Entry(parking, null)));
        }

        /** @param marked whether the bucket's item says that the additions are not to be applied */
        Entry add(Refusal refusal, boolean marked) {
            Entry entry = new Entry(Parking.of(refusal.key().hash(), refusal.first(), refusal.last(), marked, false), refusal);
            entries.add(entry);
            return entry;
        }

        void remove(Entry entry) {
            entries.remove(entry);
        }

        /** How many entries are for cells that cannot be marked. */
        long unmarked() {
            return entries.isEmpty() ? 0 : entries.stream().filter(entry -> !entry.parking.marked()).count();
        }

        /** Whether the dead letters of all cells that cannot be marked are sent. */
        boolean areUnmarkedSent() {
            return entries.stream().allMatch(entry -> entry.parking.marked() || entry.parking.sent());
        }

        /** The entries whose dead letters are not known to be sent. */
        List<Entry> unsent() {
            return entries.stream().filter(entry -> !entry.parking.sent()).toList();
        }

        /**
         * The first position among inherited additions whose dead letters are not known to be sent. What is applied never goes
         * back:
         * additions before it are deferred. Cells that refused additions here lack them until their letters are sent.
         */
        long firstUnsent() {
            long first = Long.MAX_VALUE;
            for (Entry entry : entries) {
                if (!entry.parking.sent() && entry.refusal == null) {
                    first = Math.min(first, Math.max(entry.parking.first(), inheritedApplied + 1));
                }
            }
            return first;
        }

        /** The dead letter of an entry is sent: only a cell that cannot be marked stays listed, once. */
        void sent(Entry entry) {
            Parking parking = entry.parking;
            entries.remove(entry);
            if (parking.marked()) {
                return;
            }
            Parking sent = Parking.of(parking.cell(), parking.first(), parking.last(), false, true);
            for (Entry other : List.copyOf(entries)) {
                if (other.parking.sent() && other.parking.cell() == parking.cell()
                        && other.parking.lastCell() == parking.lastCell()) {
                    sent = sent.with(other.parking);
                    entries.remove(other);
                }
            }
            entries.add(new Entry(sent, null));
        }

        /** Merges entries between whose cells no other cell lacks anything. */
        void merge(Applicator applicator) {
            List<Entry> sent = new ArrayList<>(entries.stream().filter(entry -> !entry.parking.marked() && entry.parking.sent()
                    && entry.parking.last() <= applicator.progress().position()).toList());
            sent.sort((some, other) -> Long.compareUnsigned(some.parking.cell(), other.parking.cell()));
            long[] lacking = applicator.cells().lacking(sent.stream().mapToLong(entry -> entry.parking.last()).max().orElse(0));
            int next = 0;
            @Nullable
            Entry before = null;
            for (Entry entry : sent) {
                Parking both = before == null ? entry.parking : before.parking.with(entry.parking);
                while (next < lacking.length && Long.compareUnsigned(lacking[next], both.cell()) < 0) {
                    next++;
                }
                if (before != null && (next == lacking.length || Long.compareUnsigned(lacking[next], both.lastCell()) > 0)) {
                    before.parking = both;
                    entries.remove(entry);
                } else {
                    before = entry;
                }
            }
        }

        /**
         * All parkings, without those that are sent and of which no recovery could find a part.
         *
         * @param applied records up to this position are not read any more
         * @param deferred the position of the record that holds parts of those before it, if it is not applied
         */
        List<Parking> parkings(long applied, long deferred) {
            entries.removeIf(entry -> entry.parking.sent() && entry.parking.last() <= applied
                    && (deferred <= applied || entry.parking.first() > deferred));
            return entries.stream().map(Entry::parking).toList();
        }
    }
}
