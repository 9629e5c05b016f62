package dev.windrow.scatter;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How a dataset's items are spread over the index. The start of its bucket alone determines an item's epoch, so widths can
 * grow without rewriting data. The first epoch also covers all earlier starts.
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

    /** The width at a bucket's start. */
    public int widthAt(Instant bucketStart) {
        return epochs.get(epochIndexAt(bucketStart)).width();
    }

    /**
     * The scatter shard that an item is given when it is first written.
     *
     * @param indexSortKey the item's index sort key, which holds label, key shard and start
     * @param random drawn from by {@link ScatterStrategy#RANDOM} only
     */
    public int shardOf(Instant bucketStart, String indexSortKey, RandomGenerator random) {
        int width = widthAt(bucketStart);
        return switch (strategy) {
            case HASH -> Murmur3.bounded(indexSortKey, width);
            case RANDOM -> random.nextInt(width);
        };
    }

    /**
     * The epochs that hold bucket starts in a half-open range, each clipped to it, in order of time; none if the range is
     * empty.
     */
    public List<EpochRange> epochsIn(Instant from, Instant to) {
        if (!from.isBefore(to)) {
            return List.of();
        }
        int first = epochIndexAt(from);
        int end = first + 1;
        while (end < epochs.size() && epochs.get(end).from().isBefore(to)) {
            end++;
        }
        List<EpochRange> ranges = new ArrayList<>(end - first);
        for (int i = first; i < end; i++) {
            Instant rangeFrom = i == first ? from : epochs.get(i).from();
            Instant rangeTo = i == end - 1 ? to : epochs.get(i + 1).from();
            ranges.add(new EpochRange(rangeFrom, rangeTo, epochs.get(i).width()));
        }
        return List.copyOf(ranges);
    }

    private int epochIndexAt(Instant bucketStart) {
        int index = epochs.size() - 1;
        while (index > 0 && bucketStart.isBefore(epochs.get(index).from())) {
            index--;
        }
        return index;
    }
}
