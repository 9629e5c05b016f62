package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.gather.read.GatherSession.PageSizes;

class PageSizesTest {

    private final PageSizes sizes = new PageSizes(20_000);

    @ParameterizedTest
    @CsvSource({ "10, 101, 21", "100, 101, 6", "100, 1001, 21", "1, 101, 101", "1000, 1001, 6", "100, 1, 1", "10, 5, 4" })
    void aLimitedPageReadsTheShareAndSlackOfEachShard(int shards, long wanted, int expected) {
        assertThat(sizes.pageSize(shards, wanted)).isEqualTo(expected);
    }

    @Test
    void allThereIsIsReadInPagesThatFitTheBudgetTogether() {
        assertThat(sizes.pageSize(1, Long.MAX_VALUE)).isEqualTo(1_000);
        assertThat(sizes.pageSize(100, Long.MAX_VALUE)).isEqualTo(200);
        assertThat(sizes.pageSize(1_000, Long.MAX_VALUE)).isEqualTo(20);
        assertThat(sizes.pageSize(1_000, 1_000_000)).isEqualTo(20);
    }
}
