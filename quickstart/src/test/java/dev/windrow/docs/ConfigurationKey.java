package dev.windrow.docs;

import java.util.Locale;

/**
 * A configuration key, as its {@code @ConfigMapping} interface declares it.
 *
 * @param meaning from the Javadoc, as Markdown
 * @param defaultValue as Markdown
 * @param range unit and range, from its {@code @SettingRange} or the Javadoc's {@code @return}
 * @param pattern that a text matches, or empty
 */
record ConfigurationKey(String name, String meaning, String type, String defaultValue, String range, String pattern) {

    /** The environment variable that sets it (MicroProfile Config, "Environment variables mapping rules"). */
    String environmentVariable() {
        return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    String row() {
        return "| `" + name + "`<br>`" + environmentVariable() + "` | " + cell(meaning) + " | " + type + " | " + defaultValue
                + " | " + cell(range) + " |\n";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
