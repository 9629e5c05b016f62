package dev.windrow.writer.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.table.TableSchema.AwsLimits;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;

/** Receives messages with SQS's JSON protocol, and parses the response as a stream. */
public final class SqsReceiver {

    private static final String TARGET = "AmazonSQS.ReceiveMessage";
    /** How long a receive may take beyond its wait. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private final AwsJsonClient client;
    private final Duration wait;
    private final Executor workers;

    /**
     * @param wait for a first message
     * @param workers where messages are read and processed: compressed ones may be large, and event loops must not block
     */
    public SqsReceiver(AwsJsonClient client, Duration wait, Executor workers) {
        this.client = client;
        this.workers = workers;
        this.wait = wait;
    }

    /** How long a receive may take that waits for a first message for so long. */
    public static Duration timeout(Duration wait) {
        return wait.plus(PATIENCE);
    }

    /**
     * Receives once.
     *
     * @param maximum number of messages; SQS never returns more than ten
     */
    public Uni<List<Message>> receive(SourceQueue queue, int maximum) {
        String request = "{\"QueueUrl\":" + ReceiveResponse.quoted(queue.url()) + ",\"MaxNumberOfMessages\":"
                + Math.min(maximum, AwsLimits.QUEUE_BATCH) + ",\"WaitTimeSeconds\":" + wait.toSeconds()
                + ",\"MessageSystemAttributeNames\":[\"SentTimestamp\",\"ApproximateReceiveCount\","
                + "\"ApproximateFirstReceiveTimestamp\",\"MessageGroupId\"],\"MessageAttributeNames\":[\"All\"]}";
        return client.post(TARGET, request.getBytes(UTF_8), timeout(wait)).emitOn(workers)
                .map(answer -> messages(queue, answer));
    }

    private static List<Message> messages(SourceQueue queue, AwsResponse answer) {
        answer.requireOk();
        try {
            return new ReceiveResponse(queue).read(answer);
        } catch (IOException e) {
            throw new UncheckedIOException("malformed response", e);
        }
    }
}
