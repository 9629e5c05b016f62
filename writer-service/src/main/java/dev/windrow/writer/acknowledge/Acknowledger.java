package dev.windrow.writer.acknowledge;

import java.util.concurrent.ScheduledExecutorService;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.wire.WireClient;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Tells the queue what became of messages. */
public final class Acknowledger {

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
        this.deletes = new Batches(deletion, config, timer);
        this.returns = new Batches(new VisibilityChange(sqs, "return", queue -> 0), config, timer);
        this.extensions = new Batches(new VisibilityChange(sqs, "extension", queue -> (int) queue.visibility().toSeconds()),
                config, timer);
    }

    /** Deletes a message; completes with whether that succeeded. If not, the message will be delivered again. */
    public Uni<Boolean> delete(Message message) {
        return deletes.submit(message);
    }

    /** Shows a message to receivers at once; completes with whether that succeeded. */
    public Uni<Boolean> handBack(Message message) {
        return returns.submit(message);
    }

    /** Hides a message for its queue's visibility timeout from now on; completes with whether that succeeded. */
    public Uni<Boolean> extend(Message message) {
        return extensions.submit(message);
    }
}
