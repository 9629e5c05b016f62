package dev.windrow.writer.operate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.WriterState;
import dev.windrow.writer.table.TableHealth;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;

/**
 * Live while the flow receives: an idle flow completes a receive every few seconds, and one whose queue is down fails as
 * often. While full memory delays receives, the flow is live as long as writes end, failed or not. A restart helps only when
 * neither happens any more. A drain is always live: it ends by itself, and a restart would cut it short.
 */
@Liveness
@Singleton
record WriterHealth(WriterState state) implements HealthCheck {

    /** Several times the interval between failing requests, so that an outage of queue or table is no stuck flow. */
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Override
    public HealthCheckResponse call() {
        long nanos = state.nanosSinceProgress();
        boolean moves = state.phase() == WriterState.Phase.DRAINING || nanos < TIMEOUT.toNanos();
        return HealthCheckResponse.named("flow").withData("secondsSinceMove", nanos / 1_000_000_000L)
                .withData("broken", state.isBroken()).status(moves && !state.isBroken()).build();
    }

    /**
     * Whether events are counted; the metric {@code windrow_writer_ready} agrees with the probe. The writer is ready once
     * queues and table are found and a lane is acquired, until the drain begins, unless it is paused, a receive failed, or
     * an operator must repair the table.
     */
    @Readiness
    @Singleton
    record FlowReadiness(WriterState state, TableHealth table) implements HealthCheck {

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
}
