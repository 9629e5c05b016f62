package dev.windrow.gather.api.prometheus;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.windrow.gather.promql.PromDuration;
import dev.windrow.gather.query.TimeRange;

/** Times and durations as parameters of Prometheus' API: in seconds, in RFC 3339, or as in PromQL. */
final class PrometheusTimes {

    static final String TIME_EXPECTED = "seconds since 1970, or a time such as 2026-11-20T10:00:00Z";
    static final String DURATION_EXPECTED = "a positive number of seconds, or a duration such as 30s";

    private static final Pattern SECONDS = Pattern.compile("-?[0-9]{1,20}(\\.[0-9]{1,20})?([eE]\\+?[0-9]{1,2})?");
    /** Long before all data: clients send the earliest time they know for "from the beginning". */
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final BigDecimal EARLIEST = BigDecimal.valueOf(FIRST.getEpochSecond());
    private static final BigDecimal LATEST = BigDecimal.valueOf(TimeRange.END.getEpochSecond());

    private PrometheusTimes() {
    }

    /** The time, moved into the supported range; empty if the text is none. */
    static Optional<Instant> time(String text) {
        if (SECONDS.matcher(text).matches()) {
            BigDecimal seconds = new BigDecimal(text).min(LATEST).max(EARLIEST);
            return Optional.of(Instant.ofEpochMilli(seconds.movePointRight(3).longValue()));
        }
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            return Optional.of(TimeRange.earlier(TimeRange.later(time, FIRST), TimeRange.END));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The duration; empty if the text is none, or not positive. */
    static Optional<Duration> duration(String text) {
        if (SECONDS.matcher(text).matches()) {
            long millis = new BigDecimal(text).min(LATEST).max(EARLIEST).movePointRight(3).longValue();
            return millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
        }
        return PromDuration.parse(text);
    }
}
