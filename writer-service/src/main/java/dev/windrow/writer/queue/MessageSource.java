package dev.windrow.writer.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.SettingRange;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.base.StructuredLogger;
import dev.windrow.table.TableSchema.AwsLimits;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.SourceQueue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Receives messages with several pollers per queue, as the in-flight limiter admits them (backpressure). */
public final class MessageSource {

    private static final StructuredLogger LOG = StructuredLogger.of(MessageSource.class);

    private static final Duration PAUSED_CHECK = Duration.ofMillis(250);

    private final SqsReceiver receiver;
    private final InFlightLimiter limiter;
    private final int pollers;
    private final Duration errorBackoff;
    private final ReceiveListener listener;
    private final BooleanSupplier mayReceive;
    private volatile boolean paused;
    private volatile boolean ended;
    private volatile boolean stopped;

    /**
     * @param errorBackoff pause after a failed receive
     * @param listener notified when a receive starts, and how it ended
     * @param mayReceive whether messages can be claimed; if not, receiving would only hide them from other writers
     */
    public MessageSource(SqsReceiver receiver, InFlightLimiter limiter, int pollers, Duration errorBackoff,
            ReceiveListener listener, BooleanSupplier mayReceive) {
        this.receiver = receiver;
        this.limiter = limiter;
        this.pollers = pollers;
        this.errorBackoff = errorBackoff;
        this.listener = listener;
        this.mayReceive = mayReceive;
    }

    /**
     * Emits non-empty batches of messages until {@link #stop()}, and completes when the last receive has ended. Each message
     * counts against the in-flight limiter until it is released.
     */
    public Multi<List<Message>> batches(List<SourceQueue> queues) {
        List<Multi<List<Message>>> pollers = new ArrayList<>();
        for (SourceQueue queue : queues) {
            for (int i = 0; i < this.pollers; i++) {
                pollers.add(Multi.createBy().repeating().uni(() -> poll(queue)).whilst(batch -> !stopped));
            }
        }
        return Multi.createBy().merging().withConcurrency(pollers.size()).streams(pollers)
                .select().where(batch -> !batch.isEmpty()).onTermination().invoke(() -> ended = true);
    }

    /** Starts no further receives, and ends those that wait for memory. */
    public void stop() {
        stopped = true;
        limiter.admitAll();
    }

    /** Whether the last receive has ended. */
    public boolean hasEnded() {
        return ended;
    }

    /** Pauses or resumes the start of receives. */
    public void pause(boolean pausing) {
        paused = pausing;
    }

    private Uni<List<Message>> poll(SourceQueue queue) {
        if (stopped) {
            return none();
        }
        if (paused || !mayReceive.getAsBoolean()) {
            return pass();
        }
        // Checked again, since the receive may have waited to be admitted.
        return limiter.receive(AwsLimits.QUEUE_BATCH,
                maximum -> stopped ? none() : !paused && mayReceive.getAsBoolean() ? receive(queue, maximum) : pass())
                .onFailure()
                .recoverWithUni(() -> none().onItem().delayIt().by(TimerDelays.atLeastShortest(errorBackoff)));
    }

    private Uni<List<Message>> pass() {
        listener.passed();
        return none().onItem().delayIt().by(PAUSED_CHECK);
    }

    private Uni<List<Message>> receive(SourceQueue queue, int maximum) {
        listener.started();
        return receiver.receive(queue, maximum).invoke(batch -> listener.received(queue, batch)).onFailure().invoke(failure -> {
            Reason reason = AwsErrors.reason(failure);
            listener.failed(queue, reason);
            LOG.warn("receive failed; receiving again after a pause", LogKey.REASON.of(reason.word()),
                    LogKey.QUEUE.of(queue.name()), LogKey.ERROR.of(failure));
        });
    }

    private static Uni<List<Message>> none() {
        return Uni.createFrom().item(List.of());
    }

    /** Notified when receives start, and how they end. */
    public interface ReceiveListener {

        /** A receive was admitted and starts. */
        void started();

        /** A receive succeeded, with or without messages. */
        void received(SourceQueue queue, List<Message> batch);

        void failed(SourceQueue queue, Reason reason);

        /** A receive was skipped because the source is paused or may not receive. */
        void passed();
    }

    /**
     * Receives messages with SQS's JSON protocol, and parses the response as a stream.
     *
     * @param longPoll how long a receive waits for the first message
     * @param workers reads and processes messages: compressed ones may be large, and event loops must not block
     */
    public record SqsReceiver(AwsJsonClient client, Duration longPoll, Executor workers) {

        private static final ObjectMapper JSON = new ObjectMapper();
        private static final String TARGET = "AmazonSQS.ReceiveMessage";
        private static final String ATTRIBUTES = ",\"MessageSystemAttributeNames\":[\"SentTimestamp\","
                + "\"ApproximateReceiveCount\",\"ApproximateFirstReceiveTimestamp\",\"MessageGroupId\"],"
                + "\"MessageAttributeNames\":[\"All\"]";
        /** How long a receive may take beyond the long poll. */
        private static final Duration PATIENCE = Duration.ofSeconds(10);

        /** Receives once, up to a maximum; SQS never returns more than ten messages. */
        public Uni<List<Message>> receive(SourceQueue queue, int maximum) {
            byte[] request = AwsJsonClient.body(json -> {
                json.writeStringField("QueueUrl", queue.url());
                json.writeNumberField("MaxNumberOfMessages", Math.min(maximum, AwsLimits.QUEUE_BATCH));
                json.writeNumberField("WaitTimeSeconds", longPoll.toSeconds());
                json.writeRaw(ATTRIBUTES);
            });
            return client.post(TARGET, request, longPoll.plus(PATIENCE)).emitOn(workers).map(answer -> messages(queue, answer));
        }

        private static List<Message> messages(SourceQueue queue, AwsResponse answer) {
            answer.requireOk();
            List<Message> messages = new ArrayList<>();
            try {
                answer.readEach("Messages", json -> messages.add(message(queue, JSON.readTree(json))));
            } catch (IOException e) {
                throw new UncheckedIOException("malformed response", e);
            }
            return messages;
        }

        private static Message message(SourceQueue queue, JsonNode json) {
            Map<String, String> texts = new HashMap<>();
            json.path("MessageAttributes").properties().forEach(attribute -> {
                JsonNode value = attribute.getValue().path("StringValue");
                if (value.isTextual()) {
                    texts.put(attribute.getKey(), value.textValue());
                }
            });
            JsonNode system = json.path("Attributes");
            return new Message(queue, json.path("MessageId").asText(), json.path("ReceiptHandle").asText(),
                    MessageBody.of(json.path("Body").asText()), texts, instant(system.path("SentTimestamp")),
                    instant(system.path("ApproximateFirstReceiveTimestamp")), system.path("ApproximateReceiveCount").asInt(1),
                    system.path("MessageGroupId").textValue());
        }

        private static Instant instant(JsonNode millis) {
            return Instant.ofEpochMilli(millis.asLong());
        }
    }

    /** Settings of the source. */
    @RegisterForReflection
    @ConfigMapping(prefix = "windrow.writer.source")
    public interface QueueConfig {

        /** Concurrent receives per queue. */
        @SettingRange(unit = "requests", min = "1")
        @WithDefault("4")
        int pollers();

        /**
         * Memory for messages and for what is made of them until they are deleted or returned. At the limit nothing is
         * received, and nothing is decoded that does not fit. Only receives under way may exceed it. Half of it is
         * for what is not claimed yet, and three quarters are the most for one message.
         */
        @SettingRange(unit = "bytes on the heap, estimated", min = "2M", advice = "keep it well below the maximum heap")
        @WithDefault("64M")
        MemorySize maxBytes();

        /**
         * A message received more often than this goes to the dead-letter queue without being read. Keep it below {@code
         * maxReceiveCount} of the queue's own redrive policy, which moves messages without a reason: for operators whose queue
         * has a policy that they did not choose.
         */
        @SettingRange(unit = "receives", min = "1")
        @WithDefault("90")
        int maxReceiveCount();
    }
}
