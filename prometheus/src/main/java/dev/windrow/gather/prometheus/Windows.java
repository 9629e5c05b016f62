package dev.windrow.gather.prometheus;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.Horizons;
import dev.windrow.gather.plan.SummedRange;
import dev.windrow.gather.plan.TimeRange;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.MetricReader.EvaluationTimes;
import dev.windrow.gather.prometheus.MetricReader.MetricQuery;
import dev.windrow.gather.prometheus.Metrics.MetricSelection;
import dev.windrow.gather.read.HeldMemory.HeldSize;
import dev.windrow.table.Label;

/**
 * The windows of consecutive evaluation times, as ranges of starts. Their bounds are moved up to the next start of the finest
 * granularity that exists at the start of each.
 *
 * @param existing the granularities that they are read from, finest first
 * @param each one window for each time, ascending
 * @param horizons with the reason if the windows are not what they would be without retention
 */
record Windows(List<Granularity> existing, List<TimeRange> each, Horizons horizons) {

    /**
     * Returns the windows of all times. Each is that of an instant query at its time, so there are several parts if older
     * windows can only be read from coarser granularities.
     *
     * @param selection with how far back windows go, and how long before each time they end
     */
    static List<Windows> of(EvaluationTimes times, Selection selection, List<Granularity> stored, Horizons horizons) {
        List<SummedRange> each = LongStream.range(0, times.count())
                .mapToObj(index -> window(times.at(index), selection, stored, horizons)).toList();
        List<Windows> parts = new ArrayList<>();
        int from = 0;
        for (int to = 1; to <= each.size(); to++) {
            if (to == each.size() || !each.get(to).existing().equals(each.get(from).existing())) {
                parts.add(of(each.subList(from, to)));
                from = to;
            }
        }
        return parts;
    }

    /**
     * Says once for all steps what has expired, and from which step on there are values.
     *
     * @return empty if no window begins before what is kept of the finest granularity
     */
    static Optional<String> expired(EvaluationTimes times, Selection selection, List<Granularity> stored, Horizons horizons) {
        Granularity finest = stored.get(0);
        boolean isCut = false;
        Instant first = null;
        for (int step = 0; step < times.count() && !horizons.equals(Horizons.NONE); step++) {
            SummedRange window = window(times.at(step), selection, stored, horizons);
            isCut |= !window.horizons().expired().isEmpty();
            first = first == null && !window.range().isEmpty() ? times.at(step) : first;
        }
        return !isCut ? Optional.empty()
                : Optional.of(Reason.EXPIRED.word() + ": " + finest + " buckets before " + horizons.of(finest)
                        + " have expired, so earlier windows hold whole coarser buckets only; "
                        + (first == null ? "no step has a value" : "the first step with values is " + first));
    }

    private static Windows of(List<SummedRange> alike) {
        Horizons noted = alike.stream().map(SummedRange::horizons).filter(horizons -> !horizons.expired().isEmpty())
                .findFirst().orElse(alike.get(0).horizons());
        return new Windows(alike.get(0).existing(), alike.stream().map(SummedRange::range).toList(), noted);
    }

    private static SummedRange window(Instant evaluated, Selection selection, List<Granularity> stored, Horizons horizons) {
        Instant time = evaluated.minus(selection.offset());
        TimeRange asked = new TimeRange(selection.window().isZero() ? TimeRange.ALL.from()
                : TimeRange.clamped(time.minus(selection.window())), TimeRange.clamped(time));
        return SummedRange.window(stored, asked, horizons);
    }

    /** Returns all bounds, ascending: no window begins or ends between two of them. */
    List<Instant> bounds() {
        return each.stream().flatMap(window -> Stream.of(window.from(), window.to())).distinct().sorted().toList();
    }

    /** Returns the ranges to read. The range that no bound divides is read separately if that saves reads. */
    List<Part> parts() {
        TimeRange first = each.get(0);
        TimeRange last = each.get(each.size() - 1);
        Part head = part(first.from(), last.from(), true);
        Part common = part(last.from(), first.to(), false);
        Part tail = part(first.to(), last.to(), true);
        boolean apart = common.length().compareTo(head.length().plus(tail.length())) > 0;
        Stream<Part> parts = apart
                ? Stream.of(head, common, tail)
                : Stream.of(part(first.from(), last.to(), true));
        return parts.filter(part -> !part.range().isEmpty()).toList();
    }

    /** Cuts a part at the horizon, before which windows are empty. */
    private Part part(Instant from, Instant to, boolean divided) {
        return new Part(horizons.cut(existing.get(0), new TimeRange(from, to)), divided);
    }

    /**
     * A range to read.
     *
     * @param divided whether windows begin or end within it
     */
    record Part(TimeRange range, boolean divided) {

        Duration length() {
            return range.isEmpty() ? Duration.ZERO : Duration.between(range.from(), range.to());
        }
    }

    /** Returns the coarsest granularity whose buckets no bound divides. */
    Granularity coarsest() {
        List<Instant> inner = bounds().stream()
                .filter(bound -> !bound.equals(TimeRange.ALL.from()) && !bound.equals(TimeRange.END)).toList();
        Optional<Granularity> coarsest = existing.stream().filter(granularity -> !granularity.equals(Granularity.FOREVER)
                && inner.stream().allMatch(granularity::isStart)).reduce((finer, coarser) -> coarser);
        return coarsest.orElse(existing.get(0));
    }

    /** A measure by series and by interval between two bounds of windows. */
    static final class IntervalSums {

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

    /**
     * Combines the latest values as a window moves on, in constant time per value for every kind of measure. It is a queue of
     * two stacks that keep the combinations of their values.
     */
    static final class SlidingWindow {

        private final MeasureKind kind;
        /** The newer values, and the combination of all of them. */
        private final Deque<MeasureValue> newer = new ArrayDeque<>();
        private @Nullable MeasureValue newerCombined;
        /** The older values, oldest on top, each combined with those below it. */
        private final Deque<MeasureValue> olderCombined = new ArrayDeque<>();

        SlidingWindow(MeasureKind kind) {
            this.kind = kind;
        }

        void add(MeasureValue value) {
            newer.push(value);
            newerCombined = newerCombined == null ? value : kind.combine(newerCombined, value);
        }

        void removeOldest() {
            if (olderCombined.isEmpty()) {
                MeasureValue below = null;
                while (!newer.isEmpty()) {
                    MeasureValue value = newer.pop();
                    below = below == null ? value : kind.combine(value, below);
                    olderCombined.push(below);
                }
                newerCombined = null;
            }
            olderCombined.pop();
        }

        /** Returns the combination of everything in the window; null if it is empty. */
        @Nullable
        MeasureValue combined() {
            MeasureValue older = olderCombined.peek();
            MeasureValue recent = newerCombined;
            return older == null ? recent : recent == null ? older : kind.combine(older, recent);
        }
    }
}
