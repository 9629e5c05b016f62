package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.FlowMetrics;
import dev.windrow.writer.ReceiveMonitor;
import dev.windrow.writer.WriterState;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.operate.WriterHealth.FlowReadiness;
import dev.windrow.writer.table.ItemUpdate;
import dev.windrow.writer.table.TableHealth;
import dev.windrow.writer.table.TableWrite;
import dev.windrow.writer.table.WriteFailedException;
import dev.windrow.writer.testing.TestMessages;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;

/**
 * What the management port shows. A flow that is stuck is restarted, and no other: in each case, hours pass at the given pace.
 * A writer may be up and count nothing: readiness and its metric say so alike.
 */
class WriterHealthTest {

    private static final SourceQueue QUEUE = TestMessages.queue("events");
    private static final Duration HOURS = Duration.ofHours(3);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final TableWrite RENEWAL = TableWrite
            .single(new ItemUpdate(TableSchema.lanePartitionKey(0), TableSchema.LANE_SK));
    private static final TableWrite CUT = TableWrite.single(new ItemUpdate("~cut#0", "cut"));
    private static final TableWrite CLAIM = new TableWrite(
            List.of(RENEWAL.updates().get(0), new ItemUpdate("~slot#0", "slot")));

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final AtomicBoolean full = new AtomicBoolean();
    private final AtomicBoolean seatless = new AtomicBoolean();
    private final AtomicBoolean failing = new AtomicBoolean();
    private final WriterState state = new WriterState(nanos::get);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReceiveMonitor receives = new ReceiveMonitor(new FlowMetrics(registry, Clock.systemUTC(),
            new Datasets(List.of(), Set.of(), List.of()), full::get), state);
    private final TableHealth table = new TableHealth(System::nanoTime);
    private final FlowReadiness readiness = new FlowReadiness(state, table);

    @BeforeEach
    void run() {
        state.heldBackWhile(full::get);
        state.lanelessIf(seatless::get);
        state.running();
        readiness.register(new StartupEvent(), registry);
    }

    @Test
    void isDownOnceReceivingHasEndedThoughTheLaneIsRenewed() {
        receives.received(QUEUE, List.of());
        assertDownAfter(() -> lane(RENEWAL));
    }

    @Test
    void isDownOnceReceivingHasEndedThoughMessagesAreStillWritten() {
        assertDownAfter(state::releasing);
    }

    @Test
    void isDownOnceNothingFreesTheMemoryThatHoldsReceivesBack() {
        full.set(true);
        assertDownAfter(() -> {
            lane(RENEWAL);
            read();
        });
    }

    @Test
    void isUpWhileReceivesEndOrAreLeftOut() {
        assertUp(Duration.ofSeconds(20), () -> receives.received(QUEUE, List.of()));
        assertUp(Duration.ofSeconds(31), () -> receives.failed(QUEUE, Reason.ACCESS_DENIED));
        assertUp(Duration.ofMillis(250), receives::passed);
    }

    @Test
    void isUpWhileMemoryIsFullAndSomethingMayFreeIt() {
        full.set(true);
        assertUp(Duration.ofSeconds(1), () -> lane(CLAIM));
        assertUp(Duration.ofSeconds(9), () -> lane(CUT));
        assertUp(Duration.ofSeconds(10), state::releasing);
    }

    /** Claims wait for what is under way, a renewal too. */
    @Test
    void isUpWhileMemoryIsFullAndTheTableIsDown() {
        full.set(true);
        failing.set(true);
        assertUp(Duration.ofSeconds(9), state::releasing);
        assertUp(Duration.ofSeconds(9), () -> lane(RENEWAL));
    }

    @Test
    void isUpWhileMemoryIsFullAndAllLanesAreHeldByOthers() {
        full.set(true);
        seatless.set(true);
        assertUp(Duration.ofSeconds(1), this::read);
    }

    @Test
    void isUpWhileTheFirstReceiveAfterAnOutageIsUnderWay() {
        // Given
        full.set(true);
        pass(HOURS, Duration.ofSeconds(1), state::releasing);

        // When
        receives.started();
        full.set(false);
        nanos.addAndGet(Duration.ofSeconds(30).toNanos());

        // Then
        assertThat(isUp()).isTrue();
    }

    /** The last write may be long ago when memory is suddenly full. */
    @Test
    void isUpWhenMemoryBecomesFullAfterIdleHours() {
        // Given
        pass(HOURS, Duration.ofSeconds(20), () -> receives.received(QUEUE, List.of()));

        // When
        full.set(true);

        // Then
        assertThat(isUp()).isTrue();
    }

    @Test
    void isUpWhileItStartsAndWhileItDrains() {
        // Given
        WriterState starting = new WriterState(nanos::get);
        pass(HOURS, Duration.ofSeconds(20), () -> starting.waiting("a table"));
        assertThat(isUp(starting)).isTrue();

        // When
        starting.running();
        starting.draining();
        nanos.addAndGet(HOURS.toNanos());

        // Then
        assertThat(isUp(starting)).isTrue();
    }

    @Test
    void isDownOnceItStartsWithoutASign() {
        WriterState starting = new WriterState(nanos::get);

        nanos.addAndGet(TIMEOUT.toNanos());

        assertThat(isUp(starting)).isFalse();
    }

    @Test
    void isDownAndNotReadyOnceTheFlowIsBroken() {
        receives.received(QUEUE, List.of());

        state.broken();

        assertThat(isUp()).isFalse();
        assertThat(ready()).isZero();
    }

    @Test
    void isReadyOnlyWhileTheWriterRuns() {
        assertThat(new FlowReadiness(new WriterState(), table).call().getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(ready()).isEqualTo(1);

        state.pause(true);
        assertThat(ready()).isZero();

        state.pause(false);
        assertThat(ready()).isEqualTo(1);

        state.draining();
        assertThat(ready()).isZero();
    }

    @Test
    void isNotReadyFromAFailedReceiveUntilOneFromTheSameQueueSucceeds() {
        // Given
        receives.received(QUEUE, List.of());
        assertThat(ready()).isEqualTo(1);

        // When
        receives.failed(QUEUE, Reason.ACCESS_DENIED);

        // Then
        assertThat(ready()).isZero();
        receives.received(TestMessages.queue("other"), List.of());
        assertThat(ready()).isZero();

        // When
        receives.received(QUEUE, List.of());

        // Then
        assertThat(ready()).isEqualTo(1);
    }

    @Test
    void isNotReadyWhileTheTableIsDenied() {
        // Given
        // When
        table.watching((partitionKey, sortKey) -> Uni.createFrom()
                .failure(new WriteFailedException(Reason.ACCESS_DENIED, "no permission")))
                .read("pk", "sk").onFailure().recoverWithNull().await().indefinitely();

        // Then
        assertThat(ready()).isZero();
    }

    @Test
    void isNotReadyWithoutALaneAndSaysWhy() {
        seatless.set(true);

        assertThat(ready()).isZero();
        assertThat(readiness.call().getData().orElseThrow().get("lane").toString()).contains("one of 64 lanes");
    }

    private void assertDownAfter(Runnable sign) {
        pass(TIMEOUT, Duration.ofSeconds(5), sign);
        assertThat(isUp()).isFalse();
    }

    private void assertUp(Duration pace, Runnable sign) {
        pass(HOURS, pace, () -> {
            assertThat(isUp()).isTrue();
            sign.run();
        });
    }

    private void pass(Duration time, Duration pace, Runnable sign) {
        for (long passed = 0; passed < time.toNanos(); passed += pace.toNanos()) {
            nanos.addAndGet(pace.toNanos());
            sign.run();
        }
    }

    /** What the probe of readiness says as well. */
    private double ready() {
        double gauge = registry.get("windrow.writer.ready").gauge().value();
        assertThat(readiness.call().getStatus() == HealthCheckResponse.Status.UP).isEqualTo(gauge == 1);
        return gauge;
    }

    private boolean isUp() {
        return isUp(state);
    }

    private static boolean isUp(WriterState state) {
        return new WriterHealth(state).call().getStatus() == HealthCheckResponse.Status.UP;
    }

    private void lane(TableWrite write) {
        state.laneWritten(write, failing.get() ? new WriteFailedException(Reason.UNAVAILABLE, "no table") : null);
    }

    private void read() {
        state.reads((partitionKey, sortKey) -> Uni.createFrom().item(Map.of())).read("~lane#0", "lane").await().indefinitely();
    }
}
