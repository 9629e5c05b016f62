package dev.windrow.provision;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import dev.windrow.table.TableSchema;

/**
 * A table to provision. Its keys, index and expiry are those of {@link TableSchema}; only this much is free.
 *
 * @param name 3 to 255 of letters, digits, {@code _}, {@code -} and {@code .} (DynamoDB naming rules)
 * @param billing how a table that has to be created is charged; a table that exists keeps its own way
 * @param rankedMeasures measures of leaderboards, each of which needs an index; a table that exists gets those it lacks
 */
public record TableSpec(String name, Billing billing, Set<String> rankedMeasures) {

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

    /** A table without leaderboards. */
    public TableSpec(String name, Billing billing) {
        this(name, billing, Set.of());
    }

    /** The same table, with leaderboards by these measures. */
    public TableSpec withRanks(Set<String> measures) {
        return new TableSpec(name, billing, measures);
    }

    /** The table with Windrow's default name, charged by request. */
    public static TableSpec defaults() {
        return named(TableSchema.TABLE);
    }

    /** A table charged by request. */
    public static TableSpec named(String name) {
        return new TableSpec(name, new Billing.OnDemand());
    }
}
