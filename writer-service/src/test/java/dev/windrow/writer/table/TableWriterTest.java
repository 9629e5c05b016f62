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
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.testing.Patience;
import dev.windrow.writer.table.TableWriter.Outages;
import dev.windrow.writer.table.TableWriter.Target;
import dev.windrow.writer.table.TableWrites.ConditionFailedException;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import dev.windrow.writer.table.TableWrites.WriteFailedException.Throttling;
import dev.windrow.writer.table.TableWrites.WriteResult;
import dev.windrow.writer.testing.EmbeddedAws;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

/** In the application, as fault tolerance lives there. */
@QuarkusTest
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class TableWriterTest {

    private static final Duration PATIENCE = Patience.LIMIT;
    private static final TableWrite WRITE = TableWrite.single(new ItemUpdate("p", "s"));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final CountingRandom random = new CountingRandom();

    /** Is drawn from once for each pause before another try. */
    private static final class CountingRandom implements RandomGenerator {

        private final AtomicInteger pauses = new AtomicInteger();
        private final Random draws = new Random(1);

        @Override
        public long nextLong() {
            pauses.incrementAndGet();
            return draws.nextLong();
        }
    }

    @AfterEach
    void stopTimer() {
        timer.shutdownNow();
    }

    @Test
    void triesAgainWhateverMaySucceedLater() {
        // Given
        FakeWrites table = FakeWrites.failing(failure(Reason.THROTTLED), failure(Reason.CONTENTION),
                failure(Reason.UNAVAILABLE), failure(Reason.TIMED_OUT), failure(Reason.THROTTLED));

        // When
        WriteResult receipt = retrying(table, Outages.DEFAULTS).write(WRITE).await().atMost(PATIENCE);

        // Then
        assertThat(receipt.units()).isEqualTo(1);
        assertThat(table.calls()).isEqualTo(6);
        assertThat(failures("throttled")).isEqualTo(2);
        assertThat(failures("contention")).isEqualTo(1);
    }

    @Test
    void doesNotTryAgainWhatIsRefusedOrWhoseConditionFailed() {
        FakeWrites refusing = FakeWrites.failing(failure(Reason.REFUSED));
        FakeWrites condition = FakeWrites.failing(new ConditionFailedException(Map.of()));
        assertThatThrownBy(() -> retrying(refusing, Outages.DEFAULTS).write(WRITE).await().atMost(PATIENCE))
                .isInstanceOf(WriteFailedException.class);
        assertThatThrownBy(() -> retrying(condition, Outages.DEFAULTS).write(WRITE).await().atMost(PATIENCE))
                .isInstanceOf(ConditionFailedException.class);
        assertThat(refusing.calls() + condition.calls()).isEqualTo(2);
    }

    @Test
    void retriesAWriteThatGotNoAnswerInTime() {
        // Given
        AtomicInteger calls = new AtomicInteger();
        TableWrites late = write -> calls.incrementAndGet() < 3 ? Uni.createFrom().failure(failure(Reason.TIMED_OUT))
                : Uni.createFrom().item(new WriteResult(1, Map.of(), Map.of()));

        // When
        retrying(late, Outages.DEFAULTS).write(WRITE).await().atMost(PATIENCE);

        // Then
        assertThat(calls).hasValue(3);
    }

    @Test
    void sendsFewRequestsToATableThatIsOutOfOrder() {
        // Given
        AtomicInteger calls = new AtomicInteger();
        TableWrites broken = write -> {
            calls.incrementAndGet();
            return Uni.createFrom().failure(failure(Reason.UNAVAILABLE));
        };
        TableWrites writes = retrying(broken,
                new Outages(Duration.ofMillis(5), Duration.ofHours(1)));

        // When
        var waiting = IntStream.range(0, 50).mapToObj(i -> writes.write(WRITE).subscribe()
                .withSubscriber(UniAssertSubscriber.create())).toList();

        // Then
        await().during(Duration.ofMillis(500)).atMost(PATIENCE).until(() -> calls.get() >= 20 && calls.get() < 100);
        waiting.forEach(UniAssertSubscriber::assertNotTerminated);
        waiting.forEach(UniAssertSubscriber::cancel);
    }

    @Test
    void aWriteThatSucceedsDoesNotOpenTheCircuitBreaker() {
        // Given failures that would be the share, were there enough results
        FakeWrites table = FakeWrites.failing(IntStream.range(0, 12).mapToObj(i -> failure(Reason.UNAVAILABLE))
                .toArray(WriteFailedException[]::new));
        TableWrites writes = retrying(table,
                new Outages(Duration.ofMillis(5), Duration.ofHours(1)));

        // When
        for (int i = 0; i < 20; i++) {
            writes.write(WRITE).await().atMost(PATIENCE);
        }

        // Then
        assertThat(table.calls()).isEqualTo(32);
    }

    @Test
    void endsWhenItIsCancelled() {
        // Given
        AtomicInteger calls = new AtomicInteger();
        TableWrites throttling = write -> {
            calls.incrementAndGet();
            return Uni.createFrom().failure(failure(Reason.THROTTLED));
        };
        var waiting = retrying(throttling, new Outages(Duration.ofMillis(1), Outages.DEFAULTS.breakerDelay())).write(WRITE)
                .subscribe()
                .withSubscriber(UniAssertSubscriber.create());
        await().atMost(PATIENCE).until(() -> calls.get() >= 2);

        // When
        waiting.cancel();

        // Then
        AtomicInteger before = new AtomicInteger(-1);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> before.getAndSet(calls.get()) == calls.get());
    }

    @Test
    void endsWhenItIsCancelledWhileTheCircuitBreakerIsOpen() {
        // Given a write that is tried again and again without a request
        AtomicInteger calls = new AtomicInteger();
        TableWrites broken = write -> {
            calls.incrementAndGet();
            return Uni.createFrom().failure(failure(Reason.UNAVAILABLE));
        };
        var waiting = retrying(broken,
                new Outages(Duration.ofMillis(5), Duration.ofHours(1)))
                .write(WRITE).subscribe().withSubscriber(UniAssertSubscriber.create());
        await().atMost(PATIENCE).until(() -> random.pauses.get() > calls.get() + 5);

        // When
        waiting.cancel();

        // Then
        int before = random.pauses.get();
        await().during(Duration.ofMillis(500)).atMost(PATIENCE).until(() -> random.pauses.get() - before <= 1);
    }

    /** The journal repeats them, as it knows what else there is to send. */
    @Test
    void bucketUpdatesAreTriedOnce() {
        FakeWrites table = FakeWrites.failing(failure(Reason.THROTTLED));
        TableWrites writes = TableWriter.ofBuckets(target(table), config(Map.of()), registry, timer, System::nanoTime);

        assertThatThrownBy(() -> writes.write(WRITE).await().atMost(PATIENCE)).isInstanceOf(WriteFailedException.class);

        assertThat(table.calls()).isEqualTo(1);
    }

    @Test
    void bucketUpdatesTakeNoMoreWriteUnitsThanAreSet() {
        // Given four units a second, of which a quarter may come at once
        FakeWrites table = FakeWrites.failing();
        AtomicLong nanos = new AtomicLong();
        TableWrites writes = TableWriter.ofBuckets(target(table), config(Map.of("windrow.writer.store.max-write-units", "4")),
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
        TableWrites writes = TableWriter.ofBuckets(
                new Target(table, health, (write, failure) -> ended.add(failure == null ? "applied" : failure.getMessage())),
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
                Throttling.KEY, "scatter");
        Deque<Uni<WriteResult>> answers = new ArrayDeque<>(List.of(Uni.createFrom().failure(hot),
                Uni.createFrom().failure(failure(Reason.THROTTLED)),
                Uni.createFrom().item(new WriteResult(5, Map.of("scatter", 2.0, "rank-best", 1.5), Map.of()))));
        TableWrites writes = TableWriter.ofBuckets(target(write -> answers.remove()), config(Map.of()), registry, timer,
                System::nanoTime);
        TableWrite ofScores = TableWrite.single(new ItemUpdate("tenant#scores#Comet#0", "minute#2026-11-20T10:31:00Z"));

        // When
        for (int i = 0; i < 3; i++) {
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
        TableWrite claim = TableWrite.transaction(List.of(new ItemUpdate("tenant#scores#Comet#0", "hour#")));

        assertThat(List.of(lane.dataset(), claim.dataset())).containsOnly("~journal");
    }

    private Map<String, Double> tagged(String counter) {
        return registry.find(counter).counters().stream().collect(Collectors.toMap(
                of -> of.getId().getTag("dataset") + " " + of.getId().getTag("resource"), Counter::count));
    }

    private static Target target(TableWrites table) {
        return new Target(table, new TableHealth(System::nanoTime), (write, failure) -> {
        });
    }

    private TableWrites retrying(TableWrites table, Outages outages) {
        return TableWriter.ofLanes(target(table), 64, outages, registry, random, System::nanoTime);
    }

    private static StoreConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder().addDiscoveredConverters().withMapping(StoreConfig.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100)).build().getConfigMapping(StoreConfig.class);
    }

    private static WriteFailedException failure(Reason reason) {
        return new WriteFailedException(reason, reason.word());
    }

    private double failures(String reason) {
        return registry.get("windrow.writer.write.failures").tag("reason", reason).counter().count();
    }
}
