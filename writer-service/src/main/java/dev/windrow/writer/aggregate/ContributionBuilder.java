package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dedupe;
import dev.windrow.event.Event;
import dev.windrow.reason.Reason;
import dev.windrow.scatter.Murmur3;
import dev.windrow.writer.decode.EventSink;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MessageRejectedException;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.inflight.pending.PendingMessage;

/** Gathers the contributions of one message. Not thread-safe. */
public final class ContributionBuilder implements EventSink {

    private final Map<String, List<AggregationPlan>> plansByType;
    private final MemoryBudget allowance;
    private final long maxHeapBytes;
    private final PendingMessage message;
    private final String identity;
    private final long millis;
    private final SeriesResolver resolver;
    private final long hash;
    private final List<Contribution> shares = new ArrayList<>();
    /** A dataset's shares are either by message or by event. */
    private final Map<Series, Contribution> byMessage = new HashMap<>();
    private final Map<EventShare, Contribution> byEvent = new HashMap<>();
    private final List<Contribution> touched = new ArrayList<>();
    private long heapBytes;
    private long seriesBytes;
    private @Nullable LedgerId ledgerId;
    private int ledgerSlots;

    /** A share of one event only, or of what retracts it. */
    private record EventShare(Series series, String eventId, boolean retraction) {
    }

    ContributionBuilder(Map<String, List<AggregationPlan>> plansByType, PendingMessage message, MemoryBudget allowance,
            long maxHeapBytes) {
        this.plansByType = plansByType;
        this.allowance = allowance;
        this.maxHeapBytes = maxHeapBytes;
        this.message = message;
        this.identity = message.message().identity();
        this.millis = message.message().identityMillis();
        this.hash = Murmur3.hash64(identity);
        this.resolver = new SeriesResolver(hash, Instant.ofEpochMilli(millis));
    }

    /** The contributions of all events so far. */
    public MessageContributions build() {
        List<Contribution> parts = new ArrayList<>(shares.size());
        for (Contribution share : shares) {
            if (share.baseBuckets() > 0) {
                share.addParts(parts, identity, millis);
            }
        }
        return new MessageContributions(parts, heapBytes);
    }

    @Override
    public void restart() {
        shares.clear();
        byMessage.clear();
        byEvent.clear();
        heapBytes = 0;
        seriesBytes = 0;
    }

    @Override
    public @Nullable RejectedEvent take(int index, Event event) {
        List<AggregationPlan> plans = plansByType.get(event.type());
        if (plans == null) {
            return new RejectedEvent(index, Reason.UNKNOWN_EVENT_TYPE, "type", "expected the event type of a dataset");
        }
        touched.clear();
        for (int i = 0; i < plans.size(); i++) {
            RejectedEvent rejection = touch(plans.get(i), index, event);
            if (rejection != null) {
                return rejection;
            }
        }
        for (int i = 0; i < touched.size(); i++) {
            Contribution share = touched.get(i);
            if (share.add(event)) {
                grow(share.plan().bucketBytes(), 0);
            }
        }
        return null;
    }

    /** Finds the share an event belongs to, or what is wrong with the event. */
    private @Nullable RejectedEvent touch(AggregationPlan plan, int index, Event event) {
        SeriesResolver.Resolved found = resolver.resolve(plan, index, event);
        Series series = found.series();
        if (series == null) {
            return found.rejection();
        }
        String id = plan.dataset().dedupe() == Dedupe.EVENT_ID ? String.valueOf(event.id()) : null;
        open(plan, event, series, id, id == null ? hash : Murmur3.hash64(id));
        return null;
    }

    private void open(AggregationPlan plan, Event event, Series series, @Nullable String eventId, long keyHash) {
        int slots = plan.dataset().ledgerSlots();
        if (eventId == null) {
            Contribution share = byMessage.get(series);
            if (share == null) {
                share = open(plan, series, ledgerId(slots));
                byMessage.put(series, share);
            }
            touched.add(share);
            return;
        }
        boolean retraction = event.count() < 0;
        EventShare key = new EventShare(series, eventId, retraction);
        Contribution share = byEvent.get(key);
        if (share == null) {
            // What retracts an event has its id, and is not the event: it has a ledger entry of its own.
            long ledgerHash = retraction ? ~keyHash : keyHash;
            share = open(plan, series, LedgerId.ofEvent(ledgerHash, event.time().toEpochMilli(), slots));
            byEvent.put(key, share);
        } else if (share.baseBuckets() > 0) {
            // The same event twice in one message.
            return;
        }
        touched.add(share);
    }

    private Contribution open(AggregationPlan plan, Series series, LedgerId id) {
        grow(Contribution.HEAP_BYTES, series.heapBytes());
        Contribution share = new Contribution(message, plan, series, id);
        shares.add(share);
        return share;
    }

    /** @param ofSeries what its series may take, which is counted once where shares of several messages wait for a write */
    private void grow(long bytes, long ofSeries) {
        heapBytes += bytes;
        seriesBytes += ofSeries;
        if (heapBytes + seriesBytes > maxHeapBytes) {
            throw new MessageRejectedException(Reason.MESSAGE_TOO_LARGE, "message", "expected labels and buckets that take"
                    + " at most " + maxHeapBytes + " bytes of memory, found more in " + shares.size() + " labels");
        }
        allowance.take(bytes + ofSeries);
    }

    /** All contributions of a message to one dataset have the same id, and usually those to all datasets do. */
    private LedgerId ledgerId(int slots) {
        LedgerId id = ledgerId;
        if (id == null || ledgerSlots != slots) {
            id = LedgerId.ofMessage(hash, millis, slots);
            ledgerId = id;
            ledgerSlots = slots;
        }
        return id;
    }
}
