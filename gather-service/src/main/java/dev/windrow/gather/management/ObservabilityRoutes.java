package dev.windrow.gather.management;

import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import io.quarkus.micrometer.runtime.export.handlers.PrometheusHandler;
import io.quarkus.smallrye.health.runtime.SmallRyeHealthHandler;
import io.quarkus.smallrye.health.runtime.SmallRyeLivenessHandler;
import io.quarkus.smallrye.health.runtime.SmallRyeReadinessHandler;
import io.quarkus.smallrye.health.runtime.SmallRyeStartupHandler;
import io.vertx.ext.web.Router;

/**
 * Serves health and metrics on the service's own port as well. A cluster probes the management port, which needs no route
 * from outside; people and scripts on one machine need to know one port only.
 */
@ApplicationScoped
class ObservabilityRoutes {

    void add(@Observes Router router) {
        router.get("/q/health").handler(new SmallRyeHealthHandler());
        router.get("/q/health/live").handler(new SmallRyeLivenessHandler());
        router.get("/q/health/ready").handler(new SmallRyeReadinessHandler());
        router.get("/q/health/started").handler(new SmallRyeStartupHandler());
        // Reading all meters may take longer than an event loop may be held.
        router.get("/q/metrics").blockingHandler(new PrometheusHandler(false, Optional.empty()), false);
    }
}
