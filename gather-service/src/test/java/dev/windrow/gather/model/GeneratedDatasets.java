package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws datasets and their events: each covers a difficult case and is otherwise random. */
public final class GeneratedDatasets {

    /** Around the end of summer time in Europe and America: gaps in winter are filled from here. */
    private static final Instant AUTUMN = Instant.parse("2024-10-20T00:00:00Z");
    private static final Instant WINTER = Instant.parse("2024-11-06T00:00:00Z");

    /** Around the changes of the clocks in Europe and America. */
    public static final Instant FROM = Instant.parse("2025-03-05T00:00:00Z");
    static final Instant TO = Instant.parse("2025-04-02T00:00:00Z");

    /** Times at which days begin twice in St. John's and Moncton. */
    private static final List<Instant> TWICE = List.of(Instant.parse("2010-11-07T02:30:00Z"),
            Instant.parse("2005-10-30T03:00:00Z"));

    public static final List<String> TENANTS = List.of("default", "other-tenant");

    private static final List<String> ALL_GRANULARITIES = List.of("second", "minute", "5-minutes", "30-minutes", "hour",
            "120-minutes", "day", "week", "month", "year", "forever");

    static final List<ModelMeasure> ALL_MEASURES = List.of(new ModelMeasure("events", "count", null),
            new ModelMeasure("total", "sum", "a"), new ModelMeasure("least", "min", "a"),
            new ModelMeasure("most", "max", "b"), new ModelMeasure("opening", "first", "a"),
            new ModelMeasure("closing", "last", "b"), new ModelMeasure("stock", "sum", "b", true),
            new ModelMeasure("visitors", "count", null, true), new ModelMeasure("with_a", "count", "a"),
            new ModelMeasure("errors", "count", null).where("500"), new ModelMeasure("large", "sum", "a").where("-2.5"),
            new ModelMeasure("largest", "max", "a").where("1"));

    /** Values that are easily mistaken for something else, or sorted wrongly. */
    static final List<String> HOSTILE = List.of("", " ", "#", "a", "a#b", "a_b", "b_c", "c", "$", "$S", "-", "0",
            "10", "2", "a,b", "say \"hi\"", "line\r\nbreak", "\u0001", "é", "z", "\uE000", "\uFFFD", "\uD83D\uDE00",
            "https://example.org/?q=1&x=%20+ü", "2025-03-20T00:00:00Z", "~", "default");

    /** Datasets with only the first values of a label in the partition key. */
    private static final Set<String> NESTED = Set.of("changing", "nested");

    private final RandomGenerator random;

    GeneratedDatasets(RandomGenerator random) {
        this.random = random;
    }

    List<ModelDataset> draw() {
        return List.of(
                drawn("narrow", 1, Map.of(0, 1), "hash", 400),
                drawn("ten", 2, Map.of(0, 10), "hash", 400),
                drawn("hundred", 1, Map.of(0, 100), "hash", 300),
                drawn("changing", 2, Map.of(0, 1, 1, 10, 2, 3), "hash", 400),
                drawn("grown", 3, Map.of(0, 2, 1, 100), "hash", 200),
                drawn("nested", 3, Map.of(0, 3), "hash", 400),
                drawn("thousand", 1, Map.of(0, 5, 1, 1_000), "hash", 100),
                drawn("strewn", 1, Map.of(0, 7, 1, 20), "random", 300),
                edges(),
                heavy());
    }

    /**
     * A dataset of a given form that is otherwise random.
     *
     * @param widthsInOrder the widths of its epochs
     */
    ModelDataset drawn(String name, int labelSize, Map<Integer, Integer> widthsInOrder, String strategy, int events) {
        List<String> granularities = subset(ALL_GRANULARITIES, 3 + random.nextInt(4));
        List<String> index = subset(granularities, 1 + random.nextInt(granularities.size()));
        List<String> label = IntStream.range(0, labelSize).mapToObj(i -> "part" + i).toList();
        SortedMap<Instant, Integer> widths = new TreeMap<>();
        widths.put(Instant.EPOCH, widthsInOrder.getOrDefault(0, 1));
        for (int i = 1; i < widthsInOrder.size(); i++) {
            widths.put(between(FROM, TO), widthsInOrder.getOrDefault(i, 1));
        }
        int partition = NESTED.contains(name) ? random.nextInt(1, labelSize) : labelSize;
        int keyShards = random.nextBoolean() ? 1 : 2 + random.nextInt(4);
        Map<String, List<ModelEvent>> byTenant = new LinkedHashMap<>();
        for (String tenant : TENANTS) {
            List<List<String>> labels = labels(labelSize, NESTED.contains(name) ? 3 : HOSTILE.size());
            byTenant.put(tenant, events(labels, keyShards, tenant.equals("default") ? events : events / 10));
        }
        return new ModelDataset(name, label, partition, granularities, index, keyShards,
                withRatios(subset(ALL_MEASURES, 1 + random.nextInt(ALL_MEASURES.size()))), widths, strategy, byTenant)
                .where(random.nextInt(4) == 0 ? BigDecimal.valueOf(random.nextInt(-100, 500)) : null);
    }

    List<ModelMeasure> withRatios(List<ModelMeasure> stored) {
        List<ModelMeasure> possible = stored.stream()
                .filter(measure -> !measure.kind().equals("first") && !measure.kind().equals("last")).toList();
        List<ModelMeasure> all = new ArrayList<>(stored);
        for (int i = 0; !possible.isEmpty() && i < random.nextInt(3); i++) {
            all.add(random.nextInt(all.size() + 1), ModelMeasure.ratio("ratio_" + i,
                    possible.get(random.nextInt(possible.size())), possible.get(random.nextInt(possible.size()))));
        }
        return List.copyOf(all);
    }

    /** The ends of time: the first week begins before the earliest event, and the last buckets end after the latest. */
    private ModelDataset edges() {
        List<List<String>> labels = labels(1, HOSTILE.size());
        List<ModelEvent> events = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            long far = random.nextLong(random.nextBoolean() ? 8 * 86_400L : 500 * 86_400L);
            Instant time = random.nextInt(3) > 0 ? Instant.EPOCH.plusSeconds(far) : ModelCalendar.END.minusSeconds(1 + far);
            events.add(new ModelEvent(labels.get(random.nextInt(labels.size())), 0, time, attributes()));
        }
        List<String> granularities = new ArrayList<>(ALL_GRANULARITIES);
        granularities.removeIf(granularity -> !granularity.equals("week") && random.nextInt(3) == 0);
        return new ModelDataset("edges", List.of("part0"), 1, granularities, granularities, 1, withRatios(ALL_MEASURES),
                new TreeMap<>(Map.of(Instant.EPOCH, 3)), "hash", Map.of("default", events));
    }

    /** Thousands of labels in one minute of one shard, more than DynamoDB's page of 1 MB. */
    private ModelDataset heavy() {
        List<ModelEvent> events = new ArrayList<>();
        for (int i = 0; i < 2_400; i++) {
            Instant time = FROM.plusSeconds(i < 2_000 ? 30 : 60L * (i % 50));
            events.add(new ModelEvent(List.of(i + "x".repeat(700)), 0, time, attributes()));
        }
        return new ModelDataset("heavy", List.of("part0"), 1, List.of("minute"), List.of("minute"), 1, withRatios(ALL_MEASURES),
                new TreeMap<>(Map.of(Instant.EPOCH, 1)), "hash", Map.of("default", events));
    }

    /** @param firsts maximum number of different values of the first attribute */
    private List<List<String>> labels(int size, int firsts) {
        List<String> first = Stream.generate(() -> HOSTILE.get(random.nextInt(HOSTILE.size()))).limit(firsts).toList();
        List<List<String>> labels = new ArrayList<>();
        int count = 3 + random.nextInt(10);
        for (int i = 0; i < count; i++) {
            labels.add(IntStream.range(0, size).mapToObj(part -> part == 0 ? first : HOSTILE)
                    .map(values -> values.get(random.nextInt(values.size()))).toList());
        }
        return labels;
    }

    private List<ModelEvent> events(List<List<String>> labels, int keyShards, int count) {
        List<Instant> moments = new ArrayList<>();
        for (int i = 0; i < Math.max(2, count / 8); i++) {
            moments.add(switch (random.nextInt(10)) {
                case 0 -> between(Instant.parse("2022-06-01T00:00:00Z"), Instant.parse("2026-06-01T00:00:00Z"));
                case 1 -> between(AUTUMN, WINTER);
                case 2, 3 -> TWICE.get(random.nextInt(TWICE.size())).plusSeconds(random.nextLong(-1_800, 5_400));
                default -> between(FROM, TO);
            });
        }
        List<ModelEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Instant time = moments.get(random.nextInt(moments.size()))
                    .plusNanos(random.nextInt(4) * 400_000_000L * random.nextInt(1, 200));
            events.add(new ModelEvent(labels.get(random.nextInt(labels.size())), random.nextInt(keyShards), time,
                    attributes()));
        }
        return events;
    }

    private Map<String, BigDecimal> attributes() {
        Map<String, BigDecimal> attributes = new HashMap<>();
        for (String attribute : List.of("a", "b")) {
            if (random.nextInt(8) > 0) {
                attributes.put(attribute, random.nextInt(6) == 0
                        ? new BigDecimal("12345678901234567890123456.789").multiply(BigDecimal.valueOf(random.nextInt(-9, 9)))
                        : BigDecimal.valueOf(random.nextInt(-500, 2_000), random.nextInt(3)));
            }
        }
        if (random.nextInt(6) == 0) {
            attributes.put(ModelMeasure.WEIGHT, BigDecimal.ONE.negate());
        }
        return attributes;
    }

    Instant between(Instant from, Instant to) {
        return Instant.ofEpochSecond(random.nextLong(from.getEpochSecond(), to.getEpochSecond()));
    }

    /** A random subset, in the original order. */
    <T> List<T> subset(List<T> all, int size) {
        List<T> left = new ArrayList<>(all);
        while (left.size() > size) {
            left.remove(random.nextInt(left.size()));
        }
        return List.copyOf(left);
    }
}
