package dev.windrow.gather.prometheus;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.windrow.base.Reason;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.time.Granularity;

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

}
