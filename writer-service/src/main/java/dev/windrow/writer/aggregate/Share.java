package dev.windrow.writer.aggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.windrow.event.Event;
import dev.windrow.key.SeriesKey;

/**
 * What one message adds to one series: the unit that is applied whole or not at all, and that the ledger remembers. Not
 * thread-safe: built by one message, then read only.
 */
public final class Share {

    private final PendingMessage message;
    private final Plan plan;
    private final SeriesKey series;
    private final String partitionKey;
    private final LedgerId ledgerId;
    /** By the start of the base bucket, in seconds. */
    private final TreeMap<Long, Totals> base;
    private long events;

    Share(PendingMessage message, Plan plan, SeriesKey series, String partitionKey, LedgerId ledgerId) {
        this(message, plan, series, partitionKey, ledgerId, new TreeMap<>());
    }

    private Share(PendingMessage message, Plan plan, SeriesKey series, String partitionKey, LedgerId ledgerId,
            TreeMap<Long, Totals> base) {
        this.message = message;
        this.plan = plan;
        this.series = series;
        this.partitionKey = partitionKey;
        this.ledgerId = ledgerId;
        this.base = base;
    }

    public PendingMessage message() {
        return message;
    }

    public Plan plan() {
        return plan;
    }

    public SeriesKey series() {
        return series;
    }

    /** The series' partition key: what series are told apart by. */
    public String partitionKey() {
        return partitionKey;
    }

    public LedgerId ledgerId() {
        return ledgerId;
    }

    /** How many events it holds. */
    public long events() {
        return events;
    }

    Map<Long, Totals> base() {
        return base;
    }

    /** Whether it adds to a bucket. */
    public boolean touches(BucketUpsert bucket) {
        for (long start : base.keySet()) {
            if (bucket.granularity().floor(start) == bucket.startSecond()) {
                return true;
            }
        }
        return false;
    }

    void add(Event event) {
        long start = plan.base().floor(event.time().getEpochSecond());
        Totals totals = base.get(start);
        if (totals == null) {
            totals = new Totals(plan.measures().size());
            base.put(start, totals);
        }
        totals.add(plan.measures(), event);
        events++;
    }

    /**
     * Itself, or the parts of a share with more buckets than fit into one transaction. The cuts depend on nothing but
     * content and dataset, so that each redelivery is cut the same way and the ledger meets the same parts.
     */
    List<Share> parts(String identity, long millis) {
        int most = plan.mostBaseBuckets();
        if (base.size() <= most) {
            return List.of(this);
        }
        List<Share> parts = new ArrayList<>();
        TreeMap<Long, Totals> rest = new TreeMap<>(base);
        for (int part = 0; !rest.isEmpty(); part++) {
            TreeMap<Long, Totals> some = new TreeMap<>();
            while (some.size() < most && !rest.isEmpty()) {
                Map.Entry<Long, Totals> entry = rest.pollFirstEntry();
                some.put(entry.getKey(), entry.getValue());
            }
            LedgerId id = part == 0 ? ledgerId
                    : LedgerId.of(identity + "/" + part, millis, plan.dataset().ledgerSlots());
            Share share = new Share(message, plan, series, partitionKey, id, some);
            share.events = part == 0 ? events : 0;
            parts.add(share);
        }
        return parts;
    }
}
