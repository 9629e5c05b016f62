package dev.windrow.writer.aggregate;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.message.Message;

/**
 * Aggregates the events of messages by bucket. An event counts in all datasets of its type or, if one of them cannot accept
 * it, in none: it can be corrected and sent again without counting twice. Thread-safe.
 */
public final class Aggregation {

    private final Map<String, List<AggregationPlan>> plansByType;
    private final int datasets;
    private final long maxHeapBytes;
    private final RandomGenerator random;

    /**
     * @param maxHeapBytes maximum estimated heap size of the additions of one message
     * @param random drawn from for datasets that scatter at random; thread-safe
     */
    public Aggregation(Datasets datasets, long maxHeapBytes, RandomGenerator random) {
        List<Dataset> all = datasets.all();
        this.datasets = all.size();
        this.plansByType = IntStream.range(0, all.size()).mapToObj(i -> new AggregationPlan(all.get(i), i, all.size()))
                .collect(Collectors.groupingBy(plan -> plan.dataset().eventType()));
        this.maxHeapBytes = maxHeapBytes;
        this.random = random;
    }

    /**
     * Starts to collect the claim units of a message.
     *
     * @param allowance memory for it
     */
    public ClaimUnitBuilder start(Message message, MemoryBudget allowance) {
        return new ClaimUnitBuilder(plansByType, datasets, message, allowance, maxHeapBytes, random);
    }
}
