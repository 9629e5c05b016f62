package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.gather.prometheus.Expression.Absent;
import dev.windrow.gather.prometheus.Expression.Aggregation;
import dev.windrow.gather.prometheus.Expression.LabelMatcher;
import dev.windrow.gather.prometheus.Expression.Literal;
import dev.windrow.gather.prometheus.Expression.Operation;
import dev.windrow.gather.prometheus.Expression.Operator;
import dev.windrow.gather.prometheus.Expression.RangeFunction;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.Selector;
import dev.windrow.gather.prometheus.Expression.TopK;

class ExpressionParserTest {

    private static final Selector CLICKS = new Selector(List.of(equal("__name__", "clicks")));
    private static final Selection ALL_CLICKS = new Selection(CLICKS, RangeFunction.ALL_TIME, Duration.ZERO,
            Duration.ZERO, Optional.empty());

    private static LabelMatcher equal(String label, String value) {
        return LabelMatcher.equal(label, value, false);
    }

    @Test
    void selectorsHaveNamesAndMatchers() {
        assertThat(ExpressionParser.parse(" clicks # all of them\n")).isEqualTo(ALL_CLICKS);
        assertThat(ExpressionParser.parseSelector("{__name__=\"clicks\", host='a\\'b\\u00e9', page=`\\d`,}").matchers())
                .containsExactly(
                        equal("__name__", "clicks"), equal("host", "a'bé"), equal("page", "\\d"));
        assertThat(ExpressionParser.parseSelector("clicks{host=~\"a\\\\.b.*|c.+|d\"}").labels()).containsExactly(
                LabelMatcher.of("host", false, false, List.of(new ValuePattern(List.of("a.b", ""), false),
                        new ValuePattern(List.of("c", ""), true), ValuePattern.whole("d"))));
    }

    /** Each matches like the Java regular expression for the whole value, in which dots match line breaks, too. */
    @ParameterizedTest
    @ValueSource(strings = { "", "a", "a|b", "(a|b)", "a.*", "a.+", ".*a", ".*a.*", ".+", ".*", "a.*b", "a.*a", ".*a.*b.*",
            "a.*|.*b",
            ".*ab.*ab", "a.*b.+", ".*.*", "(?i)A.*B", "(?i)(a|B.*)", "(?i)", "\\.\\*.*", "(a.*|b)", "|a", "a||b", "(a|b\\\\)",
            "(\\\\)" })
    void regularExpressionsMatchAsThoseOfJava(String expression) {
        Pattern expected = Pattern.compile(expression, Pattern.DOTALL);
        LabelMatcher matcher = ExpressionParser.parseSelector("{host=~`" + expression + "`}").labels().get(0);
        LabelMatcher others = ExpressionParser.parseSelector("{host!~`" + expression + "`}").labels().get(0);

        for (String value : List.of("", "a", "b", "A", "B", "ab", "aB", "aa", "aba", "abab", "xaxbx", "a\nb", "bab", ".*",
                ".*a",
                "x.*", "abb", "b\\", "\\")) {
            assertThat(matcher.matches(value)).as(value).isEqualTo(expected.matcher(value).matches());
            assertThat(others.matches(value)).as(value).isNotEqualTo(matcher.matches(value));
        }
    }

    @Test
    void anyCaseIsThatOfEveryLetter() {
        LabelMatcher matcher = ExpressionParser.parseSelector("{host=~'(?i).*\u039f\u0394\u039f\u03a3.*'}").labels().get(0);

        assertThat(List.of("\u03bf\u03b4\u03bf\u03c2", "\u039f\u0394\u039f\u03a3\u0391", "\u03bf\u03b4\u03bf\u03c3\u03b1"))
                .allMatch(matcher::matches);
    }

    @Test
    void matchersMayBeNegative() {
        Selector selector = ExpressionParser.parseSelector("{__name__!=\"\", host!=\"a\", host!~\"b.*|c\"}");

        assertThat(List.of("d", "ab", "")).allMatch(value -> selector.labels().stream().allMatch(one -> one.matches(value)));
        assertThat(List.of("a", "b", "bc", "c"))
                .noneMatch(value -> selector.labels().stream().allMatch(one -> one.matches(value)));
        assertThat(selector.selectsMetric("clicks")).isTrue();
        assertThat(selector.equalities()).isEmpty();
    }

    @Test
    void partsOfValuesAreLimited() {
        assertThat(ExpressionParser.parseSelector("{host=~\"" + ".*a".repeat(100) + "\"}").labels()).hasSize(1);
        assertThatThrownBy(() -> ExpressionParser.parseSelector("{host=~\"" + ".*a".repeat(101) + "\"}"))
                .isInstanceOf(InvalidInputException.class).hasMessageContaining("expected at most 100 times .*");
    }

    @Test
    void sumsAreAddedUpWhereTheyAreRead() {
        Selection increase = new Selection(CLICKS, RangeFunction.INCREASE, Duration.ofMinutes(90), Duration.ZERO,
                Optional.empty());
        Selection summed = new Selection(CLICKS, RangeFunction.INCREASE, Duration.ofMinutes(90), Duration.ZERO,
                Optional.of(Set.of("a", "b")));

        assertThat(ExpressionParser.parse("increase(clicks[1h30m])")).isEqualTo(increase);
        assertThat(ExpressionParser.parse("sum by (a, b) (increase(clicks[1h30m]))")).isEqualTo(summed);
        assertThat(ExpressionParser.parse("sum(increase(clicks[1h30m])) by (b, a,)")).isEqualTo(summed);
        assertThat(ExpressionParser.parse("SUM(increase(clicks[1h30m])) By (a, b)")).isEqualTo(summed);
        assertThat(ExpressionParser.parse("topk(3, max by (a) (clicks))")).isEqualTo(
                new TopK(3, Set.of(), new Aggregation(Aggregation.Operator.MAX, Set.of("a"), ALL_CLICKS)));
    }

    @Test
    void operatorsBindAsInPromQl() {
        assertThat(ExpressionParser.parse("-2 * 3 + 10 / (1 + 3) - .5e1")).isEqualTo(new Literal(new BigDecimal("-8.5")));
        assertThat(ExpressionParser.parse("10 - 4 - 3")).isEqualTo(new Literal(new BigDecimal("3")));
        assertThat(ExpressionParser.parse("2 + clicks * 3")).isEqualTo(
                new Operation(Operator.ADD, new Literal(new BigDecimal("2")), new Operation(
                        Operator.MULTIPLY, ALL_CLICKS, new Literal(new BigDecimal("3")))));
    }

    @Test
    void comparisonsBindLessThanSums() {
        Literal two = new Literal(new BigDecimal("2"));

        assertThat(ExpressionParser.parse("clicks + 2 > 2 == 2")).isEqualTo(new Operation(Operator.EQUAL,
                new Operation(Operator.GREATER, new Operation(Operator.ADD, ALL_CLICKS, two), two), two));
        assertThat(ExpressionParser.parse("2 <= clicks / clicks")).isEqualTo(new Operation(Operator.AT_MOST, two,
                new Operation(Operator.DIVIDE, ALL_CLICKS, ALL_CLICKS)));
    }

    @Test
    void offsetsMoveWindows() {
        assertThat(ExpressionParser.parse("increase(clicks[5m] offset 1h30m)")).isEqualTo(new Selection(CLICKS,
                RangeFunction.INCREASE, Duration.ofMinutes(5), Duration.ofMinutes(90), Optional.empty()));
        assertThat(ExpressionParser.parse("sum(clicks offset -1m)")).isEqualTo(new Selection(CLICKS,
                RangeFunction.ALL_TIME, Duration.ZERO, Duration.ofMinutes(-1), Optional.of(Set.of())));
    }

    @Test
    void absentSeriesHaveTheLabelsThatAreMatchedByEquality() {
        assertThat(absentLabels("absent(clicks{host=\"a\", page=~\"b\", code=\"1\", code=\"2\", empty=\"\"})"))
                .isEqualTo(Map.of("host", "a"));
        assertThat(absentLabels("absent((clicks{host=\"a\"}))")).isEmpty();
        assertThat(absentLabels("absent(sum(clicks{host=\"a\"}))")).isEmpty();
    }

    private static Map<String, String> absentLabels(String query) {
        return ((Absent) ExpressionParser.parse(query)).labels();
    }

    @Test
    void numbersHaveNoMoreDigitsThanResults() {
        Literal rounded = new Literal(new BigDecimal("0." + "1".repeat(76)));

        assertThat(ExpressionParser.parse("0." + "1".repeat(16_000))).isEqualTo(rounded);
        assertThat(ExpressionParser.parse("clicks * 0." + "1".repeat(16_000)))
                .isEqualTo(new Operation(Operator.MULTIPLY, ALL_CLICKS, rounded));
        assertThatThrownBy(() -> ExpressionParser.parse("1".repeat(80) + "e2147483640"))
                .isInstanceOf(InvalidInputException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "stddev(clicks) | stddev is not supported: functions are increase, rate",
            "sum without (a) (clicks) | without is not supported",
            "clicks{host=~\"a.+b\"} | the regular expression a.+b is not supported",
            "clicks{host=~\"(?i)(?i)a\"} | the regular expression (?i)a is not supported",
            "clicks{host=~\"a(?i)\"} | the regular expression a(?i) is not supported",
            "clicks{host=~\".*?a\"} | the regular expression .*?a is not supported",
            "clicks{host=~\"(a\"} | the regular expression (a is not supported",
            "clicks{host=~\"a.b\"} | the regular expression a.b is not supported",
            "clicks{host=~\"\\\\d\"} | the regular expression \\d is not supported",
            "clicks{host=~\"(\\\\\\\\\\\\)\"} | the regular expression (\\\\\\) is not supported",
            "clicks / on(host) clicks | on is not supported",
            "clicks * ignoring(host) group_left clicks | ignoring is not supported",
            "clicks - group_left clicks | group_left is not supported",
            "clicks - group_right(a) clicks | group_right is not supported",
            "clicks + bool 3 | bool is only for comparisons",
            "clicks or 3 | expected a vector on both sides of or, found a number: write vector(0) for 0",
            "clicks or on(host) clicks | on is not supported",
            "vector(clicks) | expected a number as the argument of vector",
            "Increase(clicks[1d]) | Increase is not supported",
            "sum WITHOUT (a) (clicks) | without is not supported",
            "2 > 1 | comparisons of two numbers need bool",
            "absent(1) | expected a vector for absent",
            "(clicks) offset 5m | `offset` is allowed once, right after a selector",
            "clicks offset 0s | expected a duration such as 5m or 1h30m after offset",
            "clicks offset 5 | expected a duration such as 5m after offset",
            "clicks ^ 2 | ^ is not supported",
            "clicks @ 5 | @ is not supported",
            "clicks and clicks | and is not supported",
            "clicks[5m] | a range by itself is not supported",
            "increase(clicks[5m:1m]) | the subquery [5m:1m] is not supported",
            "\"text\" | a string as an expression is not supported",
            "increase(clicks) | expected a range such as [5m] for increase at character 16, found ')'",
            "increase(clicks[0s]) | expected a range such as [5m]",
            "increase(clicks[m5]) | expected a range such as [5m]",
            "sum(1) | expected a vector to aggregate",
            "topk(clicks, clicks) | expected a number as the first argument of topk",
            "1 / 0 | the number after / must not be zero",
            "1e400 | expected numbers and results from 1E-300 to 1E+300",
            "1e999999999999 | expected a number from 1E-300 to 1E+300",
            "1e200 * 1e200 | expected numbers and results from 1E-300 to 1E+300",
            "clicks) | expected an operator or the end at character 7, found ')'",
            "clicks{host=\"a} | expected a closing \"",
            "clicks{host=\"\\q\"} | expected an escape such as",
            "clicks{host \"a\"} | expected =, !=, =~ or !~ after the label host",
            "sum( | expected an expression at character 5, found the end",
            "§ | expected an expression at character 1"
    })
    void whatIsWrongOrUnsupportedIsNamed(String query, String message) {
        assertThatThrownBy(() -> ExpressionParser.parse(query)).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void orBindsLeastAndTakesWhatIsAbsentOnTheLeft() {
        // Given
        Selection all = ALL_CLICKS;
        TreeMap<String, String> a = new TreeMap<>(Map.of("host", "a"));
        TreeMap<String, String> b = new TreeMap<>(Map.of("host", "b"));
        Map<Selection, List<MetricSeries>> selected = Map.of(all,
                List.of(series(a, BigDecimal.ONE, null), series(b, null, null)));

        // Then
        assertThat(evaluated("clicks > 0 or vector(0)", selected)).containsExactly(
                series(new TreeMap<>(), BigDecimal.ZERO, BigDecimal.ZERO), series(a, BigDecimal.ONE, null));
        assertThat(evaluated("max(clicks) by (x) or vector(0)", selected))
                .as("one series, of both").containsExactly(series(new TreeMap<>(), BigDecimal.ONE, BigDecimal.ZERO));
        assertThat(evaluated("clicks >= bool 2 or clicks", selected)).containsExactly(series(a, BigDecimal.ZERO, null));
        assertThat(evaluated("vector(3 > bool 2)", selected))
                .containsExactly(series(new TreeMap<>(), BigDecimal.ONE, BigDecimal.ONE));
    }

    private static List<MetricSeries> evaluated(String query, Map<Selection, List<MetricSeries>> selected) {
        return new Evaluator(selected, 2, () -> {
        }, bytes -> {
        }).series(ExpressionParser.parse(query));
    }

    private static MetricSeries series(TreeMap<String, String> labels, @Nullable BigDecimal first,
            @Nullable BigDecimal second) {
        return new MetricSeries(labels, Arrays.asList(first, second));
    }

    @ParameterizedTest
    @MethodSource
    void largeExpressionsAreRefused(String query) {
        assertThatThrownBy(() -> ExpressionParser.parse(query)).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("expected at most 100 operators, calls and parentheses");
    }

    static Stream<String> largeExpressionsAreRefused() {
        return Stream.of("(".repeat(8_000) + "1" + ")".repeat(8_000), "clicks" + " * 1".repeat(101),
                "1" + " + 1".repeat(20_000),
                "max(".repeat(101) + "clicks" + ")".repeat(101), "-(".repeat(51) + "clicks" + ")".repeat(51),
                "(max(clicks) * 1)" + " * (1)".repeat(49));
    }

    @Test
    void expressionsUpToTheLimitAreEvaluated() {
        Expression expression = ExpressionParser.parse("clicks" + " * 1".repeat(100));
        MetricSeries series = new MetricSeries(new TreeMap<>(), List.of(BigDecimal.TEN));

        assertThat(new Evaluator(Map.of(ALL_CLICKS, List.of(series)), 1, () -> {
        }, bytes -> {
        }).series(expression)).containsExactly(series);
    }

    @Test
    void blanksAndCommentsOfAnyLengthAreSkipped() {
        String blanks = " \t\n\r\f\u000b".repeat(100_000) + "# clicks\n".repeat(100_000) + "#".repeat(100_000) + "\n";

        assertThat(ExpressionParser.parse(blanks + "clicks" + blanks)).isEqualTo(ALL_CLICKS);
    }

    @Test
    void matchersOfASelectorAreLimited() {
        assertThat(ExpressionParser.parseSelector("clicks{" + "host!~'(?i)a.*',".repeat(99) + "}").labels()).hasSize(99);
        assertThatThrownBy(() -> ExpressionParser.parse("sum(clicks{" + "host!~'(?i)a.*',".repeat(100) + "})"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("expected at most 100 matchers in a selector");
    }

    @Test
    void alternativesAreLimited() {
        assertThat(ExpressionParser.parseSelector("{host=~\"" + "a.*|b|".repeat(499) + "c.+|d\"}").labels())
                .allSatisfy(matcher -> assertThat(List.of("ab", "b", "cc", "d")).allMatch(matcher::matches))
                .allSatisfy(matcher -> assertThat(List.of("", "bb", "c", "dd")).noneMatch(matcher::matches));
        assertThatThrownBy(() -> ExpressionParser.parseSelector("{host=~\"" + "a|".repeat(1_000) + "b\"}"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("expected at most 1000 alternatives for the label host");
    }
}
