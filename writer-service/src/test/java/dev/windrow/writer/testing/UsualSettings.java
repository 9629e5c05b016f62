package dev.windrow.writer.testing;

import java.time.Duration;
import java.util.Map;

import dev.windrow.writer.journal.ClaimLimits;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.WriteEvery;

/** The settings of a journal that tests use unless they say otherwise. */
public final class UsualSettings {

    private UsualSettings() {
    }

    public static JournalSettings of(String holder) {
        return new JournalSettings(holder, Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ofDays(15),
                JournalSettings.DELETE_AFTER, 128, 200_000, 1_000, ClaimLimits.DEFAULTS, JournalSettings.DENIED_FOR,
                new WriteEvery(Map.of()), JournalSettings.BACKLOG_DELAY, JournalSettings.DEFER_AFTER);
    }
}
