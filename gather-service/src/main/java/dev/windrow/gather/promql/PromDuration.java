package dev.windrow.gather.promql;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Prometheus' durations, such as {@code 1h30m}. */
public final class PromDuration {

    private static final Pattern FORM = Pattern.compile(
            "(?:([0-9]{1,9})y)?(?:([0-9]{1,9})w)?(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m(?!s))?"
                    + "(?:([0-9]{1,9})s)?(?:([0-9]{1,9})ms)?");
    private static final long[] UNIT_MILLIS = { 365 * 86_400_000L, 7 * 86_400_000L, 86_400_000L, 3_600_000L, 60_000L, 1_000L,
            1L };

    private PromDuration() {
    }

    /** The duration, or empty if the text is not one or it is zero. A year has 365 days. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long millis = 0;
        for (int unit = 0; unit < UNIT_MILLIS.length; unit++) {
            String count = matcher.group(unit + 1);
            // At most 10^9 years of 3 * 10^10 ms: the sum does not overflow only if it is checked.
            millis = count == null ? millis : saturatedAdd(millis, Long.parseLong(count), UNIT_MILLIS[unit]);
        }
        return millis == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    private static long saturatedAdd(long millis, long count, long unit) {
        long max = Long.MAX_VALUE / 8;
        return count > max / unit ? max : Math.min(max, millis + count * unit);
    }
}
