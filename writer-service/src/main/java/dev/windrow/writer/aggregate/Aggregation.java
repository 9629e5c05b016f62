package dev.windrow.writer.aggregate;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.Message;

/**
 * Aggregates the events of messages by bucket. An event counts in all datasets of its type or, if one of them rejects it,
 * in none, so that it can be corrected and sent again without counting twice. Thread-safe.
 */
public record Aggregation(Map<String, List<AggregationPlan>> plansByType, int datasets, long maxHeapBytes,
        RandomGenerator random) {

    /**
     * @param maxHeapBytes maximum estimated heap size of the additions of one message
     * @param random used for datasets that scatter at random; thread-safe
     */
    public Aggregation(Datasets datasets, long maxHeapBytes, RandomGenerator random) {
        this(plans(datasets.all()), datasets.all().size(), maxHeapBytes, random);
    }

    private static Map<String, List<AggregationPlan>> plans(List<Dataset> all) {
        return IntStream.range(0, all.size()).mapToObj(i -> AggregationPlan.of(all.get(i), i, all.size()))
                .collect(Collectors.groupingBy(plan -> plan.dataset().eventType()));
    }

    /** Starts collecting the claim units of a message. */
    public ClaimUnitBuilder start(Message message, MemoryBudget allowance) {
        return new ClaimUnitBuilder(plansByType, datasets, message, allowance, maxHeapBytes, random);
    }
}
