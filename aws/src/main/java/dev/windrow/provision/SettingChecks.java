package dev.windrow.provision;

import java.time.Duration;
import java.util.regex.Pattern;

/** Checks of settings: each failure names the setting and what was expected. */
final class SettingChecks {

    private SettingChecks() {
    }

    static void requireBetween(String name, long value, long least, long most) {
        if (value < least || value > most) {
            String range = most == Long.MAX_VALUE ? least + " or more" : "from " + least + " to " + most;
            throw new IllegalArgumentException(name + ": expected " + range + ", found " + value);
        }
    }

    /** SQS takes whole seconds: half a second would silently become none. */
    static void requireSecondsBetween(String name, Duration value, Duration least, Duration most) {
        boolean whole = value.getNano() == 0;
        if (!whole || value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + ": expected whole seconds from " + least.toSeconds() + " s to "
                    + most.toSeconds() + " s, found " + value);
        }
    }

    static void requireMatch(String name, String value, Pattern pattern, String expectation) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException(name + ": expected " + expectation + ", found '" + value + "'");
        }
    }
}
