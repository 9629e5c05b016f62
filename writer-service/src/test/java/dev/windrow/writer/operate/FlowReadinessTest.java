package dev.windrow.writer.operate;

import static dev.windrow.writer.testing.TestMessages.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.List;
import java.util.Set;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.writer.DecodeStage.FlowMetrics;
import dev.windrow.writer.WriterState;
import dev.windrow.writer.WriterState.ReceiveMonitor;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.operate.WriterHealth.FlowReadiness;
import dev.windrow.writer.table.TableWriter.TableHealth;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;

/** A writer may be up and count nothing: probe and metric say so alike. */
class FlowReadinessTest {

    private static final SourceQueue QUEUE = queue("events");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WriterState state = new WriterState();
    private final TableHealth table = new TableHealth(System::nanoTime);
    private final FlowReadiness readiness = new FlowReadiness(state, table);
    private final ReceiveMonitor receives = new ReceiveMonitor(
            new FlowMetrics(registry, Clock.systemUTC(), new Datasets(List.of(), Set.of(), List.of()), () -> false), state);

    @BeforeEach
    void register() {
        readiness.register(new StartupEvent(), registry);
        state.lanelessIf(() -> false);
    }

    @Test
    void isOneOnlyWhileTheWriterRuns() {
        assertThat(ready()).isZero();

        state.running();
        assertThat(ready()).isEqualTo(1);

        state.draining();
        assertThat(ready()).isZero();
    }

    @Test
    void isZeroWhilePaused() {
        state.running();

        state.pause(true);
        assertThat(ready()).isZero();

        state.pause(false);
        assertThat(ready()).isEqualTo(1);
    }

    @Test
    void isZeroOnceOnlyARestartHelps() {
        state.running();

        state.broken();

        assertThat(ready()).isZero();
    }

    @Test
    void isZeroFromAFailedReceiveUntilOneFromTheSameQueueSucceeds() {
        // Given
        state.running();
        receives.received(QUEUE, List.of());
        assertThat(ready()).isEqualTo(1);

        // When
        receives.failed(QUEUE, Reason.ACCESS_DENIED);

        // Then
        assertThat(ready()).isZero();
        receives.received(queue("other"), List.of());
        assertThat(ready()).isZero();

        // When
        receives.received(QUEUE, List.of());

        // Then
        assertThat(ready()).isEqualTo(1);
    }

    @Test
    void isZeroWhileTheTableIsDenied() {
        // Given
        state.running();

        // When
        table.watching((partitionKey, sortKey) -> Uni.createFrom()
                .failure(new WriteFailedException(Reason.ACCESS_DENIED, "no permission")))
                .read("pk", "sk").onFailure().recoverWithNull().await().indefinitely();

        // Then
        assertThat(ready()).isZero();
    }

    @Test
    void isZeroWithoutALaneAndSaysWhy() {
        state.running();

        state.lanelessIf(() -> true);

        assertThat(ready()).isZero();
        assertThat(readiness.call().getData().orElseThrow().get("lane").toString()).contains("one of 64 lanes");
    }

    /** What the probe says as well. */
    private double ready() {
        double gauge = registry.get("windrow.writer.ready").gauge().value();
        assertThat(readiness.call().getStatus() == HealthCheckResponse.Status.UP).isEqualTo(gauge == 1);
        return gauge;
    }
}
