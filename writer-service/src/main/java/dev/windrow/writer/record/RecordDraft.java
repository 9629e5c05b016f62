package dev.windrow.writer.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The additions of one claim's units, summed by bucket. Not thread-safe. */
public final class RecordDraft {

    private static final int CHANGE_BYTES = 24;

    private final Map<BucketItem, Addition> sums = new LinkedHashMap<>();
    private long bytes;

    /** Approximate size of its record before compression, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Whether all sums with this unit are numbers that DynamoDB can hold. */
    public boolean fitsWith(ClaimUnit unit) {
        for (Addition addition : unit.additions()) {
            Addition sum = sums.get(addition.item());
            if (sum != null && !Change.fit(sum.changes(), addition.changes())) {
                return false;
            }
        }
        return true;
    }

    public void add(ClaimUnit unit) {
        for (Addition addition : unit.additions()) {
            int before = sums.size();
            sums.merge(addition.item(), addition, Addition::with);
            bytes += sums.size() > before ? bytes(addition) : 0;
        }
    }

    private static long bytes(Addition addition) {
        BucketItem item = addition.item();
        IndexKey index = item.index();
        return (long) item.partitionKey().length() + item.sortKey().length()
                + (index == null ? 0 : index.partitionKey().length() + index.sortKey().length())
                + (long) CHANGE_BYTES * addition.changes().size();
    }

    public JournalRecord record(long claimedMillis) {
        return new JournalRecord(claimedMillis, List.copyOf(sums.values()));
    }
}
