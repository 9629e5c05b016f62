package dev.windrow.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

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

    private static Found run(double number, String stage) {
        return new Found(List.of(new Table("t", List.of("way", "ms"), List.of(List.of("x", number))),
                new Table("profile", List.of("stage", "%"), List.of(List.of(stage, number)))),
                List.of(Target.atMost("a", "ms", number, 5)));
    }

    private static Found medians(double... numbers) {
        return Numbers.medians(DoubleStream.of(numbers).mapToObj(number -> run(number, "stage" + number)).toList());
    }

    @Test
    void everyNumberIsTheMedianOfTheRuns() {
        Found section = medians(7, 1, 4);
        assertThat(section.tables().get(0).rows()).containsExactly(List.of("x", 4.0));
        assertThat(section.targets()).containsExactly(Target.atMost("a", "ms", 4, 5));
        assertThat(medians(7, 1).targets().get(0).measured()).isEqualTo(4);
    }

    @Test
    void rowsThatAreNotTheSameInEachRunAreThoseOfTheFirst() {
        assertThat(medians(7, 1, 4).tables().get(1).rows()).containsExactly(List.of("stage7.0", 7.0));
    }
}
