package dev.windrow.gather.prometheus;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.HeldSize;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.table.Label;
import dev.windrow.time.EventTimes;

/** A measure by series and by interval between two bounds of windows. */
final class IntervalSums {

    private static final SortedMap<Integer, MeasureValue> NOTHING = Collections.emptySortedMap();

    private final MetricSelection selection;
    private final Measure measure;
    private final int measureIndex;
    private final Windows windows;
    private final List<Instant> bounds;
    private final long steps;
    private final long before;
    private final MetricQuery how;
    private final Map<Label, SortedMap<Integer, MeasureValue>> series = new LinkedHashMap<>();

    /**
     * @param measures of the dataset that is read
     * @param windows say where intervals begin and end, and how many values a series will have
     * @param before number of values of the query's other selections
     * @param how with the maximum number of values
     */
    IntervalSums(MetricSelection selection, List<Measure> measures, Windows windows, long before, MetricQuery how) {
        this.selection = selection;
        this.measure = selection.metric().measure();
        this.measureIndex = measures.indexOf(measure);
        this.windows = windows;
        this.bounds = windows.bounds();
        this.steps = windows.each().size();
        this.before = before;
        this.how = how;
    }

    /**
     * Adds a bucket that lies between two bounds, if it is selected.
     *
     * @throws dev.windrow.base.InvalidInputException if there are too many values
     * @throws dev.windrow.gather.read.GatherException if there is no room for a new series
     */
    void add(Bucket bucket) {
        List<String> values = bucket.label().values();
        if (!selection.matches(values)) {
            return;
        }
        // The week of the earliest event may start before all bounds; its events do not.
        Instant earliest = TimeRange.later(bucket.start(), EventTimes.EARLIEST);
        Label kept = selection.kept(values);
        int before = series.size();
        // A bucket that lacks a count or sum has none of what it counts, which is zero.
        bucket.values().at(measureIndex).or(() -> Optional.ofNullable(measure.kind().ofNothing()).map(MeasureValue::of))
                .ifPresent(value -> add(kept, interval(earliest), value));
        if (series.size() > before) {
            hold(HeldSize.ofLabel(kept.values()) + HeldSize.ofSamples(steps));
        }
    }

    private void hold(long bytes) {
        try {
            how.held().accept(bytes);
        } catch (RuntimeException noRoom) {
            // The memory is no longer reserved, and the failure may take a while to reach the owner of these sums.
            series.clear();
            throw noRoom;
        }
    }

    /** Adds the sums of another part of the range, whose memory is already accounted for. */
    void addAll(IntervalSums others) {
        others.series.forEach((labels, sums) -> sums.forEach((interval, value) -> add(labels, interval, value)));
    }

    private void add(Label labels, int interval, MeasureValue value) {
        series.computeIfAbsent(labels, absent -> {
            // Checked first, because each series has one value per step, even if it is null.
            how.require(before + (series.size() + 1) * steps);
            return new TreeMap<>();
        }).merge(interval, value, measure.kind()::combine);
    }

    private int interval(Instant start) {
        int found = Collections.binarySearch(bounds, start);
        return found >= 0 ? found : -found - 2;
    }

    /** Returns the number of values in all windows, present or not. */
    long values() {
        return series.size() * steps;
    }

    /** Returns the measure in each window for each series, part after part; null in windows without a value. */
    static Map<Label, List<@Nullable MeasureValue>> over(List<IntervalSums> parts) {
        Map<Label, List<@Nullable MeasureValue>> results = new LinkedHashMap<>();
        parts.stream().flatMap(part -> part.series.keySet().stream()).distinct().forEach(labels -> results.put(labels,
                parts.stream().flatMap(part -> part.over(part.series.getOrDefault(labels, NOTHING)).stream()).toList()));
        return results;
    }

    private List<@Nullable MeasureValue> over(SortedMap<Integer, MeasureValue> sums) {
        List<Integer> intervals = List.copyOf(sums.keySet());
        List<MeasureValue> values = List.copyOf(sums.values());
        SlidingWindow window = new SlidingWindow(measure.kind());
        List<@Nullable MeasureValue> results = new ArrayList<>();
        int added = 0;
        int removed = 0;
        for (TimeRange range : windows.each()) {
            int end = interval(range.to());
            int begin = interval(range.from());
            for (; added < intervals.size() && intervals.get(added) < end; added++) {
                window.add(values.get(added));
            }
            for (; removed < added && intervals.get(removed) < begin; removed++) {
                window.removeOldest();
            }
            results.add(window.combined());
        }
        return results;
    }
}
