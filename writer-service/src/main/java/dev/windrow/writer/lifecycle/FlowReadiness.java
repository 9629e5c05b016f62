package dev.windrow.writer.lifecycle;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.store.TableHealth;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;

/**
 * Whether events are counted: the probe and the metric {@code windrow_writer_ready} say the same. Ready from when queues and
 * table were found and a lane was acquired until the drain begins, unless it is paused, a receive failed, or an operator must
 * repair the table.
 */
@Readiness
@ApplicationScoped
class FlowReadiness implements HealthCheck {

    private final WriterState state;
    private final TableHealth table;

    FlowReadiness(WriterState state, TableHealth table) {
        this.state = state;
        this.table = table;
    }

    void register(@Observes StartupEvent start, MeterRegistry registry) {
        Gauge.builder("windrow.writer.ready", this, self -> self.problems().isEmpty() ? 1 : 0)
                .description("1 while the writer counts events, as its readiness probe says, else 0").register(registry);
    }

    @Override
    public HealthCheckResponse call() {
        Map<String, String> problems = problems();
        var response = HealthCheckResponse.named("flow").withData("phase", phase());
        problems.forEach(response::withData);
        return response.status(problems.isEmpty()).build();
    }

    private String phase() {
        return state.phase().name().toLowerCase(Locale.ROOT);
    }

    private Map<String, String> problems() {
        Map<String, String> problems = new LinkedHashMap<>();
        if (state.phase() == WriterState.Phase.STARTING) {
            problems.put("waitingFor", state.waitingFor());
        } else if (state.phase() == WriterState.Phase.DRAINING) {
            problems.put("phase", phase());
        } else if (state.isLaneless()) {
            problems.put("lane",
                    "none: waiting for one of " + TableSchema.MAX_LANES + " lanes, each of a writer on this table");
        }
        if (state.isBroken()) {
            problems.put("broken", "only a restart helps, see the log");
        }
        if (state.isPaused()) {
            problems.put("paused", "by an operator");
        }
        String failing = String.join(", ", state.failingQueues());
        if (!failing.isEmpty()) {
            problems.put("receive", "fails: " + failing);
        }
        String problem = table.problem();
        if (problem != null) {
            problems.put("table", problem);
        }
        return problems;
    }
}
