package dev.windrow.writer.process;

import java.util.Locale;

/** How a writer remembers what it has counted. */
enum StorageFormat {
    LEDGER,
    JOURNAL;

    /** In lower case. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
