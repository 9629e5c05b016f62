package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.windrow.table.Limits;
import dev.windrow.time.Granularity;
import dev.windrow.writer.aggregate.LedgerId;
import dev.windrow.writer.aggregate.Plan;
import dev.windrow.writer.aggregate.Share;

/**
 * Cuts the shares of a series into transactions: in order, as many as fit, each whole. Items are at most 11 KB (keys of
 * 2,048 and 1,024 bytes twice, 50 measures), so 100 of them stay far below the 4 MB of a transaction.
 */
final class Transactions {

    /** A condition of DynamoDB has at most 4 KB and 300 operators; each id takes some 25 characters and two operators. */
    static final int MOST_IDS = 100;

    private Transactions() {
    }

    /** The shares in order, cut; a share that is in the batch before is left out. */
    static List<List<Share>> split(List<Share> shares) {
        List<List<Share>> all = new ArrayList<>();
        Set<LedgerId> seen = new HashSet<>();
        Cut cut = new Cut();
        for (Share share : shares) {
            if (!seen.add(share.ledgerId())) {
                continue;
            }
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

    private record Slot(long second, int slot) {
    }

    private static final class Cut {

        private final List<Share> shares = new ArrayList<>();
        private final Set<Bucket> buckets = new HashSet<>();
        private final Set<Slot> slots = new HashSet<>();

        /** @return false, and nothing is added, if it does not fit beside what is there */
        boolean add(Share share) {
            Set<Bucket> newBuckets = new HashSet<>();
            Plan plan = share.plan();
            for (Granularity granularity : plan.dataset().granularities()) {
                for (long start : share.baseStarts()) {
                    Bucket bucket = new Bucket(granularity, granularity.floor(start));
                    if (!buckets.contains(bucket)) {
                        newBuckets.add(bucket);
                    }
                }
            }
            Slot slot = new Slot(share.ledgerId().second(), share.ledgerId().slot());
            int items = buckets.size() + newBuckets.size() + slots.size() + (slots.contains(slot) ? 0 : 1);
            if (!shares.isEmpty() && (items > Limits.TRANSACTION_ITEMS || shares.size() == MOST_IDS)) {
                return false;
            }
            shares.add(share);
            buckets.addAll(newBuckets);
            slots.add(slot);
            return true;
        }
    }
}
