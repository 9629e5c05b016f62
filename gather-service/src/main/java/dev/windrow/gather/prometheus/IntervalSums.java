package dev.windrow.gather.prometheus;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.answer.HeldSize;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.TimeRange;

/** A measure by series and by interval between two bounds of windows. */
final class IntervalSums {

    private final MetricSelection selection;
    private final Measure measure;
    private final int measureIndex;
    private final List<Instant> bounds;
    private final long steps;
    private final MetricQuery how;
    private final Map<List<String>, SortedMap<Integer, MeasureValue>> series = new LinkedHashMap<>();

    /**
     * @param measures of the dataset that is read
     * @param windows which say where intervals begin and end, and how many values a series will have
     * @param how with the maximum number of values
     */
    IntervalSums(MetricSelection selection, List<Measure> measures, Windows windows, MetricQuery how) {
        this.selection = selection;
        this.measure = selection.metric().measure();
        this.measureIndex = measures.indexOf(measure);
        this.bounds = windows.bounds();
        this.steps = windows.ends().size();
        this.how = how;
    }

    /**
     * Adds a bucket that lies between two bounds, if it is selected.
     *
     * @throws dev.windrow.base.InvalidInputException if there are too many values
     * @throws dev.windrow.gather.fanout.GatherException if there is no room for a new series
     */
    void add(Bucket bucket) {
        List<String> values = bucket.label().values();
        if (!selection.matches(values)) {
            return;
        }
        // The week of the earliest event may start before all bounds; its events do not.
        Instant earliest = TimeRange.later(bucket.start(), EventTimes.EARLIEST);
        List<String> kept = selection.kept(values);
        int before = series.size();
        bucket.values().at(measureIndex).ifPresent(value -> add(kept, interval(earliest), value));
        if (series.size() > before) {
            hold(HeldSize.ofLabel(kept) + HeldSize.ofSamples(steps));
        }
    }

    private void hold(long bytes) {
        try {
            how.held().accept(bytes);
        } catch (RuntimeException noRoom) {
            // Others have the room already, and the failure may take a while to get to whoever keeps these sums.
            series.clear();
            throw noRoom;
        }
    }

    /** The sums of other parts of the range, whose memory is counted there. */
    void addAll(IntervalSums others) {
        others.series.forEach((labels, sums) -> sums.forEach((interval, value) -> add(labels, interval, value)));
    }

    private void add(List<String> labels, int interval, MeasureValue value) {
        series.computeIfAbsent(labels, absent -> {
            // Checked first: each series has one value per step, even if it is null.
            how.require((series.size() + 1) * steps);
            return new TreeMap<>();
        }).merge(interval, value, measure.kind()::combine);
    }

    private int interval(Instant start) {
        int found = Collections.binarySearch(bounds, start);
        return found >= 0 ? found : -found - 2;
    }

    /** For each series, the measure in each window; null in those without a value. */
    Map<List<String>, List<@Nullable MeasureValue>> over(Windows windows) {
        Map<List<String>, List<@Nullable MeasureValue>> results = new LinkedHashMap<>();
        series.forEach((labels, sums) -> results.put(labels, over(windows, sums)));
        return results;
    }

    private List<@Nullable MeasureValue> over(Windows windows, SortedMap<Integer, MeasureValue> sums) {
        List<Integer> intervals = List.copyOf(sums.keySet());
        List<MeasureValue> values = List.copyOf(sums.values());
        SlidingWindow window = new SlidingWindow(measure.kind());
        List<@Nullable MeasureValue> results = new ArrayList<>();
        int added = 0;
        int removed = 0;
        for (int step = 0; step < windows.ends().size(); step++) {
            int end = interval(windows.ends().get(step));
            int begin = interval(windows.begins().get(step));
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
