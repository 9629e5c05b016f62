package dev.windrow.gather.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Draws datasets with retention, so that a clock that runs past their events runs past all horizons. */
final class ForgetfulDatasets {

    private static final Map<String, Duration> LEAST = Map.of("week", Duration.ofDays(7), "month", Duration.ofDays(31), "year",
            Duration.ofDays(366));
    private static final long MAX_MORE_SECONDS = 12 * 86_400;

    private final RandomGenerator random;

    ForgetfulDatasets(RandomGenerator random) {
        this.random = random;
    }

    List<ModelDataset> draw() {
        GeneratedDatasets generated = new GeneratedDatasets(random);
        List<ModelDataset> all = new ArrayList<>(List.of(generated.drawn("narrow", 1, Map.of(0, 1), "hash", 400),
                generated.drawn("ten", 2, Map.of(0, 10), "hash", 400),
                generated.drawn("changing", 2, Map.of(0, 1, 1, 10, 2, 3), "hash", 400),
                generated.drawn("nested", 3, Map.of(0, 3), "hash", 400)));
        new RankedDatasets(random).draw().stream().filter(dataset -> !dataset.name().equals(World.LATE)).forEach(all::add);
        all.replaceAll(dataset -> dataset.keeping(new ModelRetention(drawn(dataset.granularities()))));
        Map<String, Duration> limits = new HashMap<>();
        for (ModelDataset dataset : new RolledUpDatasets(random).draw()) {
            // A roll-up keeps no bucket longer than what it rolls up, so that it cannot answer more.
            Map<String, Duration> kept = limits.isEmpty() ? drawn(dataset.granularities())
                    : shorter(dataset.granularities(), limits);
            limits.putAll(kept);
            all.add(dataset.keeping(new ModelRetention(kept)));
        }
        return List.copyOf(all);
    }

    private Map<String, Duration> drawn(List<String> granularities) {
        Map<String, Duration> kept = new HashMap<>();
        Duration before = Duration.ofDays(2);
        for (String granularity : granularities) {
            if (granularity.equals("forever") || random.nextInt(5) == 0) {
                break;
            }
            before = longer(before, LEAST.getOrDefault(granularity, before)).plusSeconds(more());
            kept.put(granularity, before);
        }
        return kept;
    }

    private Map<String, Duration> shorter(List<String> granularities, Map<String, Duration> limits) {
        Map<String, Duration> kept = new HashMap<>();
        Duration before = Duration.ofDays(2);
        for (String granularity : granularities) {
            Duration most = limits.get(granularity);
            if (granularity.equals("forever") || (most == null && random.nextBoolean())) {
                break;
            }
            Duration least = longer(before, LEAST.getOrDefault(granularity, before));
            Duration span = most == null ? least.plusSeconds(more())
                    : random.nextBoolean() ? most : least.plusSeconds(random.nextLong(1 + most.minus(least).toSeconds()));
            kept.put(granularity, span);
            before = span;
        }
        return kept;
    }

    private long more() {
        return random.nextInt(3) == 0 ? 0 : random.nextLong(MAX_MORE_SECONDS);
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }
}
