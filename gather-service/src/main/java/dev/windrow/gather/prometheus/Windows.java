package dev.windrow.gather.prometheus;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.windrow.dataset.Granularity;
import dev.windrow.gather.query.TimeRange;

/**
 * The window of each evaluation time: the starts from {@code begins} (inclusive) to {@code ends} (exclusive), both moved up
 * to the next start of the finest available granularity.
 *
 * @param begins one for each time, ascending
 * @param ends one for each time, ascending
 */
record Windows(List<Instant> begins, List<Instant> ends) {

    /**
     * @param window how far back; zero for all time
     * @param finest the finest available granularity
     */
    static Windows of(EvaluationTimes times, Duration window, Granularity finest) {
        List<Instant> begins = new ArrayList<>();
        List<Instant> ends = new ArrayList<>();
        for (Instant time : times.all()) {
            begins.add(window.isZero() ? TimeRange.ALL.from() : bound(finest, time.minus(window)));
            ends.add(bound(finest, time));
        }
        return new Windows(begins, ends);
    }

    private static Instant bound(Granularity finest, Instant time) {
        Instant inRange = TimeRange.earlier(TimeRange.later(time, TimeRange.ALL.from()), TimeRange.END);
        return inRange.equals(TimeRange.ALL.from()) ? inRange : TimeRange.ceiling(finest, inRange);
    }

    /** All bounds, ascending: no window begins or ends between two of them. */
    List<Instant> bounds() {
        return List.copyOf(new TreeSet<>(Stream.concat(begins.stream(), ends.stream()).toList()));
    }

    /** The ranges to read. What no bound divides is a range by itself, if that saves reads. */
    List<Part> parts() {
        int last = ends.size() - 1;
        Part head = new Part(new TimeRange(begins.get(0), begins.get(last)), true);
        Part common = new Part(new TimeRange(begins.get(last), ends.get(0)), false);
        Part tail = new Part(new TimeRange(ends.get(0), ends.get(last)), true);
        boolean apart = common.length().compareTo(head.length().plus(tail.length())) > 0;
        Stream<Part> parts = apart
                ? Stream.of(head, common, tail)
                : Stream.of(new Part(new TimeRange(begins.get(0), ends.get(last)), true));
        return parts.filter(part -> !part.range().isEmpty()).toList();
    }

    /**
     * A range to read.
     *
     * @param range of bucket starts
     * @param divided whether windows begin or end within it
     */
    record Part(TimeRange range, boolean divided) {

        Duration length() {
            return range.isEmpty() ? Duration.ZERO : Duration.between(range.from(), range.to());
        }
    }

    /** The coarsest granularity whose buckets no bound divides. */
    Granularity coarsest(List<Granularity> finestFirst) {
        List<Instant> inner = bounds().stream()
                .filter(bound -> !bound.equals(TimeRange.ALL.from()) && !bound.equals(TimeRange.END)).toList();
        Optional<Granularity> coarsest = finestFirst.stream()
                .filter(granularity -> !granularity.equals(Granularity.FOREVER)
                        && inner.stream().allMatch(granularity::isStart))
                .reduce((finer, coarser) -> coarser);
        return coarsest.orElse(finestFirst.get(0));
    }
}
