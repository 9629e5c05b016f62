package dev.windrow.provision;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import dev.windrow.table.TableSchema;

/**
 * A table to provision. Its keys, index and expiry are those of {@link TableSchema}; only this much is free. A table that has
 * to be created is charged by request; one that exists keeps its way.
 *
 * @param name 3 to 255 of letters, digits, {@code _}, {@code -} and {@code .} (DynamoDB naming rules)
 * @param rankedMeasures measures of leaderboards, each of which needs an index; a table that exists gets those it lacks
 */
public record TableSpec(String name, Set<String> rankedMeasures) {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");
    private static final String NAME_RULE = "3 to 255 letters, digits, '_', '-' or '.'";

    public TableSpec {
        rankedMeasures = Collections.unmodifiableSet(new TreeSet<>(rankedMeasures));
        SettingChecks.requireMatch("table name", name, NAME, NAME_RULE);
    }

    /**
     * Requires a name that DynamoDB accepts.
     *
     * @param setting where the name comes from
     * @throws IllegalArgumentException which names the setting
     */
    public static void requireName(String setting, String name) {
        SettingChecks.requireMatch(setting, name, NAME, "a table's name: " + NAME_RULE);
    }

    /** The same table, with leaderboards by these measures. */
    public TableSpec withRanks(Set<String> measures) {
        return new TableSpec(name, measures);
    }

    /** The table with Windrow's default name, without leaderboards. */
    public static TableSpec defaults() {
        return named(TableSchema.TABLE);
    }

    /** A table without leaderboards. */
    public static TableSpec named(String name) {
        return new TableSpec(name, Set.of());
    }
}
