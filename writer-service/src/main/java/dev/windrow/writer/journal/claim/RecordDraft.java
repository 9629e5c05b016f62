package dev.windrow.writer.journal.claim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.writer.journal.record.Addition;
import dev.windrow.writer.journal.record.BucketItem;
import dev.windrow.writer.journal.record.Change;
import dev.windrow.writer.journal.record.IndexKey;
import dev.windrow.writer.journal.record.JournalRecord;

/** What the units of one claim add, bucket by bucket. Not thread-safe. */
final class RecordDraft {

    private static final int CHANGE_BYTES = 24;

    private final Map<BucketItem, Addition> additions = new LinkedHashMap<>();
    private long bytes;

    /** How long its record is before it is compressed, about. */
    long bytes() {
        return bytes;
    }

    /** Whether all sums with this unit are numbers that DynamoDB holds. */
    boolean fitsWith(ClaimUnit unit) {
        for (Addition addition : unit.additions()) {
            Addition before = additions.get(addition.item());
            if (before != null && !fit(before.changes(), addition.changes())) {
                return false;
            }
        }
        return true;
    }

    private static boolean fit(List<Change> some, List<Change> more) {
        for (Change change : more) {
            for (Change one : some) {
                if (one.isLike(change) && !one.fitsWith(change)) {
                    return false;
                }
            }
        }
        return true;
    }

    void add(ClaimUnit unit) {
        for (Addition addition : unit.additions()) {
            Addition before = additions.putIfAbsent(addition.item(), addition);
            if (before == null) {
                bytes += bytes(addition);
            } else {
                additions.put(before.item(), new Addition(before.item(), before.granularity(),
                        Change.merged(before.changes(), addition.changes())));
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
        return new JournalRecord(claimedMillis, new ArrayList<>(additions.values()));
    }
}
