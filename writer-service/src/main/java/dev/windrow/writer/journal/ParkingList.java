package dev.windrow.writer.journal;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.apply.Applicator;
import dev.windrow.writer.journal.apply.Refusal;
import dev.windrow.writer.journal.lane.Parking;

/** The parkings that a lane's item lists. Not thread-safe. */
final class ParkingList {

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
