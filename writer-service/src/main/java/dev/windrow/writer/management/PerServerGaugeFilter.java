package dev.windrow.writer.management;

import java.util.Set;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/**
 * Leaves out gauges that each HTTP server registers under one name, of which there is one for each port and event loop: the
 * first one's number would stand for all, with a warning in the log for each of the others.
 */
@Singleton
class PerServerGaugeFilter implements MeterFilter {

    private static final Set<String> NAMES = Set.of("http.server.active.connections", "http.server.active.requests",
            "vertx.http.connections.current", "vertx.http.connections.max");

    @Override
    public MeterFilterReply accept(Meter.Id id) {
        return NAMES.contains(id.getName()) ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
    }
}
