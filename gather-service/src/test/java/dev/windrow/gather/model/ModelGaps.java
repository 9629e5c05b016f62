package dev.windrow.gather.model;

import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Where the gaps of a zone's series are filled from, and which stored buckets can be summed up there.
 *
 * @param stored the available granularities
 * @param zone of the series, whose buckets begin at local midnight
 * @param fill previous or linear; anything else needs nothing from beyond
 * @param range of the series, from one start to another
 */
record ModelGaps(List<String> stored, ZoneId zone, String fill, ModelRange range) {

    /** With all offsets of a year. */
    private static final int DAYS = 400;

    /** Whether not even the nearest year can be summed up. */
    boolean areRefused() {
        return !fitFrom(range.from().minus(DAYS, ChronoUnit.DAYS)) || !fitTo(range.to().plus(DAYS, ChronoUnit.DAYS));
    }

    /** Whether any value beyond the range is found, however far away. */
    boolean areFilledFromAll() {
        return fitFrom(ModelRange.BEGIN) && fitTo(ModelCalendar.END);
    }

    private boolean fitFrom(Instant from) {
        boolean none = !fill.equals("previous") && !fill.equals("linear");
        return none || range.from().equals(ModelRange.BEGIN) || fit(from, range.from());
    }

    private boolean fitTo(Instant to) {
        return !fill.equals("linear") || !range.to().isBefore(ModelCalendar.END) || fit(range.to(), to);
    }

    private boolean fit(Instant from, Instant to) {
        return stored.stream().anyMatch(fine -> ModelCalendar.nests(fine, "day")
                && ModelCalendar.fitsInZone(fine, zone, 86_400, from, to));
    }
}
