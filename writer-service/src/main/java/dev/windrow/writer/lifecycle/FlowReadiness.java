package dev.windrow.writer.lifecycle;

import java.util.Locale;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready from when the queues were found until the drain begins. */
@Readiness
@ApplicationScoped
class FlowReadiness implements HealthCheck {

    private final WriterState state;

    FlowReadiness(WriterState state) {
        this.state = state;
    }

    @Override
    public HealthCheckResponse call() {
        WriterState.Phase phase = state.phase();
        var response = HealthCheckResponse.named("flow").withData("phase", phase.name().toLowerCase(Locale.ROOT));
        if (phase == WriterState.Phase.STARTING) {
            response.withData("waitingFor", state.waitingFor());
        }
        return response.status(phase == WriterState.Phase.RUNNING).build();
    }
}
