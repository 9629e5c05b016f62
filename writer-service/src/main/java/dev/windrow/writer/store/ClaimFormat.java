package dev.windrow.writer.store;

import java.util.Locale;

/** Where the table remembers what was counted. What one format remembers means nothing to the other. */
public enum ClaimFormat {

    /** In slots beside each series. */
    LEDGER,
    /** In the journal's slots, by message. */
    JOURNAL;

    /** The value stored in the table. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
