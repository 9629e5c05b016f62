package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Draws datasets with leaderboards: many labels in few buckets and few different numbers, so that many are equal. The width of
 * their scatter changes between events, in the middle of buckets.
 */
final class RankedDatasets {

    private static final Instant FROM = Instant.parse("2025-03-29T00:00:00Z");
    private static final Instant TO = FROM.plus(Duration.ofDays(4));

    private final RandomGenerator random;
    private final GeneratedDatasets subsets;

    RankedDatasets(RandomGenerator random) {
        this.random = random;
        this.subsets = new GeneratedDatasets(random);
    }

    List<ModelDataset> draw() {
        return List.of(drawn("ranked", 2, 2), drawn("board", 1, 1), drawn(World.LATE, 3, random.nextInt(1, 4)));
    }

    private ModelDataset drawn(String name, int labelSize, int partition) {
        List<String> granularities = new ArrayList<>(List.of("5-minutes", "hour", "day", "week", "month", "forever"));
        granularities.removeIf(granularity -> isOptional(granularity) && random.nextBoolean());
        List<String> index = new ArrayList<>(granularities);
        index.removeIf(granularity -> isOptional(granularity) && random.nextInt(4) == 0);
        List<ModelMeasure> measures = subsets.subset(GeneratedDatasets.ALL_MEASURES, random.nextInt(3, 9));
        List<ModelRank> ranks = new ArrayList<>();
        for (ModelMeasure measure : subsets.subset(measures, random.nextInt(1, measures.size() + 1))) {
            // All of them if a test reads a bucket of the granularity forever
            List<String> ranked = labelSize == 1 ? index : subsets.subset(index, random.nextInt(1, index.size() + 1));
            ranks.add(new ModelRank(measure.name(), random.nextInt(labelSize), random.nextInt(1, 5), List.copyOf(ranked)));
        }
        TreeMap<Instant, Integer> widths = new TreeMap<>(Map.of(Instant.EPOCH, 2, subsets.between(FROM, TO), 10));
        widths.putIfAbsent(subsets.between(FROM, TO), 3);
        List<List<String>> labels = labels(labelSize);
        return new ModelDataset(name, name, IntStream.range(0, labelSize).mapToObj(i -> "part" + i).toList(), partition,
                List.copyOf(granularities), List.copyOf(index), 1, subsets.withRatios(measures), widths, "hash",
                Map.of("default", events(labels, 450), "other-tenant", events(labels, 40)), ranks, null, null,
                ModelRetention.FOREVER);
    }

    private static boolean isOptional(String granularity) {
        return !granularity.equals("day") && !granularity.equals("forever");
    }

    /** Up to two first values, and many others. */
    private List<List<String>> labels(int size) {
        List<String> firsts = List.of("a#b", GeneratedDatasets.HOSTILE.get(random.nextInt(GeneratedDatasets.HOSTILE.size())));
        List<List<String>> labels = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            List<String> label = new ArrayList<>();
            for (int part = 0; part < size - 1; part++) {
                label.add(firsts.get(random.nextInt(firsts.size())));
            }
            label.add(random.nextInt(4) == 0
                    ? GeneratedDatasets.HOSTILE.get(random.nextInt(GeneratedDatasets.HOSTILE.size()))
                    : "user" + i);
            labels.add(List.copyOf(label));
        }
        return labels;
    }

    private List<ModelEvent> events(List<List<String>> labels, int count) {
        List<ModelEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(new ModelEvent(labels.get(random.nextInt(labels.size())), 0, subsets.between(FROM, TO), attributes()));
        }
        return events;
    }

    private Map<String, BigDecimal> attributes() {
        Map<String, BigDecimal> attributes = new HashMap<>();
        for (String attribute : List.of("a", "b")) {
            if (random.nextInt(8) > 0) {
                attributes.put(attribute, BigDecimal.valueOf(random.nextInt(-3, 4), random.nextInt(2)));
            }
        }
        if (random.nextInt(5) == 0) {
            attributes.put(ModelMeasure.WEIGHT, BigDecimal.ONE.negate());
        }
        return attributes;
    }
}
