package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

/**
 * Draws roll-ups of a dataset, down to a single series. They lack some of its granularities, and one of them was declared later
 * and lacks earlier events. That one is queried itself only if it is the smallest, because roll-ups of it may have earlier
 * events.
 */
final class RolledUpDatasets {

    private final RandomGenerator random;
    private final GeneratedDatasets drawn;
    private final ModelDataset base;

    RolledUpDatasets(RandomGenerator random) {
        this.random = random;
        this.drawn = new GeneratedDatasets(random);
        this.base = base(drawn.drawn("base", 3, Map.of(0, 3), "hash", 400));
    }

    List<ModelDataset> draw() {
        Instant since = drawn.between(GeneratedDatasets.FROM, GeneratedDatasets.TO.minus(Duration.ofDays(7)));
        int late = random.nextInt(3);
        ModelDataset byTwo = rollup("base-by-two", 2, late == 2 ? since : null, base.index());
        ModelDataset byOne = rollup("base-by-one", 1, late == 1 ? since : null, byTwo.index());
        return List.of(base, byTwo, byOne, rollup("base-of-all", 0, late == 0 ? since : null, byOne.index()));
    }

    /** Indexes all of its granularities, so that no roll-up can answer more than it. */
    private static ModelDataset base(ModelDataset drawn) {
        return new ModelDataset(drawn.name(), drawn.label(), drawn.partition(), drawn.granularities(), drawn.granularities(),
                drawn.keyShards(), drawn.measures(), drawn.widths(), drawn.strategy(), drawn.events()).where(drawn.least());
    }

    /** @param indexed indexed granularities of the datasets that it rolls up: it can answer no more than they can */
    private ModelDataset rollup(String name, int labelSize, @Nullable Instant since, List<String> indexed) {
        List<String> granularities = drawn.subset(indexed, random.nextInt(1, indexed.size() + 1));
        List<String> index = drawn.subset(granularities, random.nextInt(1, granularities.size() + 1));
        Map<String, List<ModelEvent>> events = new LinkedHashMap<>();
        base.events().forEach((tenant, all) -> events.put(tenant,
                all.stream().filter(event -> since == null || !event.time().isBefore(since))
                        .map(event -> new ModelEvent(event.label().subList(0, labelSize), 0, event.time(), event.attributes()))
                        .toList()));
        return new ModelDataset(name, base.eventType(), base.label().subList(0, labelSize), labelSize, granularities, index, 1,
                base.measures(), new TreeMap<>(Map.of(Instant.EPOCH, 2)), "hash", events, List.of(), since, base.least(),
                ModelRetention.FOREVER);
    }
}
