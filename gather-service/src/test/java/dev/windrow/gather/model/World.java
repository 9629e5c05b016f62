package dev.windrow.gather.model;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The datasets and data of a run of these tests, all derived from the seed. */
public final class World {

    /** Set by {@code -Dwindrow.seed}; printed, so that a run can be repeated. */
    public static final long SEED = seed();

    /** The dataset whose leaderboards are declared when it already has data: half of its items were written after that. */
    static final String LATE = "late";

    public static final List<ModelDataset> DATASETS = Stream.of(new GeneratedDatasets(random(0)).draw(),
            new RankedDatasets(random(3)).draw(), new RolledUpDatasets(random(4)).draw()).flatMap(List::stream).toList();

    /** Datasets with different retention, in a table of their own. */
    public static final List<ModelDataset> FORGETFUL = new ForgetfulDatasets(random(5)).draw();

    private World() {
    }

    /** Returns a separate generator for each purpose, so that a case can be repeated without the cases before it. */
    public static RandomGenerator random(long purpose) {
        return RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(SEED * 1_000_003 + purpose);
    }

    static ModelDataset dataset(String name) {
        return DATASETS.stream().filter(dataset -> dataset.name().equals(name)).findFirst().orElseThrow();
    }

    static boolean hasRollups(ModelDataset dataset) {
        return DATASETS.stream().anyMatch(other -> other.eventType().equals(dataset.eventType())
                && other.label().size() < dataset.label().size());
    }

    static String yaml(List<ModelDataset> datasets) {
        return "windrow:\n  datasets:\n" + datasets.stream().map(ModelDataset::yaml).collect(Collectors.joining());
    }

    /** Test classes and their servers may be loaded by different class loaders, so a system property keeps the drawn seed. */
    private static synchronized long seed() {
        Map<Object, Object> properties = System.getProperties();
        Object seed = properties.computeIfAbsent("generated.world.seed",
                absent -> System.getProperty("windrow.seed", Long.toString(System.nanoTime())));
        System.out.println("gatherer against its model: -Dwindrow.seed=" + seed);
        return Long.parseLong(String.valueOf(seed));
    }
}
