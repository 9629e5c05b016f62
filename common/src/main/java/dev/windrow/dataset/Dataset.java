package dev.windrow.dataset;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Durations;

/**
 * A declared aggregation of one event type. Its shape is part of the storage format of its items: to change label, partition or
 * key shards, declare the dataset under another name.
 *
 * @param name its name in keys and in the API
 * @param eventType the type of the events that it counts
 * @param label the attributes whose values identify a series, in order; empty for one series of all events
 * @param partition how many of the label's first attributes are in the table's partition key, so that all labels with the same
 *        first values are in one item collection, sorted by time; the size of the label if each label has its own
 * @param granularities the granularities of its buckets, finest first
 * @param index the granularities that are scattered over the index, finest first
 * @param keyShards the number of partition keys that each label is spread over, 1 to {@link #MAX_KEY_SHARDS}
 * @param measures what is aggregated, in declared order
 * @param columns what answers show: the measures and their ratios, in declared order
 * @param scatter how indexed items are spread
 * @param dedupe the id by which redeliveries are recognized
 * @param accept the event times that count
 * @param completeSince buckets that start at this time or later contain every event; null if all buckets do. A dataset that was
 *        declared after the events it rolls up must not answer about earlier ones.
 * @param ranks its leaderboards, at most one for each measure
 * @param about its title and description
 * @param where the conditions that an event must meet to count, by attribute; the dataset ignores all other events
 * @param retention how long its buckets are kept
 */
public record Dataset(String name, String eventType, List<String> label, int partition,
        List<Granularity> granularities, List<Granularity> index, int keyShards, List<Measure> measures,
        List<Column> columns, Scatter scatter, Dedupe dedupe, EventTimeBounds accept, @Nullable Instant completeSince,
        List<Rank> ranks, About about, SortedMap<String, Condition> where, Retention retention) {

    /** Maximum number of key shards of a label: a million writes a second, and 1,000 reads for each query of a label. */
    public static final int MAX_KEY_SHARDS = 1_000;

    public Dataset {
        label = List.copyOf(label);
        granularities = granularities.stream().sorted().toList();
        index = index.stream().sorted().toList();
        measures = List.copyOf(measures);
        columns = List.copyOf(columns);
        ranks = List.copyOf(ranks);
        where = Collections.unmodifiableSortedMap(new TreeMap<>(where));
    }

    /**
     * A dataset that has its whole label in the partition key, accepts every time, is complete, has no leaderboards, and is
     * kept forever.
     */
    public Dataset(String name, String eventType, List<String> label, List<Granularity> granularities,
            List<Granularity> index, int keyShards, List<Measure> measures, Scatter scatter, Dedupe dedupe) {
        this(name, eventType, label, label.size(), granularities, index, keyShards, measures, columns(measures), scatter,
                dedupe, EventTimeBounds.ANY, null, List.of(), About.NOTHING, new TreeMap<>(), Retention.FOREVER);
    }

    /** Whether each label has its own partition key, rather than sharing it with labels that have the same first values. */
    public boolean isWholeLabelPartition() {
        return partition == label.size();
    }

    /** The granularity with the longest name. Sort keys begin with it: a label that fits into this one's keys fits into all. */
    public Granularity longestNamed() {
        return Collections.max(granularities, Comparator.comparingInt(granularity -> granularity.name().length()));
    }

    public boolean isIndexed(Granularity granularity) {
        return index.contains(granularity);
    }

    public Optional<Measure> measure(String measureName) {
        return measures.stream().filter(measure -> measure.name().equals(measureName)).findFirst();
    }

    public Optional<Column> column(String columnName) {
        return columns.stream().filter(column -> column.name().equals(columnName)).findFirst();
    }

    /** Returns the columns of measures without ratios. */
    public static List<Column> columns(List<Measure> measures) {
        return IntStream.range(0, measures.size()).mapToObj(place -> Column.measure(measures.get(place).name(), place))
                .toList();
    }

    public Dataset withRanks(List<Rank> all) {
        return new Dataset(name, eventType, label, partition, granularities, index, keyShards, measures, columns, scatter,
                dedupe, accept, completeSince, all, about, where, retention);
    }

    /** Whether an event of its type meets the conditions: if so, it is counted or rejected, otherwise ignored. */
    public boolean includes(Event event) {
        return where.isEmpty() || Condition.hold(where, event);
    }

    /** Returns the leaderboard by a measure that contains buckets of a granularity, or empty. */
    public Optional<Rank> rank(String by, Granularity granularity) {
        return ranks.stream().filter(rank -> rank.by().equals(by) && rank.granularities().contains(granularity)).findFirst();
    }

    /**
     * How a dataset, a measure or a ratio is presented to users. It affects neither what is computed nor what is stored, so it
     * can change at any time.
     *
     * @param title a readable name, up to 100 characters; null to show the name itself
     * @param description one or a few sentences, up to 1,000 characters; null for none
     * @param unit the unit of its numbers: {@code bytes}, {@code seconds}, {@code percent} (1 is 100 percent, as in ratios) or
     *        a currency code (ISO 4217); null for none, and for a dataset
     */
    public record About(@Nullable String title, @Nullable String description, @Nullable String unit) {

        static final About NOTHING = new About(null, null, null);
    }

    /** Deduplication: the id by which redeliveries are recognized. */
    public enum Dedupe {

        /** The message's id and sent time, which are the same in every redelivery. */
        MESSAGE,

        /** The event's own id and time, which are the same when a producer resends it. */
        EVENT_ID;

        /** The name in declarations. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * The event times that a dataset accepts, relative to the sent time of the event's message. They are not relative to now,
     * so that each delivery of a message gets the same result.
     *
     * @param past how far back, not negative; null for any
     * @param future how far ahead, not negative; null for any
     */
    public record EventTimeBounds(@Nullable Duration past, @Nullable Duration future) {

        public static final EventTimeBounds ANY = new EventTimeBounds(null, null);

        /**
         * Checks an event's time.
         *
         * @return the expectation that is not met; empty if the time is accepted
         */
        public Optional<String> problem(Instant time, Instant sent) {
            if (past != null && Duration.between(time, sent).compareTo(past) > 0) {
                return Optional.of("a time at most " + Durations.text(past) + " before the message was sent at " + sent
                        + ", found " + time);
            }
            if (future != null && Duration.between(sent, time).compareTo(future) > 0) {
                return Optional.of("a time at most " + Durations.text(future) + " after the message was sent at " + sent
                        + ", found " + time);
            }
            return Optional.empty();
        }
    }
}
