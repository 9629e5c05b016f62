package dev.windrow.gather.operate;

import java.time.Duration;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.http.ApiConfig;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;

/**
 * Liveness: down if queries have been overdue for long and none has completed. A table that fails or hangs does not count:
 * queries then end as problems, and a restart would not help.
 */
@Liveness
@Singleton
record QueryLiveness(Gatherer gatherer, ApiConfig config) implements AsyncHealthCheck {

    @Override
    public Uni<HealthCheckResponse> call() {
        // Running queries may all take the maximum time, and the queued ones as long again.
        Duration limit = config.maxTimeout().multipliedBy(2);
        return Uni.createFrom().item(gatherer::overdueFor).map(overdue -> HealthCheckResponse.named("queries")
                .status(overdue.compareTo(limit) < 0).withData("overdueSeconds", overdue.toSeconds()).build());
    }
}
