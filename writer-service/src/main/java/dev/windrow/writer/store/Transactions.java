package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.Limits;
import dev.windrow.time.Granularity;
import dev.windrow.writer.aggregate.Share;

/**
 * Cuts the shares of a series into transactions: as many as fit, each whole. Items are at most 11 KB (keys of
 * 2,048 and 1,024 bytes twice, 50 measures), so 100 of them stay far below the 4 MB of a transaction.
 */
final class Transactions {

    /** A condition of DynamoDB has at most 4 KB and 300 operators; each id takes some 25 characters and two operators. */
    static final int MOST_IDS = 100;

    private Transactions() {
    }

    /** The shares, cut; in the order they came, or of their ledger slots if none of them must keep to the former. */
    static List<List<Share>> split(List<Share> shares) {
        boolean unordered = shares.stream().allMatch(Share::isUnordered);
        List<Share> rest = unordered ? inOrderOfSlots(shares) : shares;
        List<List<Share>> all = new ArrayList<>();
        while (!rest.isEmpty()) {
            int fit = fit(rest);
            int end = unordered && fit < rest.size() ? endOfSlot(rest, fit) : fit;
            all.add(rest.subList(0, end));
            rest = rest.subList(end, rest.size());
        }
        return all;
    }

    private static List<Share> inOrderOfSlots(List<Share> shares) {
        List<Share> sorted = new ArrayList<>(shares);
        sorted.sort(Comparator.comparingLong(Share::slotOrder));
        return sorted;
    }

    /** How many of the shares fit into one transaction. */
    private static int fit(List<Share> shares) {
        Cut cut = new Cut();
        int fit = 0;
        while (fit < shares.size() && cut.add(shares.get(fit))) {
            fit++;
        }
        return fit;
    }

    /** A slot whose shares would be few at the end of one transaction is left to the next: each write of it costs. */
    private static int endOfSlot(List<Share> shares, int fit) {
        long slot = shares.get(fit).slotOrder();
        int end = fit;
        while (end > 0 && shares.get(end - 1).slotOrder() == slot) {
            end--;
        }
        return end >= fit - end ? end : fit;
    }

    private record Bucket(Granularity granularity, long start) {
    }

    private static final class Cut {

        private int shares;
        private final Set<Long> baseStarts = new HashSet<>();
        private final Set<Bucket> buckets = new HashSet<>();
        private final Set<Ledger.Time> slots = new HashSet<>();
        private Ledger.@Nullable Time lastSlot;

        /** @return false, and nothing is added, if it does not fit beside what is there */
        boolean add(Share share) {
            Ledger.Time slot = lastSlot != null && lastSlot.isOf(share.ledgerId()) ? lastSlot
                    : Ledger.Time.of(share.ledgerId());
            Set<Bucket> newBuckets = newBuckets(share);
            int items = buckets.size() + newBuckets.size() + slots.size()
                    + (slot.equals(lastSlot) || slots.contains(slot) ? 0 : 1);
            if (shares > 0 && (items > Limits.TRANSACTION_ITEMS || shares == MOST_IDS)) {
                return false;
            }
            shares++;
            if (!slot.equals(lastSlot)) {
                slots.add(slot);
                lastSlot = slot;
            }
            if (!newBuckets.isEmpty()) {
                buckets.addAll(newBuckets);
                for (int i = 0; i < share.baseBuckets(); i++) {
                    baseStarts.add(share.baseStart(i));
                }
            }
            return true;
        }

        private Set<Bucket> newBuckets(Share share) {
            Set<Bucket> found = Set.of();
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
}
