package dev.windrow.scatter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;

class ScatterTest {

    private static final Instant YEAR_2026 = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant YEAR_2027 = Instant.parse("2027-01-01T00:00:00Z");
    private static final Instant YEAR_2028 = Instant.parse("2028-01-01T00:00:00Z");
    private static final Scatter GROWING = new Scatter(ScatterStrategy.HASH,
            List.of(new WidthEpoch(YEAR_2026, 1), new WidthEpoch(YEAR_2027, 10), new WidthEpoch(YEAR_2028, 1_000)));

    @Test
    void goldenHashesStayAsTheyAre() {
        // MurmurHash3 x64 128 with seed 0, first half, as published with the algorithm's reference tests.
        assertThat(Murmur3.hash64("")).isZero();
        assertThat(Murmur3.hash64("hello")).isEqualTo(0xcbd8a7b341bd9b02L);
        assertThat(Murmur3.hash64("The quick brown fox jumps over the lazy dog")).isEqualTo(0xe34bbc7bbc071b6cL);
        assertThat(Murmur3.bounded("2026-11-20T10:31:00Z#https://example.org/#0", 100)).isEqualTo(97);
    }

    @Test
    void theWidthIsThatOfTheEpoch() {
        assertThat(GROWING.widthAt(Instant.EPOCH)).as("the first epoch covers all earlier times").isEqualTo(1);
        assertThat(GROWING.widthAt(YEAR_2027.minusSeconds(1))).isEqualTo(1);
        assertThat(GROWING.widthAt(YEAR_2027)).isEqualTo(10);
        assertThat(GROWING.widthAt(YEAR_2028.plusSeconds(1))).isEqualTo(1_000);
    }

    @Test
    void rangesAreCutAtEpochs() {
        Instant before = YEAR_2026.minusSeconds(60);
        Instant after = YEAR_2028.plusSeconds(60);

        assertThat(GROWING.rangesIn(before, after, Granularity.MINUTE)).containsExactly(
                new WidthRange(before, YEAR_2027, 1), new WidthRange(YEAR_2027, YEAR_2028, 10),
                new WidthRange(YEAR_2028, after, 1_000));
        assertThat(GROWING.rangesIn(YEAR_2027, YEAR_2028, Granularity.YEAR))
                .containsExactly(new WidthRange(YEAR_2027, YEAR_2028, 10));
        assertThat(GROWING.rangesIn(YEAR_2028, YEAR_2028, Granularity.DAY)).isEmpty();
    }

    @Test
    void aBucketThatIsOpenWhenAnEpochStartsHasTheShardsOfBoth() {
        Instant may = Instant.parse("2027-05-01T00:00:00Z");
        Instant june = Instant.parse("2027-06-01T00:00:00Z");
        Scatter narrowed = new Scatter(ScatterStrategy.HASH, List.of(new WidthEpoch(YEAR_2026, 10),
                new WidthEpoch(Instant.parse("2027-05-10T12:00:00Z"), 4),
                new WidthEpoch(Instant.parse("2027-05-20T12:00:00Z"), 2)));

        assertThat(GROWING.rangesIn(Instant.EPOCH, Instant.EPOCH.plusSeconds(1), Granularity.FOREVER))
                .containsExactly(new WidthRange(Instant.EPOCH, Instant.EPOCH.plusSeconds(1), 1_000));
        assertThat(narrowed.rangesIn(YEAR_2027, YEAR_2028, Granularity.MONTH)).containsExactly(
                new WidthRange(YEAR_2027, june, 10), new WidthRange(june, YEAR_2028, 2));
        assertThat(narrowed.rangesIn(may, june, Granularity.DAY)).containsExactly(
                new WidthRange(may, Instant.parse("2027-05-11T00:00:00Z"), 10),
                new WidthRange(Instant.parse("2027-05-11T00:00:00Z"), Instant.parse("2027-05-21T00:00:00Z"), 4),
                new WidthRange(Instant.parse("2027-05-21T00:00:00Z"), june, 2));
    }

    @Test
    void everyItemIsInAShardThatItsRangeCovers() {
        RandomGenerator random = Seeds.random("everyItemIsInAShardThatItsRangeCovers");
        List<Granularity> granularities = List.of(Granularity.MINUTE, Granularity.DAY, Granularity.WEEK, Granularity.MONTH,
                Granularity.YEAR, Granularity.FOREVER);
        for (int i = 0; i < 2_000; i++) {
            Granularity granularity = granularities.get(random.nextInt(granularities.size()));
            Scatter scatter = new Scatter(ScatterStrategy.HASH, Stream.generate(() -> time(random)).distinct()
                    .limit(random.nextInt(1, 6)).sorted().map(from -> new WidthEpoch(from, random.nextInt(1, 50))).toList());
            Instant eventTime = time(random);
            Instant start = granularity.floor(eventTime);
            int shard = scatter.shardOf(eventTime, start + "#label#0", random);

            List<WidthRange> ranges = scatter.rangesIn(granularity.floor(earlier(eventTime, random)), start.plusSeconds(1),
                    granularity);

            assertThat(ranges.get(ranges.size() - 1)).as("%s of %s in %s", granularity, eventTime, scatter)
                    .satisfies(range -> assertThat(start).isBetween(range.from(), range.to()))
                    .satisfies(range -> assertThat(shard).isLessThan(range.width()));
            for (int n = 1; n < ranges.size(); n++) {
                assertThat(ranges.get(n).from()).as("no gap").isEqualTo(ranges.get(n - 1).to());
            }
        }
    }

    private static Instant time(RandomGenerator random) {
        return YEAR_2026.plusSeconds(random.nextLong(2 * 365 * 86_400L));
    }

    private static Instant earlier(Instant time, RandomGenerator random) {
        return time.minusSeconds(random.nextLong(400 * 86_400L));
    }

    @Test
    void hashedShardsNeedNoRandomnessAndSpreadEvenly() {
        RandomGenerator random = Seeds.random("hashedShardsNeedNoRandomnessAndSpreadEvenly");
        int[] items = new int[10];
        for (int i = 0; i < 100_000; i++) {
            String key = "2027-06-01T00:00:00Z#label-" + random.nextLong() + "#0";
            int shard = GROWING.shardOf(YEAR_2027, key, random);
            assertThat(GROWING.shardOf(YEAR_2027, key, random)).isEqualTo(shard);
            items[shard]++;
        }
        // A shard's count is binomial with a standard deviation of 95: ten of them is no chance.
        assertThat(items).satisfies(counts -> {
            for (int count : counts) {
                assertThat(count).isCloseTo(10_000, within(950));
            }
        });
    }

    @Test
    void randomShardsCoverTheWidth() {
        Scatter random = new Scatter(ScatterStrategy.RANDOM, List.of(new WidthEpoch(Instant.EPOCH, 3)));
        RandomGenerator generator = Seeds.random("randomShardsCoverTheWidth");

        assertThat(generator.ints(200).map(i -> random.shardOf(YEAR_2026, "key", generator)).distinct().sorted())
                .containsExactly(0, 1, 2);
    }

    @Test
    void epochsMustAscend() {
        assertThatThrownBy(
                () -> new Scatter(ScatterStrategy.HASH, List.of(new WidthEpoch(YEAR_2027, 1), new WidthEpoch(YEAR_2026, 2))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Scatter(ScatterStrategy.HASH, List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WidthEpoch(YEAR_2026, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WidthEpoch(YEAR_2026, 1_001)).isInstanceOf(IllegalArgumentException.class);
    }
}
