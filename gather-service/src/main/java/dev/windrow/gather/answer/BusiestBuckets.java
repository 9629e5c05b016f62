package dev.windrow.gather.answer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Granularity;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.BusiestQuery;

/** Sums all labels of each start, which come one start after the other, and keeps the busiest. Constant memory. */
public final class BusiestBuckets {

    private final int by;
    private final int n;
    private final Granularity granularity;
    private final Comparator<Total> leastFirst;
    private final PriorityQueue<Total> busiest;
    private @Nullable Total open;

    /**
     * A bucket of all labels.
     *
     * @param start its start
     * @param values its measures
     */
    public record Total(Instant start, MeasureValues values) {
    }

    public BusiestBuckets(BusiestQuery query) {
        this.by = query.scope().dataset().measures().indexOf(query.by());
        this.n = query.n();
        this.granularity = query.granularity();
        // Of equals the earlier is the busier.
        Comparator<Total> byValue = Comparator.comparing(total -> total.values().shown(by).orElseThrow());
        this.leastFirst = byValue.thenComparing(Total::start, Comparator.reverseOrder());
        this.busiest = new PriorityQueue<>(leastFirst);
    }

    /** Adds a bucket; starts must not go down. */
    public void add(Bucket bucket) {
        Total current = open;
        // Where buckets lag, they are summed up from finer ones.
        Instant start = bucket.granularity().equals(granularity) ? bucket.start() : granularity.floor(bucket.start());
        if (current != null && current.start().equals(start)) {
            open = new Total(start, current.values().combine(bucket.values()));
            return;
        }
        keep(current);
        open = new Total(start, bucket.values());
    }

    private void keep(@Nullable Total total) {
        if (total == null || total.values().at(by).isEmpty()) {
            return;
        }
        busiest.add(total);
        if (busiest.size() > n) {
            busiest.remove();
        }
    }

    /** The busiest, busiest first; no more may be added. */
    public List<Total> top() {
        keep(open);
        open = null;
        List<Total> sorted = new ArrayList<>(busiest);
        sorted.sort(Collections.reverseOrder(leastFirst));
        return sorted;
    }
}
