package dev.windrow.scatter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Seeds;

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
    void theWidthIsThatOfTheEpochTheBucketStartsIn() {
        assertThat(GROWING.widthAt(Instant.EPOCH)).as("the first epoch covers all earlier starts").isEqualTo(1);
        assertThat(GROWING.widthAt(YEAR_2027.minusSeconds(1))).isEqualTo(1);
        assertThat(GROWING.widthAt(YEAR_2027)).isEqualTo(10);
        assertThat(GROWING.widthAt(YEAR_2028.plusSeconds(1))).isEqualTo(1_000);
    }

    @Test
    void rangesAreCutAtEpochs() {
        Instant before = YEAR_2026.minusSeconds(60);
        Instant after = YEAR_2028.plusSeconds(60);

        assertThat(GROWING.epochsIn(before, after)).containsExactly(new EpochRange(before, YEAR_2027, 1),
                new EpochRange(YEAR_2027, YEAR_2028, 10), new EpochRange(YEAR_2028, after, 1_000));
        assertThat(GROWING.epochsIn(YEAR_2027, YEAR_2028)).containsExactly(new EpochRange(YEAR_2027, YEAR_2028, 10));
        assertThat(GROWING.epochsIn(YEAR_2028, YEAR_2028)).isEmpty();
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
