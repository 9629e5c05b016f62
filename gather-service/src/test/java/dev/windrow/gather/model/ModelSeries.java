package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The model's series of several labels together.
 *
 * @param head the first values of its rows
 * @param open whether the request has no start
 * @param fill none, zero, previous or linear
 * @param cumulative whether sums run on
 * @param rateSeconds seconds of the unit of a rate; 0 for none
 * @param exists the first bucket that is still kept
 */
record ModelSeries(List<Object> head, Predicate<List<String>> labels, String granularity, ZoneId zone, ModelRange range,
        boolean open, String fill,
        boolean cumulative, long rateSeconds, boolean descending, int limit, Instant exists) {

    List<String> rows(ModelDataset dataset, String tenant) {
        ReferenceModel model = new ReferenceModel(dataset, tenant);
        NavigableMap<Instant, List<ModelEvent>> inside = new TreeMap<>(
                model.series(labels, time -> range.holds(time, granularity, zone), granularity, zone));
        NavigableMap<Instant, List<ModelEvent>> all = new TreeMap<>(inside);
        new TreeMap<>(model.series(labels, time -> true, granularity, zone)).tailMap(exists, true)
                .forEach((start, events) -> {
                    if (start.isBefore(first()) || !start.isBefore(end())) {
                        all.put(start, events);
                    }
                });
        List<Instant> starts = starts(inside);
        Map<String, List<@Nullable BigDecimal>> columns = new LinkedHashMap<>();
        dataset.measures().forEach(measure -> columns.put(measure.name(), measure.of() == null || measure.to() == null
                ? column(measure, starts, all, rateSeconds)
                : ratio(measure.of(), measure.to(), starts, all)));
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            Map<String, @Nullable BigDecimal> values = new LinkedHashMap<>();
            int row = i;
            columns.forEach((measure, column) -> {
                if (column.get(row) != null || !fill.equals("none")) {
                    values.put(measure, column.get(row));
                }
            });
            List<Object> cells = new ArrayList<>(head);
            cells.addAll(List.of(granularity, ReferenceModel.start(starts.get(i), zone)));
            boolean partial = (!open && starts.get(i).isBefore(range.from())) || isCut(starts.get(i));
            rows.add(RowText.of(cells, dataset.measures(), values) + (partial ? RowText.PARTIAL : ""));
        }
        if (descending) {
            Collections.reverse(rows);
        }
        return rows.subList(0, Math.min(limit, rows.size()));
    }

    /** Whether the range ends before a bucket does; the end of a date is that of its last midnight. */
    private boolean isCut(Instant start) {
        Instant next = next(start);
        return next.isAfter(range.to()) && !range.holds(next.minusNanos(1), granularity, zone);
    }

    private Instant next(Instant start) {
        return ModelCalendar.next(granularity, zone, start);
    }

    private Instant first() {
        return range.from().equals(ModelRange.BEGIN) ? range.from() : ModelCalendar.floor(granularity, zone, range.from());
    }

    private Instant end() {
        return range.to().equals(ModelCalendar.END) ? range.to() : ModelCalendar.ceiling(granularity, zone, range.to());
    }

    private List<Instant> starts(NavigableMap<Instant, List<ModelEvent>> inside) {
        if (fill.equals("none") || !range.from().isBefore(range.to()) || (open && inside.isEmpty())) {
            return List.copyOf(inside.keySet());
        }
        List<Instant> starts = new ArrayList<>();
        for (Instant start = open ? inside.firstKey() : first(); start.isBefore(range.to()); start = next(start)) {
            starts.add(start);
        }
        return starts;
    }

    /** A ratio of the rates of two sums is the ratio of the sums. */
    private List<@Nullable BigDecimal> ratio(ModelMeasure of, ModelMeasure to, List<Instant> starts,
            NavigableMap<Instant, List<ModelEvent>> all) {
        long perSeconds = of.isAdditive() && to.isAdditive() ? 0 : rateSeconds;
        List<@Nullable BigDecimal> dividends = column(of, starts, all, perSeconds);
        List<@Nullable BigDecimal> divisors = column(to, starts, all, perSeconds);
        List<@Nullable BigDecimal> ratio = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            ratio.add(ModelMeasure.quotient(orNothing(of, dividends.get(i)), orNothing(to, divisors.get(i))));
        }
        return ratio;
    }

    private @Nullable BigDecimal orNothing(ModelMeasure measure, @Nullable BigDecimal number) {
        return number == null && measure.isAdditive() && fill.equals("none") ? BigDecimal.ZERO : number;
    }

    private List<@Nullable BigDecimal> column(ModelMeasure measure, List<Instant> starts,
            NavigableMap<Instant, List<ModelEvent>> all, long perSeconds) {
        NavigableMap<Instant, BigDecimal> known = new TreeMap<>();
        all.forEach((start, events) -> measure.over(events).ifPresent(value -> known.put(start, value)));
        List<@Nullable BigDecimal> column = new ArrayList<>();
        BigDecimal running = BigDecimal.ZERO;
        for (Instant start : starts) {
            BigDecimal value = value(known, start, measure.isAdditive());
            if (measure.isAdditive() && cumulative) {
                running = running.add(value == null ? BigDecimal.ZERO : value);
                value = running;
            }
            if (measure.isAdditive() && perSeconds > 0 && value != null) {
                Instant from = open || start.isAfter(range.from()) ? start : range.from();
                Instant to = next(start).isBefore(range.to()) ? next(start) : range.to();
                long length = Duration.between(from, to).toSeconds();
                value = value.multiply(BigDecimal.valueOf(perSeconds)).divide(BigDecimal.valueOf(length),
                        MathContext.DECIMAL128);
            }
            column.add(value == null ? null : measure.shown(value));
        }
        return column;
    }

    private @Nullable BigDecimal value(NavigableMap<Instant, BigDecimal> known, Instant start, boolean additive) {
        Map.Entry<Instant, BigDecimal> before = known.floorEntry(start);
        if (before != null && before.getKey().equals(start)) {
            return before.getValue();
        }
        Map.Entry<Instant, BigDecimal> after = known.higherEntry(start);
        return switch (fill) {
            case "zero" -> additive ? BigDecimal.ZERO : null;
            case "previous" -> before == null ? null : before.getValue();
            case "linear" -> before == null || after == null
                    ? null
                    : before.getValue().add(after.getValue().subtract(before.getValue())
                            .multiply(seconds(before.getKey(), start))
                            .divide(seconds(before.getKey(), after.getKey()), MathContext.DECIMAL128));
            default -> null;
        };
    }

    private static BigDecimal seconds(Instant from, Instant to) {
        return BigDecimal.valueOf(Duration.between(from, to).toSeconds());
    }
}
