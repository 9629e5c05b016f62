package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.prometheus.Evaluator.Series;
import dev.windrow.gather.prometheus.PromQl.ExpressionParser;

class EvaluatorTest {

    private static final int CHECKS = 3;

    private final Series clicks = new Series(new TreeMap<>(Map.of("host", "a")), List.of(BigDecimal.TEN));
    private final AtomicInteger checks = new AtomicInteger();
    private final Evaluator evaluator = new Evaluator(List.of(clicks), () -> {
        if (checks.incrementAndGet() > CHECKS) {
            throw new IllegalStateException("no time is left");
        }
    });

    @Test
    void eachOperatorIsFollowedByACheck() {
        // When
        List<Series> result = evaluator.series(ExpressionParser.parse("topk(1, max(clicks))"));

        // Then
        assertThat(result).hasSize(1);
        assertThat(checks).hasValue(CHECKS);
    }

    @Test
    void nothingIsComputedOnceACheckHasFailed() {
        // Given an operator after the last that there is time for, which would fail
        Expression expression = ExpressionParser.parse("clicks * 2 * 3 * 4 % 0");

        // When
        assertThatThrownBy(() -> evaluator.series(expression)).hasMessage("no time is left");

        // Then
        assertThat(checks).hasValue(CHECKS + 1);
    }
}
