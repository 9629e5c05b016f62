package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.read.ShardItem;

class ShardMergeTest {

    private static final List<Measure> COUNT = List.of(new Measure("events", MeasureKind.COUNT, null));

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

    private static ShardItem item(String key) {
        int end = key.lastIndexOf('#');
        return new ShardItem(key, end < 0 ? key : key.substring(0, end),
                new MeasureValues(COUNT, List.of(MeasureValue.of(BigDecimal.ONE))));
    }
}
