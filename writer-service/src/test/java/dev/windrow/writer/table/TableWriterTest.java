package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.testing.Patience;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class TableWriterTest {

    private static final Duration PATIENCE = Patience.LIMIT;
    private static final TableWrite WRITE = TableWrite.single(new ItemUpdate("p", "s"));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    @AutoClose("shutdownNow")
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    /** Starts below zero: a monotonic clock may start anywhere. */
    private final AtomicLong nanos = new AtomicLong(-Duration.ofHours(1).toNanos());
    private final TableHealth health = new TableHealth(nanos::get);

    @Test
    void sendsFewRequestsToATableThatIsOutOfOrder() {
        // Given
        FakeWrites broken = FakeWrites.failing(IntStream.range(0, 50).mapToObj(i -> failure(Reason.UNAVAILABLE))
                .toArray(WriteFailedException[]::new));
        TableClient writes = TableWriter.ofLanes(target(broken), 64, registry, () -> 0);

        // When
        for (int i = 0; i < 50; i++) {
            assertThatThrownBy(() -> writes.write(WRITE).await().atMost(PATIENCE)).isInstanceOf(WriteFailedException.class);
        }

        // Then
        assertThat(broken.calls()).isEqualTo(20);
    }

    @Test
    void aWriteThatSucceedsDoesNotOpenTheCircuitBreaker() {
        // Given enough failures to open the breaker, but too few results until writes succeed
        FakeWrites table = FakeWrites.failing(IntStream.range(0, 12).mapToObj(i -> failure(Reason.UNAVAILABLE))
                .toArray(WriteFailedException[]::new));
        TableClient writes = TableWriter.ofLanes(target(table), 64, registry, () -> 0);

        // When
        for (int i = 0; i < 32; i++) {
            writes.write(WRITE).onFailure().recoverWithNull().await().atMost(PATIENCE);
        }

        // Then
        assertThat(table.calls()).isEqualTo(32);
    }

    /** The journal repeats them, because it knows what else is waiting to be sent. */
    @Test
    void bucketUpdatesAreTriedOnce() {
        FakeWrites table = FakeWrites.failing(failure(Reason.THROTTLED));
        TableClient writes = TableWriter.ofBuckets(target(table), config(Map.of()), registry, timer, System::nanoTime);

        assertThatThrownBy(() -> writes.write(WRITE).await().atMost(PATIENCE)).isInstanceOf(WriteFailedException.class);

        assertThat(table.calls()).isEqualTo(1);
    }

    @Test
    void bucketUpdatesTakeNoMoreWriteUnitsThanAreSet() {
        // Given four units a second, with a burst of a quarter
        FakeWrites table = FakeWrites.failing();
        TableClient writes = TableWriter.ofBuckets(target(table), config(Map.of("windrow.writer.store.max-write-units", "4")),
                registry, timer, nanos::get);

        // When
        var written = IntStream.range(0, 3).mapToObj(i -> writes.write(WRITE).subscribe()
                .withSubscriber(UniAssertSubscriber.create())).toList();
        await().atMost(PATIENCE).until(() -> table.calls() == 1);
        nanos.addAndGet(Duration.ofMillis(250).toNanos());
        await().atMost(PATIENCE).until(() -> table.calls() == 2);

        // Then the rest waits while no time passes
        await().during(Duration.ofMillis(200)).atMost(PATIENCE).until(() -> table.calls() == 2);
        nanos.addAndGet(Duration.ofMillis(250).toNanos());
        written.forEach(write -> write.awaitItem(PATIENCE));
    }

    @Test
    void allWhoLookAtAWriteAreToldOnceHowItEnded() {
        // Given
        TableHealth health = new TableHealth(System::nanoTime);
        List<String> ended = new ArrayList<>();
        FakeWrites table = FakeWrites.failing(failure(Reason.ACCESS_DENIED), failure(Reason.THROTTLED));
        TableClient writes = TableWriter.ofBuckets(
                new WriteTarget(table, health,
                        (write, failure) -> ended.add(failure == null ? "applied" : failure.getMessage())),
                config(Map.of()), registry, timer, System::nanoTime);

        // When
        assertThatThrownBy(() -> writes.write(WRITE).await().atMost(PATIENCE)).hasMessage("access-denied");

        // Then
        assertThat(health.problem()).isEqualTo("access-denied: access-denied");
        assertThatThrownBy(() -> writes.write(WRITE).await().atMost(PATIENCE)).hasMessage("throttled");
        assertThat(registry.get("windrow.writer.write.rate").gauge().value()).as("lowered").isLessThan(1_000);
        writes.write(WRITE).await().atMost(PATIENCE);
        assertThat(health.problem()).isNull();
        assertThat(ended).containsExactly("access-denied", "throttled", "applied");
        assertThat(registry.get("windrow.writer.write").timer().count()).isEqualTo(3);
        assertThat(registry.get("windrow.writer.updates").counter().count()).isEqualTo(1);
        assertThat(registry.get("windrow.writer.write.failures").tag("reason", "throttled").counter().count()).isEqualTo(1);
    }

    @Test
    void unitsAndThrottlesShowWhichIndexOfWhichDatasetIsHot() {
        // Given
        WriteFailedException hot = new WriteFailedException(Reason.THROTTLED, "slow down", WriteFailedException.WHOLE,
                true, "scatter");
        Deque<Uni<WriteResult>> answers = new ArrayDeque<>(List.of(Uni.createFrom().failure(hot),
                Uni.createFrom().failure(failure(Reason.THROTTLED)),
                Uni.createFrom().item(new WriteResult(5, Map.of("scatter", 2.0, "rank-best", 1.5), Map.of()))));
        TableClient writes = TableWriter.ofBuckets(target(write -> answers.remove()), config(Map.of()), registry, timer,
                System::nanoTime);
        TableWrite ofScores = TableWrite.single(new ItemUpdate("tenant#scores#Comet#0", "minute#2026-11-20T10:31:00Z"));

        // When
        writes.write(ofScores).onFailure().recoverWithNull().await().atMost(PATIENCE);
        assertThat(registry.get("windrow.writer.write.rate").gauge().value()).as("one key is no reason to lower it")
                .isInfinite();
        for (int i = 0; i < 2; i++) {
            writes.write(ofScores).onFailure().recoverWithNull().await().atMost(PATIENCE);
        }

        // Then
        assertThat(tagged("windrow.writer.throttled.writes")).isEqualTo(Map.of("scores scatter", 1.0, "scores unknown", 1.0));
        assertThat(tagged("windrow.writer.write.units"))
                .isEqualTo(Map.of("scores table", 1.5, "scores scatter", 2.0, "scores rank-best", 1.5));
    }

    @Test
    void whatTheJournalWritesOfItsOwnIsNoDatasets() {
        TableWrite lane = TableWrite.single(new ItemUpdate("~lane#3", "lane"));
        TableWrite claim = new TableWrite(List.of(new ItemUpdate("tenant#scores#Comet#0", "hour#"), lane.updates().get(0)));

        assertThat(List.of(lane.dataset(), claim.dataset())).containsOnly("~journal");
    }

    @Test
    void aDeniedWriteIsTheTablesProblemWhereNoneSucceeds() {
        // When
        fail(Reason.ACCESS_DENIED);

        // Then
        assertThat(health.takesWrites()).isFalse();
        assertThat(health.problem()).isEqualTo("access-denied: detail");
    }

    @Test
    void aDeniedWriteIsItsLabelsProblemWhileOthersSucceed() {
        // When
        health.succeeded();
        pass(Duration.ofSeconds(30));
        fail(Reason.ACCESS_DENIED);

        // Then
        assertThat(health.takesWrites()).isTrue();
        assertThat(health.problem()).isNull();

        // And when no write has succeeded for a minute
        pass(Duration.ofSeconds(31));
        assertThat(health.takesWrites()).isFalse();
        assertThat(health.problem()).contains("access-denied");
    }

    @Test
    void otherKeysAreAProblemAtOnceUntilAWriteSucceeds() {
        // Given
        health.succeeded();
        pass(Duration.ofSeconds(1));

        // When
        fail(Reason.SCHEMA_MISMATCH);
        assertThat(health.problem()).isEqualTo("schema-mismatch: detail");
        pass(Duration.ofSeconds(1));
        health.succeeded();

        // Then
        assertThat(health.problem()).isNull();
    }

    @Test
    void anOutageIsNotTheOperatorsToMend() {
        fail(Reason.UNAVAILABLE);
        fail(Reason.THROTTLED);

        assertThat(health.problem()).isNull();
    }

    private Map<String, Double> tagged(String counter) {
        return registry.find(counter).counters().stream().collect(Collectors.toMap(
                of -> of.getId().getTag("dataset") + " " + of.getId().getTag("resource"), Counter::count));
    }

    private static WriteTarget target(TableClient table) {
        return new WriteTarget(table, new TableHealth(System::nanoTime), (write, failure) -> {
        });
    }

    private static StoreConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder().addDiscoveredConverters().withMapping(StoreConfig.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100)).build().getConfigMapping(StoreConfig.class);
    }

    private static WriteFailedException failure(Reason reason) {
        return new WriteFailedException(reason, reason.word());
    }

    private void fail(Reason reason) {
        health.failed(new WriteFailedException(reason, "detail"));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** A table that fails a few times before it takes writes. */
    static final class FakeWrites implements TableClient {

        private final Deque<RuntimeException> failures = new ArrayDeque<>();
        private int calls;

        /** Fails with these failures in order, then succeeds. */
        static FakeWrites failing(RuntimeException... failures) {
            FakeWrites fake = new FakeWrites();
            fake.failures.addAll(List.of(failures));
            return fake;
        }

        @Override
        public synchronized Uni<WriteResult> write(TableWrite write) {
            calls++;
            RuntimeException failure = failures.poll();
            return failure == null ? Uni.createFrom().item(new WriteResult(1, Map.of(), Map.of()))
                    : Uni.createFrom().failure(failure);
        }

        synchronized int calls() {
            return calls;
        }
    }
}
