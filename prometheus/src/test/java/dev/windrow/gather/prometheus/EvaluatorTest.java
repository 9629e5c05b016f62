package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.prometheus.Expression.Selection;

class EvaluatorTest {

    private static final int CHECKS = 3;

    private final MetricSeries clicks = new MetricSeries(new TreeMap<>(Map.of("host", "a")), List.of(BigDecimal.TEN));
    private final AtomicInteger checks = new AtomicInteger();
    private final Evaluator evaluator = new Evaluator(Map.of(selection("clicks"), List.of(clicks)), 1, () -> {
        if (checks.incrementAndGet() > CHECKS) {
            throw new IllegalStateException("no time is left");
        }
    }, bytes -> {
    });

    private static Selection selection(String query) {
        return (Selection) ExpressionParser.parse(query);
    }

    private static List<String> computed(String query) {
        Map<Selection, List<MetricSeries>> selected = Map.of(
                selection("a"), List.of(series("a", "x", 6, 0, null), series("a", "y", 1, 2, 3)),
                selection("b"), List.of(series("b", "x", 3, 4, 5), series("b", "y", 0, 4, 3), series("b", "z", 1, 1, 1)),
                selection("twice"), List.of(series("c", "x", 1, 1, 1), series("d", "x", 1, 1, 1)));
        return new Evaluator(selected, 3, () -> {
        }, bytes -> {
        }).series(ExpressionParser.parse(query)).stream().map(series -> series.labels() + " " + series.values()).toList();
    }

    private static MetricSeries series(String name, String host, @Nullable Integer... values) {
        List<@Nullable BigDecimal> numbers = new ArrayList<>();
        for (Integer value : values) {
            numbers.add(value == null ? null : BigDecimal.valueOf(value));
        }
        return new MetricSeries(new TreeMap<>(Map.of("__name__", name, "host", host)), numbers);
    }

    @Test
    void seriesAreMatchedByTheirLabelsWithoutTheName() {
        assertThat(computed("a / b")).containsExactly("{host=x} [2, 0, null]", "{host=y} [null, 0.5, 1]");
        assertThat(computed("a % a")).containsExactly("{host=x} [0, null, null]", "{host=y} [0, 0, 0]");
        assertThat(computed("6 / a")).containsExactly("{host=x} [1, null, null]", "{host=y} [6, 3, 2]");
        assertThat(computed("a / other")).isEmpty();
        assertThatThrownBy(() -> computed("a / twice")).hasMessageContaining("found duplicate series with the labels")
                .hasMessageContaining("right side of /");
        assertThatThrownBy(() -> computed("twice > a")).hasMessageContaining("left side of >");
    }

    @Test
    void comparisonsKeepWhatTheyHoldForAndItsName() {
        assertThat(computed("a > 1")).containsExactly("{__name__=a, host=x} [6, null, null]",
                "{__name__=a, host=y} [null, 2, 3]");
        assertThat(computed("1 < a")).isEqualTo(computed("a > 1"));
        assertThat(computed("a >= b")).containsExactly("{__name__=a, host=x} [6, null, null]",
                "{__name__=a, host=y} [1, null, 3]");
        assertThat(computed("a != a")).isEmpty();
        assertThat(computed("a * NaN != NaN")).hasSize(2);
        assertThat(computed("a * NaN == NaN")).isEmpty();
    }

    @Test
    void eachOperatorIsFollowedByACheck() {
        // When
        List<MetricSeries> result = evaluator.series(ExpressionParser.parse("topk(1, max(clicks))"));

        // Then
        assertThat(result).hasSize(1);
        assertThat(checks).hasValue(CHECKS);
    }

    @Test
    void nothingIsComputedOnceACheckHasFailed() {
        // Given a failing operator after the last one that there is time for
        Expression expression = ExpressionParser.parse("clicks * 2 * 3 * 4 % 0");

        // When
        assertThatThrownBy(() -> evaluator.series(expression)).hasMessage("no time is left");

        // Then
        assertThat(checks).hasValue(CHECKS + 1);
    }
}
