package dev.windrow.gather.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.About;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.EventTimeBounds;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.gather.label.LabelPartition;
import dev.windrow.gather.label.LabelPrefix;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.scatter.Scatter;
import dev.windrow.table.AwsLimits;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.Utf8Order;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;

/** Every wanted item is in exactly one of the planned reads, and no other item is in any, by DynamoDB's order of keys. */
class PartitionRangesTest {

    private static final int CASES = GeneratedCases.count("windrow.partition.cases", 2_000, 20_000);
    private static final List<Measure> MEASURES = List.of(new Measure("events", MeasureKind.COUNT, null));
    private static final About NOTHING = new About(null, null, null);
    private static final Instant FIRST = Instant.parse("2026-11-01T00:00:00Z");

    /** Values that are easily mistaken for a bound. */
    private static final List<String> VALUES = List.of("", "#", "$", "$S", "%", "a", "a#", "a#b", "ab", "b", "\ud7ff", "\ue000",
            "\uffff", "\udbff\udfff", "\udbff\udfffx", "a\udbff\udfff", "a\ud7ff", "~");

    private record Item(List<String> label, Instant start) {

        BucketKey key(Dataset dataset) {
            return new BucketKey(new SeriesKey("t", dataset.name(), new Label(label), dataset.partition(), 0),
                    Granularity.HOUR, start);
        }

        String place() {
            List<String> parts = new ArrayList<>(List.of(start.toString()));
            parts.addAll(label);
            return KeyCodec.encode(parts);
        }
    }

    @Test
    void everyWantedItemIsReadOnceAndNoOther() {
        RandomGenerator random = Seeds.random("everyWantedItemIsReadOnceAndNoOther");
        for (int i = 0; i < CASES; i++) {
            int attributes = random.nextInt(1, 4);
            Dataset dataset = dataset(attributes, random.nextInt(1, attributes + 1), random.nextInt(1, 3));
            Set<Item> items = new LinkedHashSet<>();
            IntStream.range(0, 30).forEach(n -> items.add(new Item(label(attributes, random),
                    FIRST.plusSeconds(3_600L * random.nextInt(20)))));
            Instant from = FIRST.plusSeconds(3_600L * random.nextInt(20));
            boolean few = random.nextBoolean();
            TimeRange range = new TimeRange(from, few ? from.plusSeconds(3_600L * random.nextInt(1, 4)) : TimeRange.END);
            check(dataset, List.copyOf(items), selection(dataset, random), range, random);
        }
    }

    private static void check(Dataset dataset, List<Item> items, List<LabelPrefix> selected, TimeRange range,
            RandomGenerator random) {
        boolean descending = random.nextBoolean();
        List<Item> inside = items.stream().filter(item -> isIn(range, item)).toList();
        Optional<Item> last = inside.isEmpty() || random.nextBoolean()
                ? Optional.empty()
                : Optional.of(inside.get(random.nextInt(inside.size())));
        List<LabelPartition> partitions = LabelPartition.of(dataset, selected);

        QueryPlan.Stage stage = planner(dataset, partitions).plan(Granularity.HOUR, range, descending,
                last.map(item -> new Cursor(item.place(), range))).stages().get(0);

        for (Item item : items) {
            boolean wanted = isIn(range, item) && selected.stream().anyMatch(prefix -> matches(prefix, item.label))
                    && last.map(end -> isBeyond(end.place(), item.place(), descending)).orElse(true);
            long reads = stage.shards().stream().filter(read -> reads(read, item.key(dataset))).count();
            assertThat(reads).as("%s of %s in %s after %s, descending %s: %s", item, selected, range, last, descending, stage)
                    .isEqualTo(wanted ? 1 : 0);
        }
        assertThat(stage.shards()).allSatisfy(read -> assertThat(List.of(read.fromKey(), read.toKey()))
                .allSatisfy(bound -> assertThat(bound.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(AwsLimits.SORT_KEY_BYTES)));
        assertThat(stage.shards().size()).isLessThanOrEqualTo(
                Math.max(PartitionRanges.MAX_RANGES, partitions.size() * dataset.keyShards()));
    }

    @Test
    void boundsOfTheLongestKeysAreNoLongerThanKeysMayBe() {
        RandomGenerator random = Seeds.random("boundsOfTheLongestKeysAreNoLongerThanKeysMayBe");
        Dataset dataset = dataset(2, 1, 2);
        // given "hour#", 20 bytes of start, "#", and a value that fills the key; the character after its last takes more bytes
        String longest = "x".repeat(AwsLimits.SORT_KEY_BYTES - 5 - 20 - 1 - 1) + "\u007f";
        List<Item> items = IntStream.range(0, 3).boxed()
                .flatMap(hour -> Stream.of("x", longest, "y")
                        .map(url -> new Item(List.of("r", url), FIRST.plusSeconds(3_600L * hour))))
                .toList();
        for (int i = 0; i < 100; i++) {
            check(dataset, items, List.of(new LabelPrefix(List.of("r"), Optional.of(longest))),
                    new TimeRange(FIRST, FIRST.plusSeconds(2 * 3_600)), random);
            check(dataset, items, List.of(new LabelPrefix(List.of("r"), Optional.empty())), TimeRange.ALL, random);
        }
    }

    @Test
    void aFewBucketsOfOneLabelAreReadOneByOneAndManyAsARange() {
        Dataset dataset = dataset(2, 1, 1);
        List<LabelPartition> label = LabelPartition.of(dataset, List.of(new LabelPrefix(List.of("r", "/a"), Optional.empty())));
        Planner planner = planner(dataset, label);

        QueryPlan.Stage few = planner.plan(Granularity.HOUR, new TimeRange(FIRST, FIRST.plusSeconds(2 * 3_600)), false,
                Optional.empty()).stages().get(0);
        QueryPlan.Stage many = planner.plan(Granularity.HOUR, TimeRange.ALL, false, Optional.empty()).stages().get(0);

        assertThat(few.shards()).extracting(ShardQuery::fromKey).containsExactly("hour#2026-11-01T00:00:00Z#/a",
                "hour#2026-11-01T01:00:00Z#/a");
        assertThat(few.shards()).allSatisfy(read -> {
            assertThat(read.toKey()).isEqualTo(read.fromKey());
            assertThat(read.partitionKey()).isEqualTo("t#views#r#0");
            assertThat(read.consistent()).isTrue();
        });
        assertThat(many.shards()).singleElement().satisfies(
                read -> assertThat(read.items().labelPrefixes()).containsExactly("r#/a#"));
    }

    /** Reads like DynamoDB and the decoder. */
    private static boolean reads(ShardQuery read, BucketKey key) {
        return read.partitionKey().equals(key.series().partitionKey())
                && Utf8Order.ASCENDING.compare(read.fromKey(), key.sortKey()) <= 0
                && Utf8Order.ASCENDING.compare(key.sortKey(), read.toKey()) <= 0
                && read.items().isWanted(key.indexSortKey(),
                        key.indexSortKey().substring(0, key.indexSortKey().lastIndexOf(KeyCodec.SEPARATOR)));
    }

    private static boolean isIn(TimeRange range, Item item) {
        return !item.start.isBefore(range.from()) && item.start.isBefore(range.to());
    }

    private static boolean isBeyond(String end, String place, boolean descending) {
        int order = Utf8Order.ASCENDING.compare(place, end);
        return descending ? order < 0 : order > 0;
    }

    private static boolean matches(LabelPrefix prefix, List<String> label) {
        int values = prefix.values().size();
        return label.subList(0, values).equals(prefix.values())
                && prefix.next().map(next -> label.get(values).startsWith(next)).orElse(true);
    }

    /** One label prefix of any form, or several labels by their first values. */
    private static List<LabelPrefix> selection(Dataset dataset, RandomGenerator random) {
        int attributes = dataset.label().size();
        int partition = dataset.partition();
        if (partition < attributes && random.nextBoolean()) {
            List<String> label = label(attributes, random);
            return List.of(new LabelPrefix(label.subList(0, random.nextInt(partition, attributes)),
                    Optional.of(VALUES.get(random.nextInt(VALUES.size())))));
        }
        return IntStream.range(0, random.nextInt(1, 5)).mapToObj(n -> new LabelPrefix(
                label(attributes, random).subList(0, random.nextInt(partition, attributes + 1)), Optional.empty())).toList();
    }

    private static List<String> label(int attributes, RandomGenerator random) {
        return IntStream.range(0, attributes).mapToObj(part -> VALUES.get(random.nextInt(part == 0 ? 4 : VALUES.size())))
                .toList();
    }

    private static Dataset dataset(int attributes, int partition, int keyShards) {
        return new Dataset("views", "view", IntStream.range(0, attributes).mapToObj(part -> "part" + part).toList(), partition,
                List.of(Granularity.HOUR), List.of(), keyShards, MEASURES, Dataset.columns(MEASURES),
                Scatter.hash(1), Dedupe.MESSAGE, EventTimeBounds.ANY, null, List.of(), NOTHING, new TreeMap<>(),
                Retention.FOREVER);
    }

    private static Planner planner(Dataset dataset, List<LabelPartition> partitions) {
        return new Planner(new DatasetScope("t", dataset),
                new LabelSelection(List.of(), partitions, List.of(), List.of(), List.of()),
                new QueryOptions(Duration.ofSeconds(1), true, true, false));
    }
}
