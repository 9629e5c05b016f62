package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Seeds;
import dev.windrow.writer.table.RateLimit.HotKeys;
import dev.windrow.writer.table.TableWrites.TableWrite;

class RateLimitTest {

    private static final int SHARDS = 14;
    private static final int WRITES = 20_000;
    /** From one write to the next. */
    private static final long STEP_NANOS = Duration.ofMillis(2).toNanos();

    private final AtomicLong now = new AtomicLong(1_000_000);
    private long step = STEP_NANOS;
    private final HotKeys keys = new HotKeys(now::get);

    @Test
    void allowsWhatIsConfigured() {
        RateLimit level = new RateLimit(100, now::get);
        assertThat(taken(level, 10, Duration.ofSeconds(10))).isBetween(1_000.0, 1_040.0);
    }

    @Test
    void allowsAnythingUntilItIsThrottled() {
        RateLimit level = new RateLimit(Double.POSITIVE_INFINITY, now::get);
        for (int i = 0; i < 10_000; i++) {
            assertThat(level.tryTake(100)).isTrue();
        }
    }

    @Test
    void halvesTheRateOncePerSwarmAndIsFreeAgainSecondsAfterTheStorm() {
        // Given a rate of about 1,000 units a second
        RateLimit level = new RateLimit(Double.POSITIVE_INFINITY, now::get);
        for (int i = 0; i < 20; i++) {
            pass(Duration.ofMillis(100));
            assertThat(level.tryTake(100)).isTrue();
        }

        // When
        level.throttled();
        level.throttled();

        // Then
        assertThat(level.rate()).isBetween(450.0, 550.0);

        // When the storm goes on for a minute
        for (int i = 0; i < 240; i++) {
            pass(Duration.ofMillis(250));
            level.throttled();
        }

        // Then
        assertThat(level.rate()).isLessThan(150);

        // When it has ended
        pass(Duration.ofSeconds(5));
        assertThat(level.rate()).as("back at the usual rate").isGreaterThan(1_000);
        pass(Duration.ofSeconds(6));
        assertThat(level.rate()).isInfinite();
    }

    @Test
    void isBackWithinTwoSecondsOfAStormAtWhatTheTableTookBefore() {
        // Given a table that takes a thousand units a second
        RateLimit level = new RateLimit(Double.POSITIVE_INFINITY, now::get);
        takeAThousandASecond(level);

        // When it takes nothing for five seconds
        for (int i = 0; i < 50; i++) {
            pass(Duration.ofMillis(100));
            level.throttled();
        }
        assertThat(level.rate()).isLessThan(200);

        // Then
        pass(Duration.ofMillis(200));
        assertThat(level.rate()).as("as long as it may only seem to be over").isLessThan(250);
        double highest = 0;
        for (int i = 0; i < 15; i++) {
            pass(Duration.ofMillis(100));
            highest = level.rate();
        }
        assertThat(highest).isGreaterThan(900);
    }

    @Test
    void settlesBelowWhatATableTakesThatTakesLessThanBefore() {
        // Given a table that took a thousand units a second, and now takes a hundred
        RateLimit level = new RateLimit(Double.POSITIVE_INFINITY, now::get);
        takeAThousandASecond(level);
        int throttled = 0;
        int tries = 0;

        // When
        for (int second = 0; second < 60; second++) {
            int left = 100;
            for (int i = 0; i < 100; i++) {
                pass(Duration.ofMillis(10));
                while (level.tryTake(1)) {
                    boolean late = second >= 20;
                    tries += late ? 1 : 0;
                    if (left-- > 0) {
                        level.applied(1, 1);
                    } else {
                        throttled += late ? 1 : 0;
                        level.throttled();
                        break;
                    }
                }
            }
        }

        // Then
        assertThat(tries).as("in 40 seconds").isGreaterThan(40 * 60);
        assertThat((double) throttled / tries).isLessThan(0.4);
    }

    @Test
    void neverExceedsTheConfiguredRateAfterAThrottle() {
        RateLimit level = new RateLimit(200, now::get);
        level.throttled();
        assertThat(level.rate()).isEqualTo(100);
        pass(Duration.ofSeconds(60));
        assertThat(level.rate()).isEqualTo(200);
    }

    @Test
    void waitsForWhatWasTakenBeyondTheEstimate() {
        RateLimit level = new RateLimit(100, now::get);
        assertThat(level.tryTake(10)).isTrue();
        level.applied(10, 110);
        pass(Duration.ofMillis(500));
        assertThat(level.tryTake(1)).isFalse();
        pass(Duration.ofMillis(600));
        assertThat(level.tryTake(1)).isTrue();
    }

    private void takeAThousandASecond(RateLimit level) {
        for (int i = 0; i < 30; i++) {
            pass(Duration.ofMillis(100));
            assertThat(level.tryTake(100)).isTrue();
            level.applied(100, 100);
        }
    }

    private double taken(RateLimit level, double units, Duration time) {
        double taken = 0;
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(10)) {
            while (level.tryTake(units)) {
                taken += units;
            }
            pass(Duration.ofMillis(10));
        }
        return taken;
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

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
        for (int i = 0; i < 60; i++, now.addAndGet(STEP_NANOS)) {
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
        for (int i = 0; i < 1_000; i++, now.addAndGet(STEP_NANOS)) {
            assertThat(keys.explains(TableWrite.single(update("one", "s", "index")), true)).isFalse();
        }
    }

    @Test
    void oneKeyOfTheTableIsHot() {
        int lowered = 0;
        for (int i = 0; i < WRITES; i++, now.addAndGet(STEP_NANOS)) {
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

        pass(Duration.ofMinutes(1));

        assertThat(keys.explains(TableWrite.single(update("label", "s", "shard3")), true)).isFalse();
    }

    /** @return how many throttles would lower the rate */
    private int lowered(String test, IntToDoubleFunction share) {
        RandomGenerator random = Seeds.random(test);
        int lowered = 0;
        for (int i = 0; i < WRITES; i++, now.addAndGet(step)) {
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
