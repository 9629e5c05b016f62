package dev.windrow.scatter;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

import dev.windrow.time.Granularity;

/**
 * How a dataset's items are spread over the index. An item gets its shard once, by the width of the epoch that contains the
 * time of its first event, so widths can grow without rewriting data. A bucket that is open when an epoch starts (a month,
 * {@code forever}) gets new items at the new width, and readers cover the widths of all epochs that overlap the bucket. The
 * first epoch also covers all earlier times.
 *
 * @param strategy how a shard is chosen within an epoch's width
 * @param epochs at least one, in strictly ascending order
 */
public record Scatter(ScatterStrategy strategy, List<WidthEpoch> epochs) {

    public Scatter {
        epochs = List.copyOf(epochs);
        if (epochs.isEmpty()) {
            throw new IllegalArgumentException("expected at least one epoch");
        }
        for (int i = 1; i < epochs.size(); i++) {
            if (!epochs.get(i - 1).from().isBefore(epochs.get(i).from())) {
                throw new IllegalArgumentException("expected epochs in ascending order, found " + epochs);
            }
        }
    }

    /** One epoch for all time. */
    public static Scatter hash(int width) {
        return new Scatter(ScatterStrategy.HASH, List.of(new WidthEpoch(Instant.EPOCH, width)));
    }

    public int widthAt(Instant time) {
        return epochs.get(epochIndexAt(time)).width();
    }

    /**
     * Returns the scatter shard that an item gets when it is first written.
     *
     * @param eventTime a time in the item's bucket, which determines the width
     * @param indexSortKey the item's index sort key, which contains label, key shard and start
     * @param random used only by {@link ScatterStrategy#RANDOM}
     */
    public int shardOf(Instant eventTime, String indexSortKey, RandomGenerator random) {
        int width = widthAt(eventTime);
        return switch (strategy) {
            case HASH -> Murmur3.bounded(indexSortKey, width);
            case RANDOM -> random.nextInt(width);
        };
    }

    /**
     * Splits a half-open range of bucket starts wherever the number of shards that may hold their items changes, in order of
     * time; returns none if the range is empty.
     *
     * @param granularity the granularity of the buckets, to whose starts the range is aligned
     */
    public List<WidthRange> rangesIn(Instant from, Instant to, Granularity granularity) {
        List<WidthRange> ranges = new ArrayList<>();
        Instant at = from;
        while (at.isBefore(to)) {
            int first = epochIndexAt(at);
            int last = lastEpochBefore(granularity.end(at), first);
            Instant next = last > first ? granularity.end(at) : nextOpenAtAnEpoch(first, granularity);
            Instant end = next.isBefore(to) ? next : to;
            add(ranges, new WidthRange(at, end, maxWidth(first, last)));
            at = end;
        }
        return List.copyOf(ranges);
    }

    private static void add(List<WidthRange> ranges, WidthRange range) {
        int last = ranges.size() - 1;
        if (last >= 0 && ranges.get(last).width() == range.width()) {
            ranges.set(last, new WidthRange(ranges.get(last).from(), range.to(), range.width()));
        } else {
            ranges.add(range);
        }
    }

    /** The start of the bucket in which the next epoch starts: from there on, several epochs are relevant. */
    private Instant nextOpenAtAnEpoch(int epoch, Granularity granularity) {
        return epoch + 1 < epochs.size() ? granularity.floor(epochs.get(epoch + 1).from()) : Instant.MAX;
    }

    private int maxWidth(int first, int last) {
        return epochs.subList(first, last + 1).stream().mapToInt(WidthEpoch::width).max().orElseThrow();
    }

    private int lastEpochBefore(Instant end, int first) {
        int last = first;
        while (last + 1 < epochs.size() && epochs.get(last + 1).from().isBefore(end)) {
            last++;
        }
        return last;
    }

    private int epochIndexAt(Instant time) {
        int index = epochs.size() - 1;
        while (index > 0 && time.isBefore(epochs.get(index).from())) {
            index--;
        }
        return index;
    }

}
