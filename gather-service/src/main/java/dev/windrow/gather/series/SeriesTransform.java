package dev.windrow.gather.series;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Column;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.gather.plan.MeasureValues;

/**
 * Shapes a series as requested: fills buckets without data, measure by measure, then makes sums cumulative or turns them into
 * rates; ratios come last. Divisions are rounded to 34 significant digits, half to even; everything else is exact.
 */
public final class SeriesTransform {

    private static final MathContext PRECISION = MathContext.DECIMAL128;

    private final SeriesQuery query;
    private final List<Measure> measures;

    SeriesTransform(SeriesQuery query) {
        this.query = query;
        this.measures = query.scope().dataset().measures();
    }

    /**
     * Returns the points of the range.
     *
     * @param inside buckets with data in the range
     * @param outside the latest bucket with data before the range and the earliest after it, as far as known
     * @throws dev.windrow.base.InvalidInputException if there would be too many points
     */
    public List<SeriesPoint> points(SortedMap<Instant, MeasureValues> inside, SortedMap<Instant, MeasureValues> outside) {
        NavigableMap<Instant, MeasureValues> known = new TreeMap<>(inside);
        known.putAll(outside);
        List<Instant> starts = starts(inside);
        List<List<@Nullable BigDecimal>> columns = columns(starts, known);
        List<SeriesPoint> points = new ArrayList<>();
        for (int row = 0; row < starts.size(); row++) {
            List<@Nullable BigDecimal> numbers = new ArrayList<>();
            for (List<@Nullable BigDecimal> column : columns) {
                numbers.add(column.get(row));
            }
            points.add(new SeriesPoint(starts.get(row), Collections.unmodifiableList(numbers)));
        }
        if (query.descending()) {
            Collections.reverse(points);
        }
        return points.subList(0, Math.min(points.size(), query.limit().orElse(Integer.MAX_VALUE)));
    }

    private List<Instant> starts(SortedMap<Instant, MeasureValues> inside) {
        if (query.fill() == SeriesQuery.Fill.NONE) {
            return limited(new ArrayList<>(inside.keySet()));
        }
        if (query.range().isEmpty() || (query.open() && inside.isEmpty())) {
            return List.of();
        }
        List<Instant> starts = new ArrayList<>();
        Instant start = query.open() ? inside.firstKey() : query.buckets().floor(query.range().from());
        while (start.isBefore(query.range().to())) {
            starts.add(start);
            limited(starts);
            start = query.buckets().end(start);
        }
        return starts;
    }

    private List<Instant> limited(List<Instant> starts) {
        if (starts.size() > query.maxPoints()) {
            throw query.tooMany();
        }
        return starts;
    }

    private List<List<@Nullable BigDecimal>> columns(List<Instant> starts, NavigableMap<Instant, MeasureValues> known) {
        List<List<@Nullable BigDecimal>> filled = IntStream.range(0, measures.size())
                .mapToObj(i -> filled(i, starts, known)).toList();
        return query.scope().columns().stream().map(column -> column.isRatio()
                ? ratio(column, filled, starts)
                : rated(column.of(), filled.get(column.of()), starts)).toList();
    }

    private List<@Nullable BigDecimal> ratio(Column column, List<List<@Nullable BigDecimal>> filled, List<Instant> starts) {
        // The quotient of two rates equals that of their sums, without the rounding.
        boolean ofSums = measures.get(column.of()).kind().isAdditive() && measures.get(column.to()).kind().isAdditive();
        List<@Nullable BigDecimal> of = filled.get(column.of());
        List<@Nullable BigDecimal> to = filled.get(column.to());
        List<@Nullable BigDecimal> dividends = ofSums ? of : rated(column.of(), of, starts);
        List<@Nullable BigDecimal> divisors = ofSums ? to : rated(column.to(), to, starts);
        List<@Nullable BigDecimal> ratio = new ArrayList<>();
        for (int row = 0; row < starts.size(); row++) {
            ratio.add(Column.quotient(orNothing(column.of(), dividends.get(row)), orNothing(column.to(), divisors.get(row))));
        }
        return ratio;
    }

    /** A count or sum without a value is zero. If gaps are filled from other buckets, it is unknown instead. */
    private @Nullable BigDecimal orNothing(int measure, @Nullable BigDecimal number) {
        return number == null && query.fill() == SeriesQuery.Fill.NONE ? measures.get(measure).kind().ofNothing() : number;
    }

    /** Returns the numbers of a measure, cumulative if requested. */
    private List<@Nullable BigDecimal> filled(int measure, List<Instant> starts, NavigableMap<Instant, MeasureValues> known) {
        NavigableMap<Instant, BigDecimal> values = new TreeMap<>();
        MeasureKind kind = measures.get(measure).kind();
        known.forEach((start, all) -> all.at(measure).ifPresent(value -> values.put(start, value.value())));
        List<@Nullable BigDecimal> column = new ArrayList<>();
        BigDecimal running = BigDecimal.ZERO;
        for (Instant start : starts) {
            BigDecimal value = filled(values, start, kind.ofNothing());
            if (kind.isAdditive() && query.cumulative()) {
                running = value == null ? running : running.add(value);
                value = running;
            }
            column.add(value == null ? null : measures.get(measure).shown(value));
        }
        return column;
    }

    private List<@Nullable BigDecimal> rated(int measure, List<@Nullable BigDecimal> numbers, List<Instant> starts) {
        if (query.rate().isEmpty() || !measures.get(measure).kind().isAdditive()) {
            return numbers;
        }
        BigDecimal unit = BigDecimal.valueOf(query.rate().get().toSeconds());
        List<@Nullable BigDecimal> rated = new ArrayList<>();
        for (int row = 0; row < numbers.size(); row++) {
            BigDecimal number = numbers.get(row);
            long length = query.length(starts.get(row)).toSeconds();
            rated.add(number == null ? null : number.multiply(unit).divide(BigDecimal.valueOf(length), PRECISION));
        }
        return rated;
    }

    private @Nullable BigDecimal filled(NavigableMap<Instant, BigDecimal> values, Instant start,
            @Nullable BigDecimal nothing) {
        BigDecimal own = values.get(start);
        if (own != null) {
            return own;
        }
        return switch (query.fill()) {
            case NONE -> null;
            case ZERO -> nothing;
            case PREVIOUS -> {
                Map.Entry<Instant, BigDecimal> before = values.lowerEntry(start);
                yield before == null ? null : before.getValue();
            }
            case LINEAR -> between(values.lowerEntry(start), values.higherEntry(start), start);
        };
    }

    private static @Nullable BigDecimal between(Map.@Nullable Entry<Instant, BigDecimal> before,
            Map.@Nullable Entry<Instant, BigDecimal> after, Instant start) {
        if (before == null || after == null) {
            return null;
        }
        BigDecimal part = BigDecimal.valueOf(Duration.between(before.getKey(), start).toSeconds());
        BigDecimal whole = BigDecimal.valueOf(Duration.between(before.getKey(), after.getKey()).toSeconds());
        BigDecimal rise = after.getValue().subtract(before.getValue());
        return before.getValue().add(rise.multiply(part).divide(whole, PRECISION));
    }
}
