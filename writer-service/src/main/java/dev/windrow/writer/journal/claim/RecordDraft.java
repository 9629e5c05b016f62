package dev.windrow.writer.journal.claim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.record.Addition;
import dev.windrow.writer.journal.record.BucketItem;
import dev.windrow.writer.journal.record.Change;
import dev.windrow.writer.journal.record.IndexKey;
import dev.windrow.writer.journal.record.JournalRecord;

/** What the units of one claim add, bucket by bucket. Not thread-safe. */
final class RecordDraft {

    private static final int CHANGE_BYTES = 24;

    private final Map<BucketItem, Sum> sums = new LinkedHashMap<>();
    /** What {@link #fitsWith} found, so that adding the same unit need not look for it again. */
    private final List<@Nullable Sum> found = new ArrayList<>();
    private long bytes;

    /** What one bucket gets. */
    private static final class Sum {

        private final Addition first;
        private List<Change> changes;

        Sum(Addition first) {
            this.first = first;
            this.changes = first.changes();
        }

        boolean fitsWith(Addition addition) {
            return Change.fit(changes, addition.changes());
        }

        void add(Addition addition) {
            changes = Change.merged(changes, addition.changes());
        }

        Addition addition() {
            return new Addition(first.item(), first.granularity(), changes);
        }
    }

    /** Approximate size of its record before compression, in bytes. */
    long bytes() {
        return bytes;
    }

    /** Whether all sums with this unit are numbers that DynamoDB holds. */
    boolean fitsWith(ClaimUnit unit) {
        found.clear();
        List<Addition> additions = unit.additions();
        for (int i = 0; i < additions.size(); i++) {
            Sum sum = sums.get(additions.get(i).item());
            if (sum != null && !sum.fitsWith(additions.get(i))) {
                return false;
            }
            found.add(sum);
        }
        return true;
    }

    /** Adds a unit that was just found to fit. */
    void add(ClaimUnit unit) {
        List<Addition> additions = unit.additions();
        for (int i = 0; i < additions.size(); i++) {
            Addition addition = additions.get(i);
            Sum sum = found.get(i);
            if (sum != null) {
                sum.add(addition);
                continue;
            }
            // Looked up again, as the unit itself may have the bucket twice.
            Sum twice = sums.putIfAbsent(addition.item(), new Sum(addition));
            if (twice == null) {
                bytes += bytes(addition);
            } else {
                twice.add(addition);
            }
        }
    }

    private static long bytes(Addition addition) {
        BucketItem item = addition.item();
        IndexKey index = item.index();
        return (long) item.partitionKey().length() + item.sortKey().length()
                + (index == null ? 0 : index.partitionKey().length() + index.sortKey().length())
                + (long) CHANGE_BYTES * addition.changes().size();
    }

    JournalRecord record(long claimedMillis) {
        List<Addition> additions = new ArrayList<>(sums.size());
        for (Sum sum : sums.values()) {
            additions.add(sum.addition());
        }
        return new JournalRecord(claimedMillis, additions);
    }
}
