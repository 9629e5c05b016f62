package dev.windrow.writer.queue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.SourceQueue;
import io.smallrye.mutiny.Uni;

/**
 * Deletes messages, returns them to their queue, and extends their visibility timeout. Each kind of request has its own
 * concurrency limit, so that extensions never take the connections of deletes.
 */
public final class Acknowledger {

    private static final int DELETES_PER_EXTENSION = 4;
    private static final Duration MAX_PAUSE = Duration.ofMinutes(15);
    private static final int MAX_DOUBLINGS = 10;

    /**
     * How deletes and other requests about single messages are sent.
     *
     * @param linger how long a delete or return waits for others to fill its batch of ten
     * @param maxConcurrency delete batches in flight; returns have the same limit, visibility extensions a quarter of it
     * @param maxAttempts of a request before its message is left to its visibility timeout
     * @param initialBackoff pause before the second attempt; it doubles with each further one
     * @param timeout of one batch
     */
    public record AcknowledgeSettings(Duration linger, int maxConcurrency, int maxAttempts, Duration initialBackoff,
            Duration timeout) {

        /**
         * A writer that fills its batches does not notice the linger, and a slow one deletes nothing late by it. All attempts
         * together take less than a minute, even if each of them times out.
         */
        public static final AcknowledgeSettings DEFAULTS = new AcknowledgeSettings(Duration.ofMillis(50), 32, 5,
                Duration.ofMillis(100), Duration.ofSeconds(10));
    }

    private final RequestBatcher deletes;
    private final RequestBatcher returns;
    private final RequestBatcher laterReturns;
    private final RequestBatcher extensions;

    /**
     * Sends its requests with SQS's JSON protocol.
     *
     * @param attempted is run at the end of each attempt to delete or return messages; not of those to extend their timeout,
     *        which go on in a stuck flow
     */
    public Acknowledger(AwsJsonClient client, AcknowledgeSettings settings, ScheduledExecutorService timer,
            Runnable attempted) {
        this.deletes = new RequestBatcher(new NotedRequest(SqsBatch.delete(client, settings.timeout()), attempted),
                settings.maxConcurrency(), settings, timer);
        this.returns = new RequestBatcher(
                new NotedRequest(SqsBatch.hide(client, settings.timeout(), "return", message -> 0), attempted),
                settings.maxConcurrency(), settings, timer);
        this.laterReturns = new RequestBatcher(
                new NotedRequest(SqsBatch.hide(client, settings.timeout(), "later return", Acknowledger::pauseSeconds),
                        attempted),
                extensions(settings), settings, timer);
        this.extensions = new RequestBatcher(SqsBatch.hide(client, settings.timeout(), "extension",
                message -> (int) message.queue().visibility().toSeconds()), extensions(settings), settings, timer);
    }

    /** Maximum number of requests in flight. */
    public static int maxRequests(AcknowledgeSettings settings) {
        return 2 * (settings.maxConcurrency() + extensions(settings));
    }

    /** A second after the first receive, and twice as long after each further one. */
    static int pauseSeconds(Message message) {
        int doublings = Math.min(Math.max(message.receiveCount() - 1, 0), MAX_DOUBLINGS);
        return (int) Math.min(MAX_PAUSE.toSeconds(), 1L << doublings);
    }

    private static int extensions(AcknowledgeSettings settings) {
        return Math.max(1, settings.maxConcurrency() / DELETES_PER_EXTENSION);
    }

    /** Deletes a message; completes with whether that succeeded. If not, the message will be delivered again. */
    public Uni<Boolean> delete(Message message) {
        return deletes.submit(message);
    }

    /** Makes a message visible to receivers at once; completes with whether that succeeded. */
    Uni<Boolean> returnToQueue(Message message) {
        return returns.submit(message);
    }

    /**
     * Makes a message visible to receivers after a pause that doubles with each receive, up to 15 minutes; completes with
     * whether that succeeded.
     */
    Uni<Boolean> returnToQueueLater(Message message) {
        return laterReturns.submit(message);
    }

    /**
     * Hides a message for its queue's visibility timeout from now on; completes with whether that succeeded.
     *
     * @param wanted evaluated before the request is sent; if false, the message is left alone
     */
    Uni<Boolean> extend(Message message, BooleanSupplier wanted) {
        return extensions.submit(message, wanted);
    }

    /**
     * A request about up to ten messages of one queue.
     *
     * @param name for logs
     * @param target the operation
     * @param hiddenSeconds for how long from now on a message stays hidden; null if they are deleted
     */
    record SqsBatch(AwsJsonClient client, Duration timeout, String name, String target,
            @Nullable ToIntFunction<Message> hiddenSeconds) implements BatchedRequest {

        private static final JsonFactory JSON = new JsonFactory();
        private static final int USUAL_BYTES = 4_096;

        /** Deletes messages. */
        static SqsBatch delete(AwsJsonClient client, Duration timeout) {
            return new SqsBatch(client, timeout, "delete", "AmazonSQS.DeleteMessageBatch", null);
        }

        /** Hides messages for some seconds, 0 to show them at once. */
        static SqsBatch hide(AwsJsonClient client, Duration timeout, String name, ToIntFunction<Message> seconds) {
            return new SqsBatch(client, timeout, name, "AmazonSQS.ChangeMessageVisibilityBatch", seconds);
        }

        @Override
        public Uni<List<Answer>> send(SourceQueue queue, List<Message> messages) {
            return client.post(target, request(queue, messages), timeout).map(answer -> answers(answer, messages.size()));
        }

        private byte[] request(SourceQueue queue, List<Message> messages) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
            try (JsonGenerator json = JSON.createGenerator(bytes)) {
                json.writeStartObject();
                json.writeStringField("QueueUrl", queue.url());
                json.writeArrayFieldStart("Entries");
                for (int i = 0; i < messages.size(); i++) {
                    json.writeStartObject();
                    // By position: two deliveries of one message may be in one batch, and entry ids must differ.
                    json.writeStringField("Id", Integer.toString(i));
                    json.writeStringField("ReceiptHandle", messages.get(i).receipt());
                    if (hiddenSeconds != null) {
                        json.writeNumberField("VisibilityTimeout", hiddenSeconds.applyAsInt(messages.get(i)));
                    }
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }

        /** SQS names the entries that failed. */
        private static List<Answer> answers(AwsResponse answer, int size) {
            answer.requireOk();
            List<Answer> answers = new ArrayList<>(Collections.nCopies(size, Answer.DONE));
            try (JsonParser json = answer.parser()) {
                json.nextToken();
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    boolean wanted = json.currentName().equals("Failed");
                    if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
                        while (json.nextToken() == JsonToken.START_OBJECT) {
                            readFailed(json, answers);
                        }
                    } else {
                        json.skipChildren();
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("malformed response", e);
            }
            return answers;
        }

        private static void readFailed(JsonParser json, List<Answer> answers) throws IOException {
            int position = -1;
            boolean sendersFault = false;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "Id" -> position = Integer.parseInt(json.getText());
                    case "SenderFault" -> sendersFault = json.getBooleanValue();
                    default -> json.skipChildren();
                }
            }
            answers.set(position, sendersFault ? Answer.REFUSED : Answer.RETRY);
        }
    }

    /**
     * Notes the end of each attempt.
     *
     * @param ended is run when an attempt has ended, well or not
     */
    record NotedRequest(BatchedRequest request, Runnable ended) implements BatchedRequest {

        @Override
        public Uni<List<Answer>> send(SourceQueue queue, List<Message> messages) {
            return request.send(queue, messages).onTermination().invoke(ended);
        }

        @Override
        public String name() {
            return request.name();
        }
    }

    /** A request about messages of one queue that SQS takes in batches of 10. */
    interface BatchedRequest {

        /** SQS's result for one message of a batch. */
        enum Answer {
            DONE,
            /** SQS failed: a retry may succeed. */
            RETRY,
            /** The request is wrong, for example its receipt has expired: a retry cannot succeed. */
            REFUSED
        }

        /**
         * Sends one batch.
         *
         * @param messages 1 to 10; the same message may be among them twice, under different receipts
         * @return an answer for each, in order
         */
        Uni<List<Answer>> send(SourceQueue queue, List<Message> messages);

        /** Its name in logs and metrics. */
        String name();
    }
}
