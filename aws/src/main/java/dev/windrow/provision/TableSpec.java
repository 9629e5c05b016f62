package dev.windrow.provision;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import dev.windrow.table.TableSchema;

/**
 * A table to provision. Its keys, index and expiry are those of {@link TableSchema}; only the following can be chosen. A
 * new table is billed per request; an existing one keeps its billing mode.
 *
 * @param name 3 to 255 letters, digits, {@code _}, {@code -} and {@code .} (DynamoDB naming rules)
 * @param rankedMeasures measures of leaderboards, each of which needs an index; missing ones are added to an existing table
 */
public record TableSpec(String name, Set<String> rankedMeasures) {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");
    private static final String NAME_RULE = "3 to 255 letters, digits, '_', '-' or '.'";

    public TableSpec {
        rankedMeasures = Collections.unmodifiableSet(new TreeSet<>(rankedMeasures));
        requireMatch("table name", name, NAME, NAME_RULE);
    }

    /**
     * Requires a name that DynamoDB accepts.
     *
     * @throws IllegalArgumentException that names the setting
     */
    public static void requireName(String setting, String name) {
        requireMatch(setting, name, NAME, "a table's name: " + NAME_RULE);
    }

    static void requireMatch(String setting, String value, Pattern pattern, String expectation) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException(setting + ": expected " + expectation + ", found '" + value + "'");
        }
    }

    /** A table without leaderboards. */
    public static TableSpec named(String name) {
        return new TableSpec(name, Set.of());
    }
}
