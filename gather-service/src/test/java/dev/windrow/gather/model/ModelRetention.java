package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
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

    ModelRange cut(String granularity, ModelRange range, Instant now) {
        Instant horizon = horizon(granularity, now);
        if (!horizon.isAfter(ModelCalendar.ceiling(granularity, ZoneOffset.UTC, range.from()))) {
            return range;
        }
        Instant end = ModelCalendar.ceiling(granularity, ZoneOffset.UTC, range.to());
        return new ModelRange(horizon.isBefore(end) ? horizon : end, range.to().isBefore(horizon) ? end : range.to());
    }

    /**
     * The range of a window of PromQL: with bounds moved up to starts of the finest granularity while that is kept, else the
     * longest range of whole buckets of a coarser one.
     */
    ModelRange window(List<String> stored, ModelRange asked, Instant now) {
        boolean open = asked.from().equals(ModelRange.BEGIN);
        String finest = stored.get(0);
        Instant from = open ? asked.from() : ModelCalendar.ceiling(finest, ZoneOffset.UTC, asked.from());
        ModelRange moved = new ModelRange(from, ModelCalendar.ceiling(finest, ZoneOffset.UTC, asked.to()));
        if (!horizon(finest, now).isAfter(from)) {
            return moved;
        }
        ModelRange best = new ModelRange(moved.to(), moved.to());
        for (String granularity : stored) {
            if (granularity.equals("forever") && !asked.equals(ModelRange.ALL)) {
                continue;
            }
            ModelRange range = ModelCover.of(this, List.of(granularity), asked, ZoneOffset.UTC, now).range();
            boolean exists = ModelCover.of(this, List.of(granularity), asked, ZoneOffset.UTC, now).refusal() == null;
            if (exists && Duration.between(range.from(), range.to()).compareTo(Duration.between(best.from(), best.to())) > 0) {
                best = range;
            }
        }
        return best;
    }

    String yaml() {
        Map<String, String> spans = new TreeMap<>();
        kept.forEach((granularity, span) -> spans.put(granularity, span.toString()));
        return spans.toString().replace("=", ": ");
    }
}
