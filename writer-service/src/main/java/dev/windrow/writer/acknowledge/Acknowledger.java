package dev.windrow.writer.acknowledge;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;

import dev.windrow.wire.WireClient;
import dev.windrow.writer.message.Message;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Tells the queue what became of messages. Each kind of request has requests of its own: however many messages wait, their
 * extensions leave the deletes their share of connections.
 */
public final class Acknowledger {

    private static final int DELETES_PER_EXTENSION = 4;

    private final Batches deletes;
    private final Batches returns;
    private final Batches extensions;

    /** All by the SDK. */
    public Acknowledger(SqsAsyncClient sqs, AcknowledgeConfig config, ScheduledExecutorService timer) {
        this(sqs, new Deletion(sqs), config, timer);
    }

    /** With deletes by wire; the other requests are rare. */
    public Acknowledger(SqsAsyncClient sqs, WireClient wire, AcknowledgeConfig config, ScheduledExecutorService timer) {
        this(sqs, new WireDeletion(wire, config.timeout()), config, timer);
    }

    private Acknowledger(SqsAsyncClient sqs, MessageRequest deletion, AcknowledgeConfig config,
            ScheduledExecutorService timer) {
        this.deletes = new Batches(deletion, config.requests(), config, timer);
        this.returns = new Batches(new VisibilityChange(sqs, "return", queue -> 0), config.requests(), config, timer);
        this.extensions = new Batches(new VisibilityChange(sqs, "extension", queue -> (int) queue.visibility().toSeconds()),
                extensions(config), config, timer);
    }

    /** Most requests of all kinds that are under way at a time. */
    public static int mostRequests(AcknowledgeConfig config) {
        return 2 * config.requests() + extensions(config);
    }

    private static int extensions(AcknowledgeConfig config) {
        return Math.max(1, config.requests() / DELETES_PER_EXTENSION);
    }

    /** Deletes a message; completes with whether that succeeded. If not, the message will be delivered again. */
    public Uni<Boolean> delete(Message message) {
        return deletes.submit(message);
    }

    /** Shows a message to receivers at once; completes with whether that succeeded. */
    public Uni<Boolean> handBack(Message message) {
        return returns.submit(message);
    }

    /**
     * Hides a message for its queue's visibility timeout from now on; completes with whether that succeeded.
     *
     * @param wanted asked when it is the request's turn: if not, the message is left as it is
     */
    public Uni<Boolean> extend(Message message, BooleanSupplier wanted) {
        return extensions.submit(message, wanted);
    }
}
