package dev.windrow.dataset;

import org.jspecify.annotations.Nullable;

/**
 * How a dataset, a measure or a ratio is presented to users. It affects neither what is computed nor what is stored, so it
 * can change at any time.
 *
 * @param title a readable name, up to 100 characters; null to show the name itself
 * @param description one or a few sentences, up to 1,000 characters; null for none
 * @param unit the unit of its numbers: {@code bytes}, {@code seconds}, {@code percent} (1 is 100 percent, as in ratios) or
 *        a currency code (ISO 4217); null for none, and for a dataset
 */
public record About(@Nullable String title, @Nullable String description, @Nullable String unit) {

    static final About NOTHING = new About(null, null, null);
}
