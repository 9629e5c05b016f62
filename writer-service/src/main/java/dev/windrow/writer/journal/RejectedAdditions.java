package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.scatter.Murmur3;
import dev.windrow.table.Lane;
import dev.windrow.table.Parking;
import dev.windrow.writer.record.ClaimId;

/**
 * Parks additions that their items reject. One transaction lists them in the lane's item and marks the bucket's item as not
 * needing them; then they go to the dead-letter queue. A recovery of the lane in between does not apply them, and sends them
 * again under the same id. Extremes are sent without parking: applying them twice, or after all, changes nothing. So are
 * additions whose item cannot even be marked: their letter is sent at least once, as a recovery sends it again, or applies them
 * if the item was repaired since. Not thread-safe.
 */
final class RejectedAdditions {

    /** Maximum number of unsent parkings: each takes bytes of the lane's item, which is written with each claim. */
    private static final int MAX_UNSENT = 16;
    /** Maximum number of unlisted letters being sent; a denied tenant may have as many extremes as memory holds. */
    private static final int MAX_UNLISTED_UNSENT = 64;

    private final int lane;
    private final Applicator applicator;
    private final List<Entry> entries = new ArrayList<>();
    private final long inheritedApplied;
    private final Deque<Refusal> refusals = new ArrayDeque<>();
    /** Refused extremes, and refusals of items that cannot be marked. */
    private final Deque<Refusal> unlisted = new ArrayDeque<>();
    /** Unlisted refusals whose letters are being sent, by the hash of the letter's id. */
    private final Map<Long, Refusal> unsentUnlisted = new HashMap<>();
    private @Nullable Entry beingWritten;

    /** A parking, and its refusal until the dead letter is sent; null for inherited ones, whose letters the recovery makes. */
    private record Entry(Parking parking, @Nullable Refusal refusal) {
    }

    /** @param lane the lane as it was acquired */
    RejectedAdditions(Lane lane, Applicator applicator) {
        this.lane = lane.number();
        this.applicator = applicator;
        this.inheritedApplied = lane.applied();
        lane.parkings().forEach(parking -> entries.add(new Entry(parking, null)));
    }

    /** Collects refusals of items, and sends letters for those that are not parked. */
    void collect(Consumer<Request> out) {
        for (Refusal refusal = applicator.nextRefusal(); refusal != null; refusal = applicator.nextRefusal()) {
            if (refusal.key().extreme() == null) {
                refusals.add(refusal);
            } else {
                unlisted.add(refusal);
            }
        }
        while (!unlisted.isEmpty() && unsentUnlisted.size() < MAX_UNLISTED_UNSENT) {
            Refusal next = unlisted.remove();
            unsentUnlisted.put(hashOf(next.key().hash(), next.first(), next.last()), next);
            out.accept(letter(next));
        }
    }

    /** Starts the next parking, which must be written now; returns whether there is one. */
    boolean begin() {
        if (beingWritten == null && !refusals.isEmpty() && unsent().size() < MAX_UNSENT) {
            Refusal next = refusals.remove();
            beingWritten = new Entry(Parking.of(next.key().hash(), next.first(), next.last(), true, false), next);
            entries.add(beingWritten);
        }
        return beingWritten != null;
    }

    /** Returns what the newest parking writes to the bucket's item. */
    Request.ParkItem.Mark mark() {
        Refusal refusal = newest();
        return new Request.ParkItem.Mark(refusal.key().item(), refusal.first(), refusal.last());
    }

    /** Ends the write of the newest parking, and sends its letter. */
    void written(Consumer<Request> out) {
        out.accept(letter(newest()));
        beingWritten = null;
    }

    private Refusal newest() {
        return Objects.requireNonNull(Objects.requireNonNull(beingWritten).refusal());
    }

    private Request letter(Refusal refusal) {
        return new Request.SendParked(lane, refusal.first(), refusal.last(),
                idOf(refusal.key().hash(), refusal.first(), refusal.last(), refusal.claimedMillis()), refusal.key().item(),
                refusal.granularity(), refusal.changes(), refusal.reason(), refusal.detail());
    }

    /** Drops the newest parking, as the bucket's item cannot even be marked; its letter is sent without a parking. */
    void markRefused() {
        unlisted.add(forgetNewest());
    }

    /** Drops the newest parking, as its item has additions up to a position by now. */
    void markBeaten(long position) {
        applicator.settle(forgetNewest(), position);
    }

    private Refusal forgetNewest() {
        Refusal refusal = newest();
        entries.remove(beingWritten);
        beingWritten = null;
        return refusal;
    }

    void sent(Request.SendParked letter) {
        Refusal unmarked = unsentUnlisted.remove(letter.id().hash());
        if (unmarked != null) {
            applicator.settle(unmarked, Long.MAX_VALUE);
        }
        for (Entry entry : unsent()) {
            Parking parking = entry.parking;
            if (letter.id().hash() == hashOf(parking.cell(), parking.first(), parking.last())) {
                entries.remove(entry);
                if (!parking.marked()) {
                    // Listed by an earlier version: nothing else keeps a recovery from applying it.
                    entries.add(new Entry(parking.asSent(), null));
                }
                if (entry.refusal != null) {
                    applicator.settle(entry.refusal, Long.MAX_VALUE);
                }
            }
        }
    }

    /** The entries whose dead letters are not known to be sent. */
    private List<Entry> unsent() {
        return entries.stream().filter(entry -> !entry.parking.sent()).toList();
    }

    /**
     * Returns the parkings for the lane's item: additions that a recovery must not apply, or must send. Drops those that are
     * sent and of which no recovery could find a part.
     *
     * @param applied position up to which records are not read any more
     * @param deferred position of the record that holds parts of earlier ones, if it is not applied
     */
    List<Parking> listed(long applied, long deferred) {
        entries.removeIf(entry -> entry.parking.sent() && entry.parking.last() <= applied
                && (deferred <= applied || entry.parking.first() > deferred));
        return entries.stream().map(Entry::parking).toList();
    }

    /**
     * Returns the first position of inherited parkings not known to be sent, but above the inherited applied position, which
     * never decreases: earlier additions are deferred. Cells that refused additions here lack them until letters are sent.
     */
    long firstUnsent() {
        return unsent().stream().filter(entry -> entry.refusal == null)
                .mapToLong(entry -> Math.max(entry.parking.first(), inheritedApplied + 1)).min().orElse(Long.MAX_VALUE);
    }

    /** Whether nothing waits to be parked or sent. */
    boolean isIdle() {
        return refusals.isEmpty() && unlisted.isEmpty() && unsentUnlisted.isEmpty() && unsent().isEmpty();
    }

    /** Returns the id by which parked additions are claimed when they are replayed. */
    ClaimId idOf(long cell, long first, long last, long claimedMillis) {
        return new ClaimId(ClaimId.Kind.PARKED, claimedMillis, hashOf(cell, first, last));
    }

    private long hashOf(long cell, long first, long last) {
        return Murmur3.hash64(lane + "#" + first + "#" + last + "#" + cell);
    }
}
