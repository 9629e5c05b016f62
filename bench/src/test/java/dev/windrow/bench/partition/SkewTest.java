package dev.windrow.bench.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SkewTest {

    @Test
    void evenCountsHaveASkewOfOneAndOneHotShardOfTheirNumber() {
        assertThat(Skew.of(new long[] { 5, 5, 5, 5 })).isEqualTo(1);
        assertThat(Skew.of(new long[] { 0, 8, 0, 0 })).isEqualTo(4);
    }

    @Test
    void withoutCountsThereIsNoSkew() {
        assertThatIllegalArgumentException().isThrownBy(() -> Skew.of(new long[3]));
    }
}
