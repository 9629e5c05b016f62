package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.read.ShardMerge.KeyShardGroups;
import dev.windrow.gather.read.ShardMerge.ShardItem;
import dev.windrow.table.Utf8Order;
import dev.windrow.testing.Seeds;

class ShardMergeTest {

    private static final List<Measure> COUNT = List.of(new Measure("events", MeasureKind.COUNT, null));

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void shardsInAnyPagesComeOutSorted(boolean descending) {
        long seed = Seeds.seed("shard merge");
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            int count = 1 + random.nextInt(20);
            List<Deque<ShardItem>> shards = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int shard = 0; shard < count; shard++) {
                List<String> keys = new ArrayList<>();
                for (int i = random.nextInt(30); i > 0; i--) {
                    keys.add(key(random) + "#" + shard);
                }
                keys.sort(order(descending));
                expected.addAll(keys);
                shards.add(new ArrayDeque<>(keys.stream().map(ShardMergeTest::item).toList()));
            }
            expected.sort(order(descending));
            ShardMerge merge = new ShardMerge(count, descending);

            List<String> merged = drainAll(merge, shards, random);

            assertThat(merged).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void nothingIsTakenWhileAShardMayStillComeFirst() {
        ShardMerge merge = new ShardMerge(2, false);
        merge.feed(0, List.of(item("b")), true);

        assertThat(merge.hasNext()).isFalse();
        assertThat(merge.isStarved(1)).isTrue();
        assertThatThrownBy(merge::next).isInstanceOf(IllegalStateException.class);

        merge.feed(1, List.of(), true);
        assertThat(merge.next().key()).isEqualTo("b");
        assertThat(merge.isFinished()).isTrue();
    }

    @Test
    void anEmptyPageIsNotTheEnd() {
        ShardMerge merge = new ShardMerge(1, false);
        merge.feed(0, List.of(), false);

        assertThat(merge.isStalled()).isTrue();
        assertThat(merge.isFinished()).isFalse();
    }

    @Test
    void noShardsAreFinishedAtOnce() {
        assertThat(new ShardMerge(0, false).isFinished()).isTrue();
    }

    @Test
    void keyShardsOfABucketAreOneGroup() {
        KeyShardGroups groups = new KeyShardGroups();
        List<Optional<KeyShardGroups.Group>> told = new ArrayList<>();
        for (String key : List.of("t#a#0", "t#a#10", "t#a#2", "t#b#1")) {
            told.add(groups.add(item(key)));
        }
        told.add(groups.end());

        assertThat(told.stream().flatMap(Optional::stream).map(group -> group.position() + "=" + group.values()
                .at(0).orElseThrow().value())).containsExactly("t#a=3", "t#b=1");
        assertThat(groups.end()).isEmpty();
    }

    private static List<String> drainAll(ShardMerge merge, List<Deque<ShardItem>> shards, SplittableRandom random) {
        List<String> merged = new ArrayList<>();
        while (!merge.isFinished()) {
            for (int shard = 0; shard < shards.size(); shard++) {
                if (merge.isStarved(shard) || (merge.isBelow(shard, 5) && random.nextBoolean())) {
                    feed(merge, shard, shards.get(shard), random);
                }
            }
            while (merge.hasNext()) {
                merged.add(merge.next().key());
            }
        }
        return merged;
    }

    private static void feed(ShardMerge merge, int shard, Deque<ShardItem> left, SplittableRandom random) {
        List<ShardItem> page = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0 && !left.isEmpty(); i--) {
            page.add(left.remove());
        }
        merge.feed(shard, page, left.isEmpty());
    }

    private static String key(SplittableRandom random) {
        String[] parts = { "a", "b", "ab", "\uFFFD", "\uD83D\uDE00", "" };
        return parts[random.nextInt(parts.length)] + parts[random.nextInt(parts.length)];
    }

    private static java.util.Comparator<String> order(boolean descending) {
        return descending ? Collections.reverseOrder(Utf8Order.ASCENDING) : Utf8Order.ASCENDING;
    }

    private static ShardItem item(String key) {
        int end = key.lastIndexOf('#');
        return new ShardItem(key, end < 0 ? key : key.substring(0, end),
                new MeasureValues(COUNT, List.of(MeasureValue.of(BigDecimal.ONE))));
    }
}
