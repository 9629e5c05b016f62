package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The part of a range that buckets which are still kept sum up: the longest that begins and ends with bounds of buckets and
 * does not reach beyond the range, but for the bucket in progress.
 *
 * @param refusal the reason why there is no answer; null if there is one
 * @param first the granularity of its first bucket
 * @param last that of its last bucket
 */
public record ModelCover(@Nullable String refusal, String first, String last, ModelRange range) {

    private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);

    static ModelCover of(ModelDataset dataset, LabelFilter filter, GeneratedRange range, Instant asked, Instant now) {
        return of(dataset.retention(), dataset.stored(filter), range, range.zone(), asked, now);
    }

    /** @param zone whose midnights must not be moved */
    static ModelCover of(ModelRetention retention, List<String> stored, GeneratedRange generated, ZoneId zone, Instant asked,
            Instant now) {
        ModelRange range = generated.range().apply(asked);
        if (stored.equals(List.of("forever")) && !generated.isAll()) {
            return refused("invalid-parameter", range);
        }
        ModelCover found = of(retention, stored, range, zone, now);
        boolean shorter = generated.isSpan() && found.refusal == null && found.isNotEmpty()
                && Duration.between(range.from(), range.to()).compareTo(length(found.last, range.from())) < 0;
        return shorter ? refused("range-too-short", range) : found;
    }

    static ModelCover of(ModelRetention retention, List<String> stored, ModelRange range, ZoneId zone, Instant now) {
        List<String> bounded = stored.stream().filter(any -> !any.equals("forever") || range.equals(ModelRange.ALL)).toList();
        List<ModelCover> all = bounded.stream().map(first -> from(first, retention, stored, range, now))
                .filter(ModelCover::isNotEmpty).toList();
        ModelCover best = null;
        for (ModelCover cover : all) {
            if (cover.keepsMidnights(range, zone, retention, now)
                    && (best == null || cover.length().compareTo(best.length()) > 0)) {
                best = cover;
            }
        }
        if (best != null) {
            return best.range.dates() != null && !best.fitsDates(zone) ? refused("invalid-parameter", range) : best;
        }
        if (range.from().equals(range.to())) {
            Instant at = ModelCalendar.ceiling(stored.get(0), ZoneOffset.UTC, range.from());
            return new ModelCover(null, stored.get(0), stored.get(0), new ModelRange(at, at));
        }
        if (!all.isEmpty()) {
            return refused("invalid-parameter", range);
        }
        if (range.to().equals(ModelCalendar.END)) {
            return new ModelCover(null, stored.get(0), stored.get(0), new ModelRange(ModelCalendar.END, ModelCalendar.END));
        }
        if (bounded.stream().anyMatch(any -> retention.horizon(any, now).isBefore(range.to()))) {
            return refused("range-too-short", range);
        }
        String last = bounded.stream().min((a, b) -> retention.horizon(a, now).compareTo(retention.horizon(b, now)))
                .orElseThrow();
        Instant end = ModelCalendar.floor(last, range.to());
        return new ModelCover(null, last, last, new ModelRange(end, end));
    }

    private static ModelCover refused(String reason, ModelRange range) {
        return new ModelCover(reason, "", "", new ModelRange(range.to(), range.to()));
    }

    /** The part that begins with a bucket of a granularity. */
    private static ModelCover from(String first, ModelRetention retention, List<String> stored, ModelRange range, Instant now) {
        boolean open = range.from().equals(ModelRange.BEGIN);
        Instant begin = open ? range.from() : ModelCalendar.ceiling(first, ZoneOffset.UTC, range.from());
        Instant horizon = retention.horizon(first, now);
        Instant from = begin.isBefore(horizon) ? horizon : begin;
        if (range.to().equals(ModelCalendar.END)) {
            return new ModelCover(null, first, first, new ModelRange(from, ModelCalendar.END, dates(range, from, range.to())));
        }
        Instant to = latest(from, ModelCalendar.floor(first, range.to()));
        String last = first;
        List<String> coarsestFirst = new ArrayList<>(stored.subList(0, stored.indexOf(first)));
        Collections.reverse(coarsestFirst);
        for (String finer : coarsestFirst) {
            if (ModelCalendar.floor(finer, to).equals(to) && !retention.horizon(finer, now).isAfter(to)) {
                to = latest(to, ModelCalendar.floor(finer, range.to()));
                last = finer;
            }
        }
        if (isNow(range.to(), now) && from.isBefore(range.to())) {
            to = ModelCalendar.ceiling(last, ZoneOffset.UTC, range.to());
        }
        return new ModelCover(null, first, last, new ModelRange(from, to, dates(range, from, to)));
    }

    static boolean isNow(Instant to, Instant now) {
        return !to.isBefore(now.minus(CLOCK_SKEW));
    }

    /** Bounds that have been moved are no dates any more. */
    private static @Nullable ZoneId dates(ModelRange range, Instant from, Instant to) {
        return range.from().equals(from) && range.to().equals(to) ? range.dates() : null;
    }

    private boolean isNotEmpty() {
        return range.from().isBefore(range.to());
    }

    private Duration length() {
        return Duration.between(range.from(), range.to());
    }

    static Duration length(String granularity, Instant time) {
        Instant start = ModelCalendar.floor(granularity, time);
        return Duration.between(start, ModelCalendar.next(granularity, ZoneOffset.UTC, start));
    }

    private boolean keepsMidnights(ModelRange asked, ZoneId zone, ModelRetention retention, Instant now) {
        boolean cut = range.from().equals(retention.horizon(first, now));
        return (cut || keepsMidnight(asked.from(), range.from(), zone))
                && (range.to().isAfter(asked.to()) || keepsMidnight(asked.to(), range.to(), zone));
    }

    static boolean keepsMidnight(Instant asked, Instant rounded, ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) || asked.equals(rounded)
                || !asked.equals(ModelRange.date(asked, zone).atStartOfDay(zone).toInstant());
    }

    /** Whether no bucket lies across a border of a date that is a bound. */
    private boolean fitsDates(ZoneId zone) {
        return range.fitsBorders(first, range.from(), zone) && range.fitsBorders(last, range.to(), zone);
    }

    private static Instant latest(Instant a, Instant b) {
        return a.isBefore(b) ? b : a;
    }
}
