package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Seeds;
import dev.windrow.writer.table.RateLimit.HotKeys;
import dev.windrow.writer.table.TableWrites.TableWrite;

class HotKeysTest {

    private static final int SHARDS = 14;
    private static final int WRITES = 20_000;
    /** From one write to the next. */
    private static final long STEP_NANOS = Duration.ofMillis(2).toNanos();

    private long step = STEP_NANOS;
    private long now;
    private final HotKeys keys = new HotKeys(() -> now);

    @Test
    void oneIndexShardIsHot() {
        assertThat(lowered("oneIndexShardIsHot", shard -> shard == 3 ? 0.95 : 0)).isLessThan(20);
    }

    /** Two throttles a second, as where the rate has been lowered already. */
    @Test
    void oneIndexShardIsHotWhereFewAreWritten() {
        step = Duration.ofMillis(33).toNanos();

        assertThat(lowered("oneIndexShardIsHotWhereFewAreWritten", shard -> shard == 3 ? 0.95 : 0)).isLessThan(20);
    }

    /** The throttles by which a key is found to be hot are its own, too. */
    @Test
    void aHotShardIsFoundOutAtOnceAmongFewWrites() {
        int lowered = 0;
        for (int i = 0; i < 60; i++, now += STEP_NANOS) {
            boolean hot = i % 4 == 0;
            boolean explained = keys.explains(TableWrite.single(update("label" + i, "s", hot ? "hot" : "shard" + i)),
                    hot);
            lowered += hot && !explained ? 1 : 0;
        }

        assertThat(lowered).isLessThan(5);
    }

    @Test
    void twoShardsAreHotWhileOthersAreThrottledNowAndThen() {
        assertThat(lowered("twoShardsAreHot", shard -> shard < 2 ? 0.95 : 0.005)).isLessThan(WRITES / 50);
    }

    @Test
    void theWholeTableIsThrottledMuch() {
        assertThat(lowered("theWholeTableIsThrottledMuch", shard -> 0.95)).isGreaterThan(WRITES / 10 * 9);
    }

    @Test
    void theWholeTableIsThrottledALittle() {
        assertThat(lowered("theWholeTableIsThrottledALittle", shard -> 0.3)).isGreaterThan(WRITES / 4);
    }

    @Test
    void aSingleKeyThatGetsAllWritesIsNoReasonToSpareOthers() {
        for (int i = 0; i < 1_000; i++, now += STEP_NANOS) {
            assertThat(keys.explains(TableWrite.single(update("one", "s", "index")), true)).isFalse();
        }
    }

    @Test
    void oneKeyOfTheTableIsHot() {
        int lowered = 0;
        for (int i = 0; i < WRITES; i++, now += STEP_NANOS) {
            boolean hot = i % 10 == 0;
            boolean explained = keys.explains(TableWrite.single(update(hot ? "hot" : "label" + i, "s",
                    "shard" + i % SHARDS)), hot);
            lowered += hot && !explained ? 1 : 0;
        }

        assertThat(lowered).isLessThan(20);
    }

    @Test
    void aKeyThatWasHotIsSoNoMoreAfterSomeSeconds() {
        lowered("aKeyThatWasHot", shard -> shard == 3 ? 0.95 : 0);

        now += Duration.ofMinutes(1).toNanos();

        assertThat(keys.explains(TableWrite.single(update("label", "s", "shard3")), true)).isFalse();
    }

    /** @return how many throttles would lower the rate */
    private int lowered(String test, IntToDoubleFunction share) {
        RandomGenerator random = Seeds.random(test);
        int lowered = 0;
        for (int i = 0; i < WRITES; i++, now += step) {
            int label = random.nextInt(700);
            boolean throttled = random.nextDouble() < share.applyAsDouble(label % SHARDS);
            boolean explained = keys.explains(
                    TableWrite.single(update("label" + label, "s" + i / 1_000, "shard" + label % SHARDS)), throttled);
            assertThat(!explained || throttled).isTrue();
            lowered += throttled && !explained ? 1 : 0;
        }
        return lowered;
    }

    private static ItemUpdate update(String partitionKey, String sortKey, String indexPartitionKey) {
        return new ItemUpdate(partitionKey, sortKey).inIndex(indexPartitionKey);
    }
}
