package dev.windrow.writer.lifecycle;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Live while the flow receives: an idle one completes a receive every few seconds, and one whose queue is down fails as
 * often. While full memory holds receives back, live as long as writes end, failed or not. Only when neither happens any
 * more can a restart help. A drain ends by itself, and a restart would only cut it short.
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
        long nanos = state.progress().nanosSince();
        boolean moves = state.phase() == WriterState.Phase.DRAINING || nanos < config.livenessTimeout().toNanos();
        return HealthCheckResponse.named("flow").withData("secondsSinceMove", nanos / 1_000_000_000L)
                .withData("broken", state.isBroken()).status(moves && !state.isBroken()).build();
    }
}
