package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.event.Event;
import dev.windrow.scatter.Murmur3;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;
import dev.windrow.writer.decode.EventSink;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.record.WholeSums;

/**
 * Divides the additions of a message into claim units: up to 100 consecutive events of the message or, for datasets that
 * deduplicate by event id, single events. The unit of an event depends only on the message, the event and how its datasets
 * deduplicate. An event counts in all datasets of its type or in none. Not thread-safe.
 */
public final class ClaimUnitBuilder implements EventSink {

    /** Maximum number of events of a message that are claimed together. */
    static final int MAX_EVENTS = 100;

    private static final long SECOND_MILLIS = 1_000;

    /** A unit with its id and map entry; the next constant is for the item of a bucket with its keys. */
    private static final long UNIT_BYTES = 160;
    private static final long ITEM_BYTES = 200;
    /** A built unit, its id and its entries in the journal. */
    private static final long BUILT_UNIT_BYTES = 300;

    private static final int MAX_LISTED_TYPES = 10;
    private static final int MAX_SHOWN_TYPE = 100;

    private final Map<String, List<AggregationPlan>> plansByType;
    private final MemoryBudget allowance;
    private final long maxHeapBytes;
    private final RandomGenerator random;
    private final String identity;
    private final long millis;
    private final Instant sent;
    private final SeriesResolver resolver;
    private final Map<ClaimId, UnitDraft> units = new LinkedHashMap<>();
    /** The datasets in which the last event counts; the next list has its series in each. */
    private final List<AggregationPlan> including = new ArrayList<>();
    private final List<ResolvedSeries> resolved = new ArrayList<>();
    private final int[] events;
    /** Events that lack the attribute, by dataset and measure; null if no event of the dataset lacks one. */
    private final int[] @Nullable [] without;
    private long heapBytes;
    private long builtBytes;
    private @Nullable ClaimId last;
    private int lastNumber;

    /** @param datasets number of declared datasets */
    ClaimUnitBuilder(Map<String, List<AggregationPlan>> plansByType, int datasets, Message message, MemoryBudget allowance,
            long maxHeapBytes, RandomGenerator random) {
        this.plansByType = plansByType;
        this.events = new int[datasets];
        this.without = new int[datasets][];
        this.allowance = allowance;
        this.maxHeapBytes = maxHeapBytes;
        this.random = random;
        this.identity = message.identity();
        this.millis = message.identityMillis();
        this.sent = Instant.ofEpochMilli(millis);
        this.resolver = new SeriesResolver(Murmur3.hash64(identity), sent);
    }

    /** Builds the units of all events so far, except units that add nothing. */
    public List<ClaimUnit> build() {
        List<ClaimUnit> built = new ArrayList<>(units.size());
        for (UnitDraft draft : units.values()) {
            ClaimUnit unit = draft.build(sent, random, item -> builtBytes += item.heapBytes());
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

    /** Returns the estimated heap size of the {@linkplain #build() built} units, in bytes. */
    public long heapBytes() {
        return builtBytes;
    }

    /** Returns how many events count so far in a dataset, given by its index among all declared ones, from 0. */
    public int events(int dataset) {
        return events[dataset];
    }

    /** Returns how many of a dataset's events so far lack the attribute of a measure, given by its index, from 0. */
    public int eventsWithout(int dataset, int measure) {
        int @Nullable [] counts = without[dataset];
        return counts == null ? 0 : counts[measure];
    }

    /** Truncates long names and lists, as many events may have an unknown type. */
    private String unknown(String type) {
        String declared = plansByType.keySet().stream().sorted().limit(MAX_LISTED_TYPES).collect(Collectors.joining(", "));
        String shown = type.codePoints().limit(MAX_SHOWN_TYPE)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
        return "unknown event type '" + shown + "'; declared: " + declared
                + (plansByType.size() > MAX_LISTED_TYPES ? ", …" : "");
    }

    @Override
    public void restart() {
        units.clear();
        Arrays.fill(events, 0);
        Arrays.fill(without, null);
        heapBytes = 0;
    }

    @Override
    public @Nullable RejectedEvent take(int index, Event event) {
        List<AggregationPlan> plans = plansByType.get(event.type());
        if (plans == null) {
            return new RejectedEvent(index, Reason.UNKNOWN_EVENT_TYPE, "type", unknown(event.type()));
        }
        resolved.clear();
        including.clear();
        for (int i = 0; i < plans.size(); i++) {
            AggregationPlan plan = plans.get(i);
            if (!plan.dataset().includes(event)) {
                continue;
            }
            SeriesResolver.Resolved found = resolver.resolve(plan, index, event);
            ResolvedSeries series = found.series();
            if (series == null) {
                return found.rejection();
            }
            including.add(plan);
            resolved.add(series);
        }
        for (int i = 0; i < including.size(); i++) {
            add(including.get(i), resolved.get(i), index, event);
        }
        return including.isEmpty() ? RejectedEvent.EXCLUDED : null;
    }

    private void add(AggregationPlan plan, ResolvedSeries series, int index, Event event) {
        boolean byEvent = plan.dataset().dedupe() == Dedupe.EVENT_ID;
        ClaimId id = byEvent ? eventId(event) : messageId(index / MAX_EVENTS);
        UnitDraft unit = units.get(id);
        if (unit == null) {
            grow(UNIT_BYTES);
            unit = new UnitDraft(id, index);
            units.put(id, unit);
        } else if (byEvent && unit.openedBy != index) {
            // The message holds the same event twice.
            return;
        }
        events[plan.number()]++;
        noteAbsent(plan, event);
        UnitDraft.OfSeries sum = unit.sums.get(series);
        if (sum == null) {
            grow(series.heapBytes());
            sum = new UnitDraft.OfSeries(plan);
            unit.sums.put(series, sum);
        }
        if (sum.add(event)) {
            grow(plan.bucketBytes() + plan.dataset().granularities().size() * (ITEM_BYTES + plan.bucketBytes()));
        }
    }

    private void noteAbsent(AggregationPlan plan, Event event) {
        List<Measure> measures = plan.measures();
        for (int i = 0; i < measures.size(); i++) {
            String attribute = measures.get(i).attribute();
            if (attribute != null && !event.attributes().containsKey(attribute) && measures.get(i).includes(event)) {
                int @Nullable [] counts = without[plan.number()];
                if (counts == null) {
                    counts = new int[measures.size()];
                    without[plan.number()] = counts;
                }
                counts[i]++;
            }
        }
    }

    /** @param number index of the part of the message, from 0 */
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
     * The hash covers tenant and type, as producers choose the ids, and the instant to the nanosecond, as a slot stores
     * nothing else of it. A retraction has another id than the event that it retracts.
     */
    private static ClaimId eventId(Event event) {
        Instant time = event.time();
        long hash = Murmur3.hash64(event.tenant().length() + ":" + event.tenant() + event.type().length() + ":"
                + event.type() + time.getEpochSecond() + "." + time.getNano() + ":" + event.id());
        return new ClaimId(ClaimId.Kind.EVENT, time.toEpochMilli() + (time.getNano() == 0 ? spread(hash) : 0),
                event.count() < 0 ? ~hash : hash);
    }

    /**
     * Milliseconds by which the hash spreads events over their second. Producers whose times are whole seconds would otherwise
     * fill one slot each second and leave its neighbors empty.
     */
    private static long spread(long hash) {
        return ((hash >>> Integer.SIZE) * SECOND_MILLIS) >>> Integer.SIZE;
    }

    private void grow(long bytes) {
        heapBytes += bytes;
        if (heapBytes > maxHeapBytes) {
            throw new InvalidInputException(Reason.MESSAGE_TOO_LARGE, "message", "its labels and buckets take more than "
                    + maxHeapBytes + " bytes of memory: send fewer events per message");
        }
        allowance.take(bytes);
    }

    /** A claim unit under construction: its totals by series and base bucket. Not thread-safe. */
    static final class UnitDraft {

        private final ClaimId id;
        private final int openedBy;
        private final Map<ResolvedSeries, OfSeries> sums = new LinkedHashMap<>();

        static final class OfSeries {

            private final AggregationPlan plan;
            /** Ordered by time; most messages touch one base bucket of a series. */
            private final List<Totals> base = new ArrayList<>(1);
            private Instant latest = Instant.MIN;

            OfSeries(AggregationPlan plan) {
                this.plan = plan;
            }

            /** Adds an event; returns whether it is the first of its base bucket. */
            boolean add(Event event) {
                int before = base.size();
                Totals.at(base, plan.base().floor(event.time().getEpochSecond())).add(plan.measures(), event);
                latest = event.time().isAfter(latest) ? event.time() : latest;
                return base.size() > before;
            }

            /** Returns the time that decides the width of a bucket's item: the latest event's, or the bucket's last second. */
            Instant timeIn(Granularity granularity, long start) {
                Instant end = granularity.end(Instant.ofEpochSecond(start));
                return latest.isBefore(end) ? latest : end.minusSeconds(1);
            }
        }

        /** @param openedBy the position of its first event in the message */
        UnitDraft(ClaimId id, int openedBy) {
            this.id = id;
            this.openedBy = openedBy;
        }

        /**
         * Builds the unit, with buckets of all granularities. Buckets whose retention was over when the message was sent are
         * left out, whenever it is delivered: DynamoDB never deletes an item that expired more than five years ago.
         *
         * @param random used for datasets that scatter at random
         * @param created gets the items that are not shared with earlier units
         */
        ClaimUnit build(Instant sent, RandomGenerator random, Consumer<BucketItem> created) {
            List<Addition> additions = new ArrayList<>(sums.size());
            sums.forEach((series, sum) -> sum.plan.dataset().granularities()
                    .forEach(granularity -> add(series, sum, granularity, sent, random, created, additions)));
            return new ClaimUnit(id, additions);
        }

        private static void add(ResolvedSeries series, OfSeries sum, Granularity granularity, Instant sent,
                RandomGenerator random,
                Consumer<BucketItem> created, List<Addition> additions) {
            List<Measure> measures = sum.plan.measures();
            Retention retention = sum.plan.dataset().retention();
            List<Totals> buckets = sum.base;
            if (!granularity.equals(sum.plan.base())) {
                buckets = new ArrayList<>(1);
                for (Totals totals : sum.base) {
                    Totals.at(buckets, granularity.floor(totals.start())).add(measures, totals);
                }
            }
            for (Totals totals : buckets) {
                List<Change> changes = changes(sum.plan, totals);
                long start = totals.start();
                if (!changes.isEmpty() && !retention.isOver(granularity, Instant.ofEpochSecond(start), sent)) {
                    additions.add(new Addition(
                            sum.plan.knownItems().of(series, granularity, start, sum.timeIn(granularity, start), random,
                                    created),
                            granularity.name(), changes));
                }
            }
        }

        private static List<Change> changes(AggregationPlan plan, Totals totals) {
            WholeSums wholes = totals.wholeSums(plan);
            if (wholes != null) {
                return wholes;
            }
            List<Measure> measures = plan.measures();
            List<Change> changes = new ArrayList<>(measures.size());
            for (int i = 0; i < measures.size(); i++) {
                MeasureValue value = totals.value(measures, i);
                if (value != null) {
                    changes.add(new Change(measures.get(i).name(), measures.get(i).kind(), value));
                }
            }
            return changes;
        }
    }

}
