package dev.windrow.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class LabTest {

    @Test
    void theMedianIsInTheMiddleOfSortedValues() {
        assertThat(Lab.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
        assertThat(Lab.median(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(2.5);
    }

    @Test
    void aPercentileLiesLinearlyBetweenItsNeighbors() {
        List<Double> values = IntStream.rangeClosed(0, 100).mapToObj(i -> (double) i).toList();
        assertThat(Lab.percentile(values, 99)).isEqualTo(99);
        assertThat(Lab.percentile(List.of(1.0, 2.0), 25)).isEqualTo(1.25);
    }
}
