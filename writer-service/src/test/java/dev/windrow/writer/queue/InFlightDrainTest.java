package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.testing.Patience;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.queue.Acknowledger.AcknowledgeSettings;
import dev.windrow.writer.queue.InFlightMessages.FifoGroupTracker;
import dev.windrow.writer.queue.MessageCompletion.InFlightDrain;
import dev.windrow.writer.queue.Visibility.VisibilityDeadlines;
import dev.windrow.writer.testing.TestMessages;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

class InFlightDrainTest {

    /** Nothing listens there: the proxy answers by itself. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final CompletableFuture<Void> release = new CompletableFuture<>();
    private final InFlightLimiter limiter = new InFlightLimiter(100, 1 << 20, () -> 0);
    private final VisibilityDeadlines deadlines = new VisibilityDeadlines(() -> 0);
    private final InFlightMessages messages = new InFlightMessages(limiter, deadlines, new FifoGroupTracker(),
            new QueueMetrics(new SimpleMeterRegistry(), limiter));
    private Vertx vertx;
    private FaultProxy proxy;
    private SqsAsyncClient sdk;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        proxy = FaultProxy.start(NOWHERE, FaultPlan.always(new Fault.Hang(release)));
        sdk = TestClients.sqs(proxy.endpoint());
    }

    @AfterEach
    void stop() {
        release.complete(null);
        sdk.close();
        proxy.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        timer.shutdownNow();
    }

    @Test
    void aQueueThatDoesNotAnswerDoesNotHoldUpTheDrain() {
        // Given a message that is never written, and a queue that does not answer
        Message message = TestMessages.message("{}", Map.of(), Instant.EPOCH);
        limiter.receive(1, admitted -> Uni.createFrom().item(List.of(message))).await().indefinitely();
        messages.receive(message);
        Acknowledger acknowledger = new Acknowledger(new AwsJsonClientFactory(vertx, NetworkSettings.direct(),
                Runnable::run, Clock.systemUTC()).sqs(sdk, 4), settings(), timer, () -> {
                });
        InFlightDrain drain = new InFlightDrain(messages, new Visibility(deadlines, limiter, acknowledger),
                acknowledger, Duration.ofMillis(200));

        // When
        int returned = drain.drain(() -> true, Duration.ofMillis(100)).await().atMost(Patience.LIMIT);

        // Then
        assertThat(returned).isZero();
        assertThat(messages.isEmpty()).isTrue();
    }

    /** Requests that wait for longer than the test does. */
    private static AcknowledgeSettings settings() {
        AcknowledgeSettings usual = AcknowledgeSettings.DEFAULTS;
        return new AcknowledgeSettings(usual.linger(), usual.maxConcurrency(), usual.maxAttempts(), usual.initialBackoff(),
                Duration.ofHours(1));
    }
}
