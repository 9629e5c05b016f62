package dev.windrow.provision;

import java.time.Duration;
import java.util.regex.Pattern;

import dev.windrow.base.Durations;

/** Checks of settings: each failure names the setting and what was expected. */
final class SettingChecks {

    private SettingChecks() {
    }

    static void requireBetween(String name, long value, long minimum, long maximum) {
        if (value < minimum || value > maximum) {
            String range = maximum == Long.MAX_VALUE ? minimum + " or more" : "from " + minimum + " to " + maximum;
            throw new IllegalArgumentException(name + ": expected " + range + ", found " + value);
        }
    }

    /** SQS takes whole seconds: half a second would silently become none. */
    static void requireSecondsBetween(String name, Duration value, Duration minimum, Duration maximum) {
        boolean whole = value.getNano() == 0;
        if (!whole || value.compareTo(minimum) < 0 || value.compareTo(maximum) > 0) {
            throw new IllegalArgumentException(name + ": expected whole seconds from " + Durations.text(minimum)
                    + " to " + Durations.text(maximum) + ", found " + Durations.text(value));
        }
    }

    static void requireMatch(String name, String value, Pattern pattern, String expectation) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException(name + ": expected " + expectation + ", found '" + value + "'");
        }
    }
}
