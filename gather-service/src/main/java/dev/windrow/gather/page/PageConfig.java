package dev.windrow.gather.page;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The page at {@code /}. */
@ConfigMapping(prefix = "windrow.gather.page")
public interface PageConfig {

    /**
     * Whether the gatherer serves a page at {@code /} that shows its datasets in a browser. The page itself needs no
     * credential; its queries need those of any client.
     */
    @WithDefault("true")
    boolean enabled();
}
