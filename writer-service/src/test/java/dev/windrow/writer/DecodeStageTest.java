package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.TestClients;
import dev.windrow.writer.DecodeStage.ClaimRetention;
import dev.windrow.writer.DecodeStage.FlowMetrics;
import dev.windrow.writer.aggregate.ClaimUnitBuilder.Aggregation;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.Provenance;
import dev.windrow.writer.queue.Acknowledger;
import dev.windrow.writer.queue.Acknowledger.AcknowledgeSettings;
import dev.windrow.writer.queue.DeadLetters;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.queue.InFlightMessages;
import dev.windrow.writer.queue.InFlightMessages.FifoGroupTracker;
import dev.windrow.writer.queue.InFlightMessages.PendingMessage;
import dev.windrow.writer.queue.MessageCompletion;
import dev.windrow.writer.queue.QueueMetrics;
import dev.windrow.writer.queue.Visibility.VisibilityDeadlines;
import dev.windrow.writer.testing.TestMessages;
import dev.windrow.writer.testing.TestUnits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

class DecodeStageTest {

    /** Nothing listens there. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");
    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                hits: {event-type: hit, label: [page], granularities: [day], measures: {hits: {type: count}}}
            """);

    private static final Instant NOW = Instant.parse("2026-11-20T10:31:32Z");

    private final ClaimRetention claims = new ClaimRetention(Duration.ofDays(15), Clock.fixed(NOW, ZoneOffset.UTC));
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final InFlightLimiter limiter = new InFlightLimiter(100, 1 << 20, () -> 0);
    private final VisibilityDeadlines deadlines = new VisibilityDeadlines(() -> 0);
    private final FifoGroupTracker groups = new FifoGroupTracker();
    private final QueueMetrics metrics = new QueueMetrics(registry, limiter);
    private final InFlightMessages messages = new InFlightMessages(limiter, deadlines, groups, metrics);
    private Vertx vertx;
    private SqsAsyncClient sqs;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        sqs = TestClients.sqs(NOWHERE);
    }

    @AfterEach
    void stop() {
        sqs.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        timer.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aMessageWhoseDecodingThrowsReturnsToItsQueueWhateverIsThrown(Throwable fault) {
        // Given
        DecodeStage stage = stage(new EventDecoder(DATASETS, Duration.ofSeconds(10), () -> fail(fault)));
        PendingMessage pending = messages.receive(
                TestMessages.message("{}", Map.of(), Instant.EPOCH));

        // When
        stage.decode(pending, TestUnits.UNLIMITED);

        // Then
        assertThat(pending.isAbandoned()).isTrue();
        assertThat(registry.get("windrow.writer.messages.returned").tag("reason", "internal").counter().count()).isOne();
    }

    static List<Throwable> faults() {
        return List.of(new IllegalStateException("a fault"), new StackOverflowError(), new AssertionError("a fault"),
                new OutOfMemoryError("Required length exceeds implementation limit"));
    }

    private static long fail(Throwable fault) {
        if (fault instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) fault;
    }

    @Test
    void claimsAreOverForReplayedMessagesThatWereSentTooLongAgo() {
        assertThat(claims.isOver(replayed(NOW.minus(Duration.ofDays(15)).minusMillis(1)))).isTrue();
        assertThat(claims.isOver(replayed(NOW.minus(Duration.ofDays(15))))).isFalse();
    }

    @Test
    void claimsAreNeverOverForMessagesThatWereNotReplayed() {
        assertThat(claims.isOver(TestMessages.message("{}", Map.of(), NOW.minus(Duration.ofDays(30))))).isFalse();
    }

    private static Message replayed(Instant originallySent) {
        return TestMessages.message("{}", Map.of(Provenance.SOURCE_MESSAGE_ID, "m", Provenance.SOURCE_SENT,
                Long.toString(originallySent.toEpochMilli())), NOW);
    }

    private DecodeStage stage(EventDecoder decoder) {
        Acknowledger acknowledger = new Acknowledger(new AwsJsonClientFactory(vertx, NetworkSettings.direct(),
                Runnable::run, Clock.systemUTC()).sqs(sqs, 4), AcknowledgeSettings.DEFAULTS, timer, () -> {
                });
        MessageCompletion completion = new MessageCompletion(messages, deadlines, groups, acknowledger,
                new DeadLetters(sqs, () -> {
                }), metrics);
        return new DecodeStage(decoder, 90, claims, messages, completion,
                new Aggregation(DATASETS, Long.MAX_VALUE, new Random(1)),
                new WriterJournal(null, null, messages, completion, System::nanoTime),
                new FlowMetrics(registry, Clock.systemUTC(), DATASETS, () -> false));
    }
}
