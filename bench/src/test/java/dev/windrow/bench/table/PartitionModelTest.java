package dev.windrow.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.testing.Seeds;

class PartitionModelTest {

    private static final CapacityLimits STRICT = new CapacityLimits(CapacityLimits.PARTITION_WRITE_UNITS, Duration.ZERO);
    private static final Resource TABLE = new Resource(false, "a");
    private static final Resource INDEX = new Resource(true, "x");

    private final AtomicLong time = new AtomicLong();

    @Test
    void oneKeyTakesAThousandWritesASecondHoweverManyAreOffered() {
        // Given
        PartitionModel model = new PartitionModel(STRICT, time::get);
        int admitted = 0;
        // When: 5,000 writes a second for ten seconds, after a first second that used what was saved
        for (int i = 0; i < 55_000; i++) {
            time.addAndGet(200_000);
            boolean taken = model.write(Map.of(TABLE, 1.0)).throttledBy() == null;
            admitted += taken && i >= 5_000 ? 1 : 0;
        }
        // Then
        assertThat(admitted).isBetween(9_990, 10_010);
    }

    @Test
    void anIndexOutOfCapacityThrottlesItsTableAndTakesNothingFromIt() {
        // Given: an index partition that is used up
        PartitionModel model = new PartitionModel(STRICT, time::get);
        model.write(Map.of(INDEX, 1_000.0));
        // When
        PartitionModel.Admission refused = model.write(Map.of(TABLE, 600.0, INDEX, 1.0));
        // Then: the table kept its units
        assertThat(refused.throttledBy()).isEqualTo(INDEX);
        assertThat(model.write(Map.of(TABLE, 1_000.0)).throttledBy()).isNull();
    }

    @Test
    void anIndexWithAQueueLagsBeforeItThrottles() {
        // Given: half a second of queue
        PartitionModel model = new PartitionModel(
                new CapacityLimits(CapacityLimits.PARTITION_WRITE_UNITS, Duration.ofMillis(500)), time::get);
        // When, Then: the first thousand writes wait for nothing, the next five hundred up to half a second
        assertThat(lag(model, 1_000)).isEqualTo(Duration.ZERO);
        assertThat(lag(model, 250)).isEqualTo(Duration.ofMillis(250));
        assertThat(lag(model, 250)).isEqualTo(Duration.ofMillis(500));
        assertThat(model.write(Map.of(INDEX, 1.0)).throttledBy()).isEqualTo(INDEX);
        // And the queue drains at the partition's rate
        time.addAndGet(Duration.ofMillis(500).toNanos());
        assertThat(lag(model, 1)).isEqualTo(Duration.ofMillis(1));
    }

    private static Duration lag(PartitionModel model, double units) {
        return model.write(Map.of(INDEX, units)).indexLag();
    }

    @ParameterizedTest
    @ValueSource(ints = { 1, 10, 100 })
    void writesScatteredAtRandomReachNearlyWidthTimesTheLimit(int width) {
        // Given: a load of 97% of width x 1,000 a second, all on one event time
        long seed = Seeds.seed("scatter");
        RandomGenerator random = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(seed);
        PartitionModel model = new PartitionModel(STRICT, time::get);
        double perSecond = 0.97 * width * CapacityLimits.PARTITION_WRITE_UNITS;
        int seconds = 5;
        long throttled = 0;
        long offered = (long) (perSecond * seconds);
        // When
        for (long i = 0; i < offered; i++) {
            time.set((long) (i / perSecond * 1e9));
            Resource shard = new Resource(true, Integer.toString(random.nextInt(width)));
            throttled += model.write(Map.of(shard, 1.0)).throttledBy() != null ? 1 : 0;
        }
        // Then
        assertThat(throttled).isLessThan(offered / 50);
    }
}
