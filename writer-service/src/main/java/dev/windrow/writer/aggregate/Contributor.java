package dev.windrow.writer.aggregate;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

import dev.windrow.dataset.Datasets;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.message.Message;

/**
 * Turns the events of messages into shares of the series that they count in. An event counts in all datasets of its
 * type or, if one of them cannot accept it, in none: it can be corrected and sent again without counting twice. Thread-safe.
 */
public final class Contributor {

    private final Map<String, List<AggregationPlan>> plansByType;
    private final long maxHeapBytes;

    /** @param maxHeapBytes what the contributions of one message may take on the heap */
    public Contributor(Datasets datasets, long maxHeapBytes) {
        this.plansByType = datasets.all().stream().map(dataset -> new AggregationPlan(dataset, datasets.all().size()))
                .collect(Collectors.groupingBy(plan -> plan.dataset().eventType()));
        this.maxHeapBytes = maxHeapBytes;
    }

    /**
     * Begins to gather the contributions of a message.
     *
     * @param allowance memory for them
     */
    public ContributionBuilder start(PendingMessage message, MemoryBudget allowance) {
        return new ContributionBuilder(plansByType, message, allowance, maxHeapBytes);
    }

    /**
     * Begins to gather what is claimed of a message.
     *
     * @param allowance memory for it
     * @param random drawn from for datasets that scatter at random
     */
    public ClaimUnitBuilder startUnits(Message message, MemoryBudget allowance, RandomGenerator random) {
        return new ClaimUnitBuilder(plansByType, message, allowance, maxHeapBytes, random);
    }
}
