package dev.windrow.provision;

import java.util.regex.Pattern;

import dev.windrow.table.TableSchema;

/**
 * A table to provision. Its keys, index and expiry are those of {@link TableSchema}; only this much is free.
 *
 * @param name 3 to 255 of letters, digits, {@code _}, {@code -} and {@code .} (DynamoDB naming rules)
 * @param billing how a table that has to be created is charged; a table that exists keeps its own way
 */
public record TableSpec(String name, Billing billing) {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

    public TableSpec {
        SettingChecks.requireMatch("table name", name, NAME, "3 to 255 letters, digits, '_', '-' or '.'");
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
