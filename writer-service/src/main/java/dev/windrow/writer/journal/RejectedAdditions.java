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

import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.table.Lane;
import dev.windrow.table.Lane.Parking;
import dev.windrow.writer.journal.Applicator.Refusal;
import dev.windrow.writer.journal.ClaimUnit.ClaimId;

/**
 * Parks additions that their items reject: first the lane's item says that they are parked, and the bucket's item that it
 * does not need them; then they go to the dead-letter queue. A recovery of the lane in between sends them again under the
 * same id, and does not apply them. Extremes are sent without either: applying them twice, or after all, changes nothing. So is
 * what an item rejects that cannot even be marked: its letter is sent at least once, as a recovery sends it again, or applies
 * it where the item has been repaired since. Not thread-safe.
 */
final class RejectedAdditions {

    /** Maximum number at a time: each takes some bytes of the lane's item, which is written with each claim. */
    private static final int MAX_UNSENT = 16;
    /** Maximum number of unlisted letters being sent; a denied tenant may have as many extremes as memory holds. */
    private static final int MAX_UNLISTED_UNSENT = 64;

    private final int lane;
    private final Applicator applicator;
    /** What the lane's item lists. */
    private final List<Entry> entries = new ArrayList<>();
    /** Up to which position the lane was applied when it was acquired. */
    private final long inheritedApplied;
    private final Deque<Refusal> refusals = new ArrayDeque<>();
    /** Extremes, and what items reject that cannot be marked. */
    private final Deque<Refusal> unlisted = new ArrayDeque<>();
    /** Those whose letters are being sent, by the hash of the letter's id. */
    private final Map<Long, Refusal> unsentUnlisted = new HashMap<>();
    private @Nullable Entry beingWritten;

    /** A parking, and its refusal until the dead letter is sent; null for inherited ones, whose letters the recovery makes. */
    private record Entry(Parking parking, @Nullable Refusal refusal) {
    }

    /** @param lane as it was acquired */
    RejectedAdditions(Lane lane, Applicator applicator) {
        this.lane = lane.number();
        this.applicator = applicator;
        this.inheritedApplied = lane.applied();
        lane.parkings().forEach(parking -> entries.add(new Entry(parking, null)));
    }

    /** Takes over refusals of items. */
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

    /** What the write of the newest parking sets in the bucket's item. */
    Request.ParkItem.Mark mark() {
        Refusal refusal = newest();
        return new Request.ParkItem.Mark(refusal.key().item(), refusal.first(), refusal.last());
    }

    /** The newest parking is written: its letter may be sent. */
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

    /** The newest parking is not written, as the bucket's item cannot even be marked. */
    void markRefused() {
        unlisted.add(forgetNewest());
    }

    /** The newest parking is not written, as its item has additions up to a position by now. */
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
                    // As earlier versions listed them: nothing else keeps a recovery from applying it.
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
     * What the lane's item lists: what a recovery must not apply, or must send. Without parkings that are sent and of which no
     * recovery could find a part.
     *
     * @param applied records up to this position are not read any more
     * @param deferred the position of the record that holds parts of those before it, if it is not applied
     */
    List<Parking> listed(long applied, long deferred) {
        entries.removeIf(entry -> entry.parking.sent() && entry.parking.last() <= applied
                && (deferred <= applied || entry.parking.first() > deferred));
        return entries.stream().map(Entry::parking).toList();
    }

    /**
     * The first position among inherited additions whose dead letters are not known to be sent. What is applied never goes
     * back: additions before it are deferred. Cells that refused additions here lack them until their letters are sent.
     */
    long firstUnsent() {
        return unsent().stream().filter(entry -> entry.refusal == null)
                .mapToLong(entry -> Math.max(entry.parking.first(), inheritedApplied + 1)).min().orElse(Long.MAX_VALUE);
    }

    /** Whether nothing waits to be parked or sent. */
    boolean isIdle() {
        return refusals.isEmpty() && unlisted.isEmpty() && unsentUnlisted.isEmpty() && unsent().isEmpty();
    }

    /** The id by which parked additions are claimed when they are replayed. */
    ClaimId idOf(long cell, long first, long last, long claimedMillis) {
        return new ClaimId(ClaimId.Kind.PARKED, claimedMillis, hashOf(cell, first, last));
    }

    private long hashOf(long cell, long first, long last) {
        return Murmur3.hash64(lane + "#" + first + "#" + last + "#" + cell);
    }
}
