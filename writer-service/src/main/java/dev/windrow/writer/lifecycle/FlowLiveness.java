package dev.windrow.writer.lifecycle;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Live while there is progress: an idle flow still completes a receive every few seconds, and a flow whose table fails
 * still completes failed writes. Only when neither happens any more can a restart help.
 */
@Liveness
@ApplicationScoped
class FlowLiveness implements HealthCheck {

    private final WriterState state;
    private final WriterConfig config;

    FlowLiveness(WriterState state, WriterConfig config) {
        this.state = state;
        this.config = config;
    }

    @Override
    public HealthCheckResponse call() {
        long nanos = state.nanosSinceMove();
        return HealthCheckResponse.named("flow").withData("secondsSinceMove", nanos / 1_000_000_000L)
                .status(nanos < config.livenessTimeout().toNanos() && !state.isBroken()).build();
    }
}
