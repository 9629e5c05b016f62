package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The retention of the model's buckets.
 *
 * @param kept how long buckets are kept, by granularity; others are kept forever
 */
record ModelRetention(Map<String, Duration> kept) {

    static final ModelRetention FOREVER = new ModelRetention(Map.of());

    boolean isForEver() {
        return kept.isEmpty();
    }

    Instant horizon(String granularity, Instant now) {
        Duration span = kept.get(granularity);
        return span == null ? ModelRange.BEGIN : ModelCalendar.ceiling(granularity, ZoneOffset.UTC, now.minus(span));
    }

    /** The first bucket of a zone whose stored buckets are all still kept. */
    Instant horizon(String stored, String granularity, ZoneId zone, Instant now) {
        return kept.containsKey(stored) ? ModelCalendar.ceiling(granularity, zone, horizon(stored, now)) : ModelRange.BEGIN;
    }

    /** The granularity that a sum's bounds move up to: the first that still has its start, else the one reaching furthest. */
    String finest(List<String> stored, ModelRange range, Instant now) {
        List<String> possible = stored.stream()
                .filter(any -> isForEver() || !any.equals("forever") || range.equals(ModelRange.ALL)).toList();
        return isForEver() ? stored.get(0)
                : possible.stream().filter(
                        any -> !horizon(any, now).isAfter(ModelCalendar.ceiling(any, ZoneOffset.UTC, range.from()))).findFirst()
                        .or(() -> possible.stream().min(Comparator.comparing(any -> horizon(any, now))))
                        .orElse(stored.get(0));
    }

    String finest(List<String> stored, ModelRange one, ModelRange other, Instant now) {
        return finest(stored.subList(stored.indexOf(finest(stored, one, now)), stored.size()), other, now);
    }

    ModelRange cut(String granularity, ModelRange range, Instant now) {
        Instant horizon = horizon(granularity, now);
        if (!horizon.isAfter(ModelCalendar.ceiling(granularity, ZoneOffset.UTC, range.from()))) {
            return range;
        }
        Instant end = ModelCalendar.ceiling(granularity, ZoneOffset.UTC, range.to());
        return new ModelRange(horizon.isBefore(end) ? horizon : end, range.to().isBefore(horizon) ? end : range.to());
    }

    /** The range whose bounds no bucket may cross: of expired dates, only midnights count. */
    ModelRange bounds(String granularity, ModelRange range, Instant now) {
        ModelRange left = cut(granularity, range, now);
        return left.from().isBefore(left.to()) ? range : new ModelRange(range.from(), range.to());
    }

    String yaml() {
        Map<String, String> spans = new TreeMap<>();
        kept.forEach((granularity, span) -> spans.put(granularity, span.toString()));
        return spans.toString().replace("=", ": ");
    }
}
