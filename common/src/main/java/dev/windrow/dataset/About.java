package dev.windrow.dataset;

import org.jspecify.annotations.Nullable;

/**
 * What people are told of a dataset, a measure or a ratio. Nothing is computed or stored by it, so it may change at any time.
 *
 * @param title a name for people; null if it has none but its own
 * @param description what it is; null if nothing is said
 * @param unit of its numbers: {@code bytes}, {@code seconds}, {@code percent} (1 is one percent) or the code of a currency
 *        (ISO 4217); null if they have none
 */
public record About(@Nullable String title, @Nullable String description, @Nullable String unit) {

    static final About NOTHING = new About(null, null, null);

    static final int MAX_TITLE = 100;
    static final int MAX_DESCRIPTION = 1_000;
    static final String UNITS = "bytes|seconds|percent|[A-Z]{3}";
}
