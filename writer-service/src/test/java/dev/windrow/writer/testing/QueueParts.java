package dev.windrow.writer.testing;

import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.writer.queue.AcknowledgeSettings;
import dev.windrow.writer.queue.Acknowledger;
import dev.windrow.writer.queue.DeadLetters;
import dev.windrow.writer.queue.FifoGroupTracker;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.queue.InFlightMessages;
import dev.windrow.writer.queue.MessageCompletion;
import dev.windrow.writer.queue.QueueMetrics;
import dev.windrow.writer.queue.Visibility;
import dev.windrow.writer.queue.VisibilityDeadlines;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** What holds the messages of a flow and ends them, put together as the writer does. */
public final class QueueParts implements AutoCloseable {

    public final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    public final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    public final InFlightLimiter limiter = new InFlightLimiter(100, 1 << 20, () -> 0);
    public final AwsJsonClient client;
    public final InFlightMessages messages;
    public final Acknowledger acknowledger;
    public final DeadLetters deadLetters;
    public final MessageCompletion completion;
    public final Visibility heartbeat;
    private final Vertx vertx = Vertx.vertx();

    /** @param nanos the clock of the heartbeat */
    public QueueParts(SqsAsyncClient sqs, AcknowledgeSettings settings, LongSupplier nanos) {
        client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC()).sqs(sqs, 4);
        VisibilityDeadlines deadlines = new VisibilityDeadlines(nanos);
        FifoGroupTracker groups = new FifoGroupTracker();
        QueueMetrics metrics = new QueueMetrics(registry, limiter);
        messages = new InFlightMessages(limiter, deadlines, groups, metrics);
        acknowledger = new Acknowledger(client, settings, timer, () -> {
        });
        deadLetters = new DeadLetters(sqs, () -> {
        });
        completion = new MessageCompletion(messages, deadlines, groups, acknowledger, deadLetters, metrics);
        heartbeat = new Visibility(deadlines, limiter, acknowledger);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
