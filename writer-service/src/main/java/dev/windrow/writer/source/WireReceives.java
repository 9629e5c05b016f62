package dev.windrow.writer.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

import dev.windrow.table.Limits;
import dev.windrow.wire.WireAnswer;
import dev.windrow.wire.WireClient;
import dev.windrow.wire.WireRefusedException;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.Queue;
import io.smallrye.mutiny.Uni;

/** Receives by SQS's wire protocol, and reads the answer as a stream. */
public final class WireReceives implements Receives {

    private static final String TARGET = "AmazonSQS.ReceiveMessage";

    private final WireClient client;
    private final Duration wait;
    private final Executor workers;

    /**
     * @param wait for a first message
     * @param workers where messages are read and what follows is done: packed ones may be large, and event loops must go on
     */
    public WireReceives(WireClient client, Duration wait, Executor workers) {
        this.client = client;
        this.workers = workers;
        this.wait = wait;
    }

    @Override
    public Uni<List<Message>> receive(Queue queue, int most) {
        String request = "{\"QueueUrl\":" + ReceivedMessages.quoted(queue.url()) + ",\"MaxNumberOfMessages\":"
                + Math.min(most, Limits.QUEUE_BATCH) + ",\"WaitTimeSeconds\":" + wait.toSeconds()
                + ",\"MessageSystemAttributeNames\":[\"SentTimestamp\",\"ApproximateReceiveCount\","
                + "\"ApproximateFirstReceiveTimestamp\",\"MessageGroupId\"],\"MessageAttributeNames\":[\"All\"]}";
        return client.post(TARGET, request.getBytes(UTF_8), wait.plus(PATIENCE)).emitOn(workers)
                .map(answer -> messages(queue, answer));
    }

    private static List<Message> messages(Queue queue, WireAnswer answer) {
        if (!answer.isOk()) {
            throw new WireRefusedException(answer.refusal());
        }
        try {
            return new ReceivedMessages(queue).read(answer);
        } catch (IOException e) {
            throw new UncheckedIOException("an answer not understood", e);
        }
    }
}
