package dev.windrow.dataset;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.event.Condition;
import dev.windrow.event.Event;
import dev.windrow.scatter.Scatter;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;

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

}
