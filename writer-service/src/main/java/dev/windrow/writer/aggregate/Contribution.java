package dev.windrow.writer.aggregate;

import java.util.List;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.event.Event;
import dev.windrow.key.SeriesKey;
import dev.windrow.scatter.Murmur3;
import dev.windrow.writer.inflight.pending.PendingMessage;

/**
 * What one message adds to one series: the unit that is applied whole or not at all, and that the ledger remembers. Not
 * thread-safe: built by one message, then read only.
 */
public final class Contribution {

    /** What it takes on the heap without its series and buckets, with its ledger id and its places in lists. */
    static final long HEAP_BYTES = 160;

    private final PendingMessage message;
    private final AggregationPlan plan;
    private final Series series;
    private final LedgerId ledgerId;
    private final TotalsByStart base;
    private long events;

    Contribution(PendingMessage message, AggregationPlan plan, Series series, LedgerId ledgerId) {
        this(message, plan, series, ledgerId, new TotalsByStart());
    }

    private Contribution(PendingMessage message, AggregationPlan plan, Series series, LedgerId ledgerId, TotalsByStart base) {
        this.message = message;
        this.plan = plan;
        this.series = series;
        this.ledgerId = ledgerId;
        this.base = base;
    }

    public PendingMessage message() {
        return message;
    }

    public AggregationPlan plan() {
        return plan;
    }

    public SeriesKey series() {
        return series.key();
    }

    long seriesBytes() {
        return series.heapBytes();
    }

    /** The series' partition key, which identifies it. */
    public String partitionKey() {
        return series.partitionKey();
    }

    public LedgerId ledgerId() {
        return ledgerId;
    }

    /**
     * What costs a write in each flush that has shares of it: its ledger slot or, without ledger, its latest base bucket;
     * as a number that grows with time. Shares come about in the order of steps: those of one have nearly all come when some
     * of a later one have.
     */
    long step() {
        Dataset dataset = plan.dataset();
        if (!plan.isNoted()) {
            return base.start(base.size() - 1);
        }
        // An event's slot depends on its id within the second: all of a second's slots are open at once.
        return dataset.dedupe() == Dedupe.MESSAGE ? ledgerId.second() * dataset.ledgerSlots() + ledgerId.slot()
                : ledgerId.second();
    }

    /** Whether it must not be written after shares that came later. */
    boolean isOrdered() {
        return message.message().orderedGroup() != null;
    }

    /** How many events it holds. */
    public long events() {
        return events;
    }

    /** How many base buckets it touches. */
    public int baseBuckets() {
        return base.size();
    }

    /** The start of a base bucket it touches, in seconds; in order of time. */
    public long baseStart(int index) {
        return base.start(index);
    }

    TotalsByStart base() {
        return base;
    }

    /** Whether it adds to a bucket. */
    public boolean touches(BucketUpsert bucket) {
        for (int i = 0; i < base.size(); i++) {
            if (bucket.granularity().floor(base.start(i)) == bucket.startSecond()) {
                return true;
            }
        }
        return false;
    }

    /** Adds an event. @return whether it is the first of its base bucket */
    boolean add(Event event) {
        int before = base.size();
        long start = plan.base().floor(event.time().getEpochSecond());
        base.at(start).add(plan.measures(), event);
        events++;
        return base.size() > before;
    }

    /**
     * Adds itself, or the parts of a share with more buckets than fit into one transaction. The cuts depend on nothing but
     * content and dataset, so that each redelivery is cut the same way and the ledger meets the same parts.
     */
    void addParts(List<Contribution> parts, String identity, long millis) {
        int maximum = plan.maxBaseBuckets();
        if (base.size() <= maximum) {
            parts.add(this);
            return;
        }
        for (int from = 0; from < base.size(); from += maximum) {
            LedgerId id = from == 0 ? ledgerId
                    : LedgerId.ofMessage(Murmur3.hash64(identity + "/" + from / maximum), millis,
                            plan.dataset().ledgerSlots());
            Contribution share = new Contribution(message, plan, series, id,
                    base.part(from, Math.min(from + maximum, base.size())));
            share.events = from == 0 ? events : 0;
            parts.add(share);
        }
    }
}
