package dev.windrow.writer.acknowledge;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.writer.message.Message;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Deletes messages, returns them to their queue, and extends their visibility timeout. Each kind of request has its own
 * concurrency limit, so that extensions never take the connections of deletes.
 */
public final class Acknowledger {

    private static final int DELETES_PER_EXTENSION = 4;
    private static final Duration MAX_PAUSE = Duration.ofMinutes(15);
    private static final int MAX_DOUBLINGS = 10;

    private final RequestBatcher deletes;
    private final RequestBatcher returns;
    private final RequestBatcher laterReturns;
    private final RequestBatcher extensions;

    /**
     * Deletes go through the JSON client; the other requests are rare and go through the SDK.
     *
     * @param attempted is run at the end of each attempt to delete or return messages; not of those to extend their timeout,
     *        which go on in a stuck flow
     */
    public Acknowledger(SqsAsyncClient sqs, AwsJsonClient wire, AcknowledgeConfig config, ScheduledExecutorService timer,
            Runnable attempted) {
        this.deletes = new RequestBatcher(new NotedRequest(new MessageDeletion(wire, config.timeout()), attempted),
                config.maxConcurrency(), config, timer);
        this.returns = new RequestBatcher(new NotedRequest(new VisibilityChange(sqs, "return", message -> 0), attempted),
                config.maxConcurrency(), config, timer);
        this.laterReturns = new RequestBatcher(
                new NotedRequest(new VisibilityChange(sqs, "later return", Acknowledger::pauseSeconds), attempted),
                extensions(config), config, timer);
        this.extensions = new RequestBatcher(
                new VisibilityChange(sqs, "extension", message -> (int) message.queue().visibility().toSeconds()),
                extensions(config), config, timer);
    }

    /** Maximum number of requests in flight through the SDK: returns and extensions. */
    public static int maxSdkRequests(AcknowledgeConfig config) {
        return config.maxConcurrency() + 2 * extensions(config);
    }

    /** A second after the first receive, and twice as long after each further one. */
    static int pauseSeconds(Message message) {
        int doublings = Math.min(Math.max(message.receiveCount() - 1, 0), MAX_DOUBLINGS);
        return (int) Math.min(MAX_PAUSE.toSeconds(), 1L << doublings);
    }

    private static int extensions(AcknowledgeConfig config) {
        return Math.max(1, config.maxConcurrency() / DELETES_PER_EXTENSION);
    }

    /** Deletes a message; completes with whether that succeeded. If not, the message will be delivered again. */
    public Uni<Boolean> delete(Message message) {
        return deletes.submit(message);
    }

    /** Makes a message visible to receivers at once; completes with whether that succeeded. */
    public Uni<Boolean> returnToQueue(Message message) {
        return returns.submit(message);
    }

    /**
     * Makes a message visible to receivers after a pause that doubles with each receive, up to 15 minutes; completes with
     * whether that succeeded.
     */
    public Uni<Boolean> returnToQueueLater(Message message) {
        return laterReturns.submit(message);
    }

    /**
     * Hides a message for its queue's visibility timeout from now on; completes with whether that succeeded.
     *
     * @param wanted evaluated before the request is sent; if false, the message is left alone
     */
    public Uni<Boolean> extend(Message message, BooleanSupplier wanted) {
        return extensions.submit(message, wanted);
    }
}
