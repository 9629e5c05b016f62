package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset.Dedupe;
import dev.windrow.dataset.Event;
import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.writer.decode.EventSink;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MessageRejectedException;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.journal.claim.ClaimId;
import dev.windrow.writer.journal.claim.ClaimUnit;
import dev.windrow.writer.journal.record.Addition;
import dev.windrow.writer.message.Message;

/**
 * Divides what one message adds into claim units: up to 100 consecutive events of the message or, for datasets that
 * deduplicate by event id, single events. The unit of an event depends only on the message, the event and how its datasets
 * deduplicate. An event counts in all datasets of its type or in none. Not thread-safe.
 */
public final class ClaimUnitBuilder implements EventSink {

    /** Maximum number of events of a message that are claimed together. */
    static final int MAX_EVENTS = 100;

    private static final long SECOND_MILLIS = 1_000;

    /** A unit with its id and its place, and a bucket of it with its keys. */
    private static final long UNIT_BYTES = 160;
    private static final long ITEM_BYTES = 200;
    /** A unit that was built, its id, and its places in the journal. */
    private static final long BUILT_UNIT_BYTES = 300;

    private final Map<String, List<AggregationPlan>> plansByType;
    private final MemoryBudget allowance;
    private final long maxHeapBytes;
    private final RandomGenerator random;
    private final String identity;
    private final long millis;
    private final SeriesResolver resolver;
    private final Map<ClaimId, UnitDraft> units = new LinkedHashMap<>();
    private final List<Series> resolved = new ArrayList<>();
    private final int[] events;
    private long heapBytes;
    private long builtBytes;
    private @Nullable ClaimId last;
    private int lastNumber;
    private @Nullable String lastType;
    private @Nullable List<AggregationPlan> lastPlans;

    /** @param datasets how many are declared */
    ClaimUnitBuilder(Map<String, List<AggregationPlan>> plansByType, int datasets, Message message, MemoryBudget allowance,
            long maxHeapBytes, RandomGenerator random) {
        this.plansByType = plansByType;
        this.events = new int[datasets];
        this.allowance = allowance;
        this.maxHeapBytes = maxHeapBytes;
        this.random = random;
        this.identity = message.identity();
        this.millis = message.identityMillis();
        this.resolver = new SeriesResolver(Murmur3.hash64(identity), Instant.ofEpochMilli(millis));
    }

    /** The units of all events so far, without those that add nothing. */
    public List<ClaimUnit> build() {
        List<ClaimUnit> built = new ArrayList<>(units.size());
        for (UnitDraft draft : units.values()) {
            ClaimUnit unit = draft.build(random);
            List<Addition> additions = unit.additions();
            if (!additions.isEmpty()) {
                built.add(unit);
                builtBytes += BUILT_UNIT_BYTES;
                for (int i = 0; i < additions.size(); i++) {
                    builtBytes += additions.get(i).heapBytes();
                }
            }
        }
        return built;
    }

    /** Estimated heap size of the {@linkplain #build() built} units, in bytes. */
    public long heapBytes() {
        return builtBytes;
    }

    /**
     * How many events count in a dataset so far.
     *
     * @param dataset its number among all declared datasets, from 0
     */
    public int events(int dataset) {
        return events[dataset];
    }

    @Override
    public void restart() {
        units.clear();
        Arrays.fill(events, 0);
        heapBytes = 0;
    }

    @Override
    public @Nullable RejectedEvent take(int index, Event event) {
        List<AggregationPlan> plans = plans(event.type());
        if (plans == null) {
            return new RejectedEvent(index, Reason.UNKNOWN_EVENT_TYPE, "type", "expected the event type of a dataset");
        }
        resolved.clear();
        for (int i = 0; i < plans.size(); i++) {
            SeriesResolver.Resolved found = resolver.resolve(plans.get(i), index, event);
            Series series = found.series();
            if (series == null) {
                return found.rejection();
            }
            resolved.add(series);
        }
        for (int i = 0; i < plans.size(); i++) {
            add(plans.get(i), resolved.get(i), index, event);
        }
        return null;
    }

    private @Nullable List<AggregationPlan> plans(String type) {
        // Most events of a message are of one type.
        if (!type.equals(lastType)) {
            lastType = type;
            lastPlans = plansByType.get(type);
        }
        return lastPlans;
    }

    private void add(AggregationPlan plan, Series series, int index, Event event) {
        boolean byEvent = plan.dataset().dedupe() == Dedupe.EVENT_ID;
        ClaimId id = byEvent ? eventId(event) : messageId(index / MAX_EVENTS);
        UnitDraft unit = units.get(id);
        if (unit == null) {
            grow(UNIT_BYTES);
            unit = new UnitDraft(id, index);
            units.put(id, unit);
        } else if (byEvent && unit.openedBy() != index) {
            // The same event twice in one message.
            return;
        }
        events[plan.number()]++;
        UnitDraft.OfSeries sum = unit.of(series);
        if (sum == null) {
            grow(series.heapBytes());
            sum = unit.open(plan, series);
        }
        if (sum.add(event)) {
            grow(plan.bucketBytes() + plan.dataset().granularities().size() * (ITEM_BYTES + plan.bucketBytes()));
        }
    }

    /** @param number of the part of the message */
    private ClaimId messageId(int number) {
        ClaimId id = last;
        if (id == null || lastNumber != number) {
            long hash = Murmur3.hash64(number == 0 ? identity : identity + "/" + number);
            id = new ClaimId(ClaimId.Kind.MESSAGE, millis, hash);
            last = id;
            lastNumber = number;
        }
        return id;
    }

    /**
     * Includes tenant and type, as producers choose the ids, and the instant to the nanosecond, as a slot remembers nothing
     * else of it; a retraction is distinct from the event that it retracts.
     */
    private static ClaimId eventId(Event event) {
        Instant time = event.time();
        long hash = Murmur3.hash64(event.tenant().length() + ":" + event.tenant() + event.type().length() + ":"
                + event.type() + time.getEpochSecond() + "." + time.getNano() + ":" + event.id());
        return new ClaimId(ClaimId.Kind.EVENT, time.toEpochMilli() + (time.getNano() == 0 ? spread(hash) : 0),
                event.count() < 0 ? ~hash : hash);
    }

    /**
     * Milliseconds by which the hash spreads an event of a whole second over it: producers that give no finer times would
     * fill one slot each second and leave those beside it empty.
     */
    private static long spread(long hash) {
        return ((hash >>> Integer.SIZE) * SECOND_MILLIS) >>> Integer.SIZE;
    }

    private void grow(long bytes) {
        heapBytes += bytes;
        if (heapBytes > maxHeapBytes) {
            throw new MessageRejectedException(Reason.MESSAGE_TOO_LARGE, "message", "expected labels and buckets that take"
                    + " at most " + maxHeapBytes + " bytes of memory, found more");
        }
        allowance.take(bytes);
    }
}
