package dev.windrow.writer.table;

import java.util.OptionalDouble;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of writes to the table. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.writer.store")
public interface StoreConfig {

    /**
     * Maximum number of writes of buckets in flight. Each event loop may open 32 connections more than this, for the
     * journal's lanes and records.
     */
    @SettingRange(unit = "requests", min = "1")
    @WithDefault("64")
    int maxConcurrency();

    /**
     * Maximum write units per second and process of bucket updates, table and index together; the journal's own writes are
     * not limited. Without it the rate is unlimited until the table throttles.
     */
    @SettingRange(unit = "write units per second", above = "0")
    OptionalDouble maxWriteUnits();
}
