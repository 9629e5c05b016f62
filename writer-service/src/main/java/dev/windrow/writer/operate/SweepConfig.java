package dev.windrow.writer.operate;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the commands that sweep the table. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.sweep")
public interface SweepConfig {

    /** Maximum rate, on average, at which the commands rank, erase and expire consume read and write units. */
    @SettingRange(unit = "units per second", above = "0")
    @WithDefault("200")
    double maxUnits();
}
