package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.AwsLimits;
import dev.windrow.time.Granularity;
import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.LedgerId;

/**
 * Cuts the shares of a series into transactions: in order, as many as fit, each whole. Buckets are at most 11 KB
 * (keys of 2,048 and 1,024 bytes twice, 50 measures) and slots mostly 1 KB, so 100 of them stay far below the 4 MB of a
 * transaction.
 */
final class Transactions {

    /**
     * Of one slot. A condition of DynamoDB has at most 4 KB and 300 operators; each id takes some 25 characters and two
     * operators.
     */
    static final int MAX_IDS = 100;

    /** Of all slots: few writes are saved by more, and they are kept in memory until they are written. */
    private static final int MAX_SHARES = 10 * MAX_IDS;

    private Transactions() {
    }

    /** The shares in order, cut. */
    static List<List<Contribution>> split(List<Contribution> shares) {
        List<List<Contribution>> all = new ArrayList<>();
        Cut cut = new Cut();
        for (Contribution share : shares) {
            if (!cut.add(share)) {
                all.add(cut.shares);
                cut = new Cut();
                cut.add(share);
            }
        }
        if (!cut.shares.isEmpty()) {
            all.add(cut.shares);
        }
        return all;
    }

    private record Bucket(Granularity granularity, long start) {
    }

    private static final class Cut {

        private final List<Contribution> shares = new ArrayList<>();
        private final Set<Long> baseStarts = new HashSet<>();
        private final Set<Bucket> buckets = new HashSet<>();
        private final Map<Ledger.Time, Slot> slots = new HashMap<>();
        private @Nullable Slot last;
        /** The latest base start of the last share. */
        private long lastStart;

        /** @return false, and nothing is added, if it does not fit beside what is there */
        boolean add(Contribution share) {
            Slot slot = slot(share.ledgerId());
            Set<Bucket> newBuckets = newBuckets(share);
            int items = buckets.size() + newBuckets.size() + slots.size() + (slot.ids == 0 ? 1 : 0);
            if (!shares.isEmpty() && (items > AwsLimits.TRANSACTION_ITEMS || slot.ids == MAX_IDS
                    || shares.size() == MAX_SHARES)) {
                return false;
            }
            shares.add(share);
            lastStart = share.baseStart(share.baseBuckets() - 1);
            slot.ids++;
            slots.put(slot.time, slot);
            last = slot;
            if (!newBuckets.isEmpty()) {
                buckets.addAll(newBuckets);
                for (int i = 0; i < share.baseBuckets(); i++) {
                    baseStarts.add(share.baseStart(i));
                }
            }
            return true;
        }

        /** Neighbours mostly share a slot. */
        private Slot slot(LedgerId id) {
            if (last != null && last.time.isOf(id)) {
                return last;
            }
            Ledger.Time time = Ledger.Time.of(id);
            Slot known = slots.get(time);
            return known == null ? new Slot(time) : known;
        }

        private Set<Bucket> newBuckets(Contribution share) {
            Set<Bucket> found = Set.of();
            if (!shares.isEmpty() && share.baseBuckets() == 1 && share.baseStart(0) == lastStart) {
                return found;
            }
            for (int i = 0; i < share.baseBuckets(); i++) {
                // The buckets of a base start that was met are there already.
                if (!baseStarts.contains(share.baseStart(i))) {
                    found = found.isEmpty() ? new HashSet<>() : found;
                    for (Granularity granularity : share.plan().dataset().granularities()) {
                        Bucket bucket = new Bucket(granularity, granularity.floor(share.baseStart(i)));
                        if (!buckets.contains(bucket)) {
                            found.add(bucket);
                        }
                    }
                }
            }
            return found;
        }
    }

    /** A ledger slot, and how many ids are noted in it. */
    private static final class Slot {

        private final Ledger.Time time;
        private int ids;

        Slot(Ledger.Time time) {
            this.time = time;
        }
    }
}
