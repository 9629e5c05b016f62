package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.management.ThreadMXBean;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.FanoutLimits;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.Selector;
import dev.windrow.gather.prometheus.PrometheusQueries.SeriesSearch;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ShardPage;
import dev.windrow.gather.read.ShardReader;
import dev.windrow.gather.testing.ManualClock;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * All reads of a query, and the computation of its result, share its time. Shards are read on event loops, where nothing is
 * computed.
 */
class MetricReaderTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String EVENT_LOOP = "event loop of this test";

    private final ManualClock clock = new ManualClock(NOW);
    private final AtomicInteger reads = new AtomicInteger();
    @AutoClose("shutdownNow")
    private final ExecutorService eventLoop = Executors.newSingleThreadExecutor(work -> new Thread(work, EVENT_LOOP));
    private final Datasets clicks = datasets(1, "clicks");

    @Test
    void theReadsOfAllDatasetsTogetherHaveTheTimeOfTheRequest() {
        // When
        Uni<SeriesSearch.Found<String>> late = found(datasets(1, "a", "b", "c", "d"), taking(Duration.ofSeconds(11)), clock,
                how(Map.of("timeout", List.of("30s"))));

        // Then
        assertThatThrownBy(() -> late.await().atMost(Patience.LIMIT)).isInstanceOfSatisfying(GatherException.class,
                failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT));
        assertThat(reads).hasValue(3);
    }

    @Test
    void aSilentShardLeavesTimeForTheReadsThatWaitForTheFirst() {
        // Given
        ShardReader oneSilent = read -> read.query().shard() == 1
                ? Uni.createFrom().nothing()
                : Uni.createFrom().item(this::answer);

        // When
        SeriesSearch.Found<String> found = found(datasets(2, "a", "b", "c", "d", "e", "f"), oneSilent, Clock.systemUTC(),
                how(Map.of("timeout", List.of("1s"), "partial", List.of("true")))).await().atMost(Patience.LIMIT);

        // Then
        assertThat(found.warnings()).hasSize(1).allMatch(warning -> warning.startsWith("timed-out"));
        assertThat(reads).hasValue(6);
    }

    /** Selections are read one after the other, equal ones once. */
    @ParameterizedTest
    @CsvSource({ "increase(windrow_clicks_events[5m]) * 2, 30, true", "increase(windrow_clicks_events[5m]) * 2, 32, false",
            "increase(windrow_clicks_events[5m]) / increase(windrow_clicks_events[5m] offset 5m), 15, true",
            "increase(windrow_clicks_events[5m]) / increase(windrow_clicks_events[5m] offset 5m), 16, false",
            "increase(windrow_clicks_events[5m]) / increase(windrow_clicks_events[5m]), 30, true" })
    void readsAndComputationTogetherHaveTheTimeOfTheQuery(String query, int seconds, boolean inTime) {
        if (inTime) {
            assertThat(computed(query, Duration.ofSeconds(seconds)).isComplete()).isTrue();
        } else {
            assertThatThrownBy(() -> computed(query, Duration.ofSeconds(seconds))).isInstanceOfSatisfying(GatherException.class,
                    failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT));
        }
    }

    /** The last two read nothing. */
    @ParameterizedTest
    @ValueSource(strings = { "sum by (host) (increase(windrow_clicks_events[5m]))",
            "sum by (host) (max_over_time(windrow_clicks_largest[5m]))", "absent(windrow_clicks_events{nosuch=\"a\"})",
            "absent(increase(windrow_clicks_events[5m] offset 100y))" })
    void windowsAreComputedOnAWorker(String query) {
        assertThat(threadOf(query)).isNotEqualTo(EVENT_LOOP);
    }

    /** 100 selections with 11,000 windows each would take 58 MB. */
    @Test
    void windowsAreBuiltWhenTheirSelectionIsRead() {
        // Given
        Expression many = ExpressionParser.parse(IntStream.rangeClosed(1, 100)
                .mapToObj(i -> "windrow_clicks_events offset " + i + "s").collect(Collectors.joining(" + ")));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        // When
        Uni<Execution<List<MetricSeries>>> unread = read(many, taking(Duration.ZERO),
                new EvaluationTimes(NOW, Duration.ofMinutes(1),
                        11_000),
                clock, how(Map.of()));

        // Then
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000_000);
        assertThat(unread.await().atMost(Patience.LIMIT).isComplete()).isTrue();
        assertThat(reads).hasValueGreaterThanOrEqualTo(100);
    }

    @Test
    void theWeekOfTheEarliestEventCountsInWindowsThatBeginAfterItsStart() {
        // Given
        Instant nextWeek = Instant.parse("1970-01-05T00:00:00Z");
        Selection increase = (Selection) ExpressionParser.parse("increase(windrow_clicks_events[5d])");
        Metrics events = new MetricCatalog(clicks).selected(increase.selector()).get(0);
        Windows windows = Windows.of(new EvaluationTimes(nextWeek.plusSeconds(60), Duration.ofMinutes(1), 2), increase,
                List.of(Granularity.MINUTE), Horizons.NONE).get(0);
        IntervalSums sums = new IntervalSums(MetricSelection.of(events, increase.selector(), Optional.empty()),
                events.dataset().measures(), windows, 0, how(Map.of()));

        // When
        sums.add(new Bucket("1969-12-29T00:00:00Z", Label.of("a"), Granularity.WEEK,
                new MeasureValues(events.dataset().measures(), Collections.nCopies(2, MeasureValue.of(BigDecimal.TEN)))));

        // Then
        assertThat(IntervalSums.over(List.of(sums)).get(Label.of("a")))
                .extracting(value -> value == null ? 0 : value.value().intValue()).containsExactly(10, 10);
    }

    /** Neither a whole day nor nothing without a word. */
    @Test
    void aWindowShorterThanWhatIsKeptHasNoValueAndSaysFromWhichStepThereAreSome() {
        // Given
        Instant now = Instant.parse("2026-11-20T10:00:30Z");
        List<Granularity> stored = List.of(Granularity.MINUTE, Granularity.DAY);
        Horizons kept = new Horizons(new Retention(new TreeMap<>(Map.of(Granularity.MINUTE, Duration.ofDays(2)))), now,
                List.of(), List.of());
        Instant start = Instant.parse("2026-11-17T20:00:00Z");
        EvaluationTimes hourly = new EvaluationTimes(start, Duration.ofHours(1), 24);

        // When
        Selection hour = (Selection) ExpressionParser.parse("increase(windrow_clicks_events[1h])");
        Selection days = (Selection) ExpressionParser.parse("increase(windrow_clicks_events[2d])");
        List<Boolean> empty = Windows.of(hourly, hour, stored, kept).stream()
                .flatMap(windows -> windows.each().stream().map(TimeRange::isEmpty)).toList();

        // Then
        assertThat(empty.subList(0, 15)).containsOnly(true);
        assertThat(empty.subList(15, 24)).containsOnly(false);
        assertThat(Windows.expired(hourly, hour, stored, kept)).hasValueSatisfying(text -> assertThat(text)
                .startsWith("expired: minute buckets before 2026-11-18T10:01:00Z").endsWith("is 2026-11-18T11:00:00Z"));
        assertThat(Windows.expired(EvaluationTimes.at(start), hour, stored, kept))
                .hasValueSatisfying(text -> assertThat(text).endsWith("no step has a value"));
        assertThat(Windows.of(EvaluationTimes.at(start), days, stored, kept).get(0).each())
                .containsExactly(new TimeRange(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-17T00:00:00Z")));
        assertThat(Windows.expired(EvaluationTimes.at(now), hour, stored, kept)).isEmpty();
    }

    /** Whoever chooses labels can choose them so that their hashes are equal. */
    @Test
    void labelsWithEqualHashesAreComputed() {
        // Given
        Expression ratio = ExpressionParser.parse("increase(windrow_clicks_events[5m]) / increase(windrow_clicks_events[1h])");
        Metrics events = new MetricCatalog(clicks).all().iterator().next();
        MetricQuery how = new MetricQuery("default", Map.of(), how(Map.of()).context(), 100_000, bytes -> {
        });
        List<Bucket> buckets = IntStream.range(0, 20_000).mapToObj(i -> new Bucket("2026-11-20T09:59:00Z",
                Label.of(IntStream.range(0, 15).mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining())),
                Granularity.MINUTE,
                new MeasureValues(events.dataset().measures(), Collections.nCopies(2, MeasureValue.of(BigDecimal.TEN)))))
                .toList();

        // When
        Map<Selection, List<MetricSeries>> selected = ratio.selections().collect(Collectors.toMap(one -> one, one -> {
            Windows windows = Windows.of(EvaluationTimes.at(NOW), one, List.of(Granularity.MINUTE), Horizons.NONE).get(0);
            MetricSelection selection = MetricSelection.of(events, one.selector(), Optional.empty());
            IntervalSums sums = new IntervalSums(selection, events.dataset().measures(), windows, 0, how);
            buckets.forEach(sums::add);
            return selection.series(one, IntervalSums.over(List.of(sums)));
        }));
        List<MetricSeries> series = new Evaluator(selected, 1, () -> {
        }, bytes -> {
        }).series(ratio);

        // Then
        assertThat(series).hasSize(20_000).allMatch(one -> one.values().equals(List.of(BigDecimal.ONE)));
    }

    private static Datasets datasets(int width, String... names) {
        return DatasetsYaml.parse("test", Stream.of(names).map(name -> """
                %s: {event-type: %s, label: [host], granularities: [minute], index: [minute], scatter: [{width: %d}],
                  measures: {events: {type: count}, largest: {type: max, attribute: bytes}}}
                """.formatted(name, name, width)).collect(Collectors.joining(", ", "windrow: {datasets: {", "}}")));
    }

    private ShardPage answer() {
        reads.incrementAndGet();
        return new ShardPage(List.of(), Optional.empty(), 0, 0.5);
    }

    private ShardReader taking(Duration span) {
        return read -> Uni.createFrom().item(() -> {
            clock.pass(span);
            return answer();
        });
    }

    private static Gatherer gatherer(ShardReader shards, Clock clock) {
        return new Gatherer(shards, new FanoutLimits(8, 4, 4, 4, LONGEST, 1_000), clock, Infrastructure.getDefaultWorkerPool(),
                (dataset, report) -> {
                });
    }

    private static MetricQuery how(Map<String, List<String>> options) {
        return new MetricQuery("default", options, new QueryContext(
                new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, LONGEST, LONGEST, LONGEST), NOW, TableFreshness.UNKNOWN),
                1_000, bytes -> {
                });
    }

    private static Uni<SeriesSearch.Found<String>> found(Datasets datasets, ShardReader shards, Clock clock, MetricQuery how) {
        Map<Metrics, List<Selector>> all = new LinkedHashMap<>();
        new MetricCatalog(datasets).all().stream().filter(metric -> metric.name().endsWith("_events"))
                .forEach(metric -> all.put(metric, List.of(new Selector(List.of()))));
        return new SeriesSearch(datasets, gatherer(shards, clock), clock).find(all, Optional.empty(),
                new SeriesRange(NOW.minusSeconds(3_600), NOW, Integer.MAX_VALUE), how, Comparator.<String> naturalOrder(),
                (metric, labels) -> Stream.of(metric.name()));
    }

    /** @param reading how long the only shard takes each time, of a timeout of 30 seconds */
    private Execution<List<MetricSeries>> computed(String query, Duration reading) {
        return read(ExpressionParser.parse(query), taking(reading), EvaluationTimes.at(NOW), clock,
                how(Map.of("timeout", List.of("30s")))).await().atMost(Patience.LIMIT);
    }

    private String threadOf(String query) {
        return read(ExpressionParser.parse(query), read -> Uni.createFrom().item(this::answer).emitOn(eventLoop),
                EvaluationTimes.at(NOW), Clock.systemUTC(), how(Map.of())).map(any -> Thread.currentThread().getName())
                .runSubscriptionOn(eventLoop)
                .await().atMost(Patience.LIMIT);
    }

    private Uni<Execution<List<MetricSeries>>> read(Expression expression, ShardReader shards, EvaluationTimes times,
            Clock clock,
            MetricQuery how) {
        Map<Selection, Metrics> metrics = new LinkedHashMap<>();
        expression.selections().forEach(
                selection -> metrics.put(selection, new MetricCatalog(clicks).selected(selection.selector()).get(0)));
        return new MetricReader(clicks, gatherer(shards, clock), clock).read(metrics, expression, times, how);
    }
}
