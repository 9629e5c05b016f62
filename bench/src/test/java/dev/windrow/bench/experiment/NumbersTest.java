package dev.windrow.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class NumbersTest {

    @Test
    void theMedianIsInTheMiddleOfSortedValues() {
        assertThat(Numbers.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(Numbers.median(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(2.5);
    }

    @Test
    void aPercentileLiesLinearlyBetweenItsNeighbors() {
        List<Double> values = IntStream.rangeClosed(0, 100).mapToObj(i -> (double) i).toList();
        assertThat(Numbers.percentile(values, 99)).isEqualTo(99);
        assertThat(Numbers.percentile(List.of(1.0, 2.0), 25)).isEqualTo(1.25);
    }

    @Test
    void noValuesHaveNoPercentile() {
        assertThatIllegalArgumentException().isThrownBy(() -> Numbers.percentile(List.of(), 50));
        assertThatIllegalArgumentException().isThrownBy(() -> Numbers.percentile(List.of(1.0), 101));
    }
}
