package dev.windrow.gather.answer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

import dev.windrow.gather.merge.Bucket;
import dev.windrow.table.Utf8Order;

/** Remembers the watched buckets and reports which changed. Memory is bounded by the window and the limit on its buckets. */
public final class ChangeDetector {

    private final NavigableMap<String, Bucket> known = new TreeMap<>(Utf8Order.ASCENDING);

    /** All buckets watched, as of the last poll, in key order. */
    public List<Bucket> known() {
        return List.copyOf(known.values());
    }

    /**
     * The buckets that are new or have other values than at the last poll.
     *
     * @param from earliest start still watched
     * @param current all buckets watched now
     */
    public List<Bucket> look(Instant from, List<Bucket> current) {
        known.values().removeIf(bucket -> bucket.start().isBefore(from));
        List<Bucket> changed = new ArrayList<>();
        for (Bucket bucket : current) {
            Bucket before = known.put(bucket.position(), bucket);
            if (before == null || !before.values().equals(bucket.values())) {
                changed.add(bucket);
            }
        }
        return changed;
    }
}
