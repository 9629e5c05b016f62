package dev.windrow.writer.lifecycle;

import java.util.Locale;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

import dev.windrow.writer.store.TableHealth;

/** Ready from when queues and table were found until the drain begins, unless the operator must repair the table. */
@Readiness
@ApplicationScoped
class FlowReadiness implements HealthCheck {

    private final WriterState state;
    private final TableHealth table;

    FlowReadiness(WriterState state, TableHealth table) {
        this.state = state;
        this.table = table;
    }

    @Override
    public HealthCheckResponse call() {
        WriterState.Phase phase = state.phase();
        var response = HealthCheckResponse.named("flow").withData("phase", phase.name().toLowerCase(Locale.ROOT));
        if (phase == WriterState.Phase.STARTING) {
            response.withData("waitingFor", state.waitingFor());
        }
        String problem = table.problem();
        if (problem != null) {
            response.withData("table", problem);
        }
        return response.status(phase == WriterState.Phase.RUNNING && problem == null).build();
    }
}
