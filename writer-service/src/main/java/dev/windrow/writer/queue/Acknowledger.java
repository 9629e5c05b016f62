package dev.windrow.writer.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.LogKey;
import dev.windrow.base.StructuredLogger;
import dev.windrow.base.TimerDelays;
import dev.windrow.table.AwsLimits;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.queue.Acknowledger.BatchedRequest.Answer;
import dev.windrow.writer.queue.Acknowledger.RequestBatcher;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Deletes messages, returns them to their queue, and extends their visibility timeouts. Each kind of request has its own
 * concurrency limit, so that extensions never take connections from deletes.
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
     * Sends its requests with SQS's JSON protocol.
     *
     * @param attempted runs at the end of each attempt to delete or return messages, but not to extend a timeout, since
     *        extensions go on even if the flow is stuck
     */
    public Acknowledger(AwsJsonClient client, AcknowledgeSettings settings, ScheduledExecutorService timer,
            Runnable attempted) {
        Duration timeout = settings.timeout();
        this.deletes = new RequestBatcher("delete", new SqsBatch(client, timeout, null), settings.maxConcurrency(), settings,
                timer, attempted);
        this.returns = new RequestBatcher("return", new SqsBatch(client, timeout, message -> 0), settings.maxConcurrency(),
                settings, timer, attempted);
        this.laterReturns = new RequestBatcher("later return", new SqsBatch(client, timeout, Acknowledger::pauseSeconds),
                extensions(settings), settings, timer, attempted);
        this.extensions = new RequestBatcher("extension",
                new SqsBatch(client, timeout, message -> (int) message.queue().visibility().toSeconds()), extensions(settings),
                settings, timer, () -> {
                });
    }

    /** Maximum number of requests in flight. */
    public static int maxRequests(AcknowledgeSettings settings) {
        return 2 * (settings.maxConcurrency() + extensions(settings));
    }

    /** One second after the first receive, doubled with each further one. */
    static int pauseSeconds(Message message) {
        int doublings = Math.min(Math.max(message.receiveCount() - 1, 0), MAX_DOUBLINGS);
        return (int) Math.min(MAX_PAUSE.toSeconds(), 1L << doublings);
    }

    private static int extensions(AcknowledgeSettings settings) {
        return Math.max(1, settings.maxConcurrency() / DELETES_PER_EXTENSION);
    }

    /** Deletes a message; completes with whether that succeeded. If not, the message will be redelivered. */
    public Uni<Boolean> delete(Message message) {
        return deletes.submit(message);
    }

    /** Makes a message visible to receivers immediately; completes with whether that succeeded. */
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
     * @param hiddenSeconds how long a message stays hidden from now on, 0 to show it immediately; null to delete messages
     */
    record SqsBatch(AwsJsonClient client, Duration timeout,
            @Nullable ToIntFunction<Message> hiddenSeconds) implements BatchedRequest {

        private static final ObjectMapper JSON = new ObjectMapper();

        @Override
        public Uni<List<Answer>> send(SourceQueue queue, List<Message> messages) {
            String target = hiddenSeconds == null ? "AmazonSQS.DeleteMessageBatch" : "AmazonSQS.ChangeMessageVisibilityBatch";
            return client.post(target, request(queue, messages), timeout).map(answer -> answers(answer, messages.size()));
        }

        private byte[] request(SourceQueue queue, List<Message> messages) {
            return AwsJsonClient.body(json -> {
                json.writeStringField("QueueUrl", queue.url());
                json.writeArrayFieldStart("Entries");
                for (int i = 0; i < messages.size(); i++) {
                    json.writeStartObject();
                    // The position, not the message id: a batch may hold two deliveries of a message, and ids must differ.
                    json.writeStringField("Id", Integer.toString(i));
                    json.writeStringField("ReceiptHandle", messages.get(i).receipt());
                    if (hiddenSeconds != null) {
                        json.writeNumberField("VisibilityTimeout", hiddenSeconds.applyAsInt(messages.get(i)));
                    }
                    json.writeEndObject();
                }
                json.writeEndArray();
            });
        }

        /** Reads an answer for each message; the response lists only the entries that failed. */
        private static List<Answer> answers(AwsResponse answer, int size) {
            answer.requireOk();
            List<Answer> answers = new ArrayList<>(Collections.nCopies(size, Answer.DONE));
            try {
                for (JsonNode failed : JSON.readTree(answer.body()).path("Failed")) {
                    answers.set(failed.path("Id").asInt(),
                            failed.path("SenderFault").asBoolean() ? Answer.REFUSED : Answer.RETRY);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("malformed response", e);
            }
            return answers;
        }
    }

    /** A request about messages of one queue, in batches of up to 10. */
    interface BatchedRequest {

        /** SQS's result for one message of a batch. */
        enum Answer {
            DONE,
            /** SQS failed; a retry may succeed. */
            RETRY,
            /** The request is invalid, for example because its receipt has expired; a retry cannot succeed. */
            REFUSED
        }

        /**
         * Sends one batch.
         *
         * @param messages 1 to 10; may contain the same message twice, under different receipts
         * @return an answer for each message, in order
         */
        Uni<List<Answer>> send(SourceQueue queue, List<Message> messages);
    }

    /**
     * Collects requests about single messages of a queue into batches, and retries failed entries. The number of batches in
     * flight is limited; the number of waiting ones is bounded by the messages in memory. Thread-safe.
     */
    static final class RequestBatcher {

        private static final StructuredLogger LOG = StructuredLogger.of(RequestBatcher.class);
        private static final Duration REPORT_DELAY = Duration.ofSeconds(1);

        private final String name;
        private final BatchedRequest request;
        private final AcknowledgeSettings settings;
        private final ScheduledExecutorService timer;
        private final Runnable attempted;
        /** Number of messages not reported yet, by queue and kind of failure. */
        private final Map<String, AtomicInteger> unreported = new ConcurrentHashMap<>();
        private final Map<SourceQueue, List<Entry>> gathering = new HashMap<>();
        private final AdmissionQueue underWay;

        private record Entry(Message message, BooleanSupplier wanted, int attempt, UniEmitter<? super Boolean> emitter) {

            Entry next() {
                return new Entry(message, wanted, attempt + 1, emitter);
            }
        }

        /** @param name of the requests in logs */
        RequestBatcher(String name, BatchedRequest request, int maxConcurrency, AcknowledgeSettings settings,
                ScheduledExecutorService timer, Runnable attempted) {
            this.name = name;
            this.request = request;
            this.underWay = AdmissionQueue.ofPermits(maxConcurrency);
            this.settings = settings;
            this.timer = timer;
            this.attempted = attempted;
        }

        /** Completes with whether the request succeeded, after any retries; never fails. */
        Uni<Boolean> submit(Message message) {
            return submit(message, () -> true);
        }

        /** @param wanted evaluated before the request is sent; if false, it is skipped */
        Uni<Boolean> submit(Message message, BooleanSupplier wanted) {
            return Uni.createFrom().emitter(emitter -> add(new Entry(message, wanted, 1, emitter)));
        }

        private void add(Entry entry) {
            SourceQueue queue = entry.message.queue();
            List<Entry> full = null;
            synchronized (this) {
                List<Entry> batch = gathering.computeIfAbsent(queue, key -> new ArrayList<>(AwsLimits.QUEUE_BATCH));
                batch.add(entry);
                if (batch.size() == AwsLimits.QUEUE_BATCH) {
                    gathering.remove(queue);
                    full = batch;
                } else if (batch.size() == 1) {
                    List<Entry> begun = batch;
                    after(settings.linger(), () -> lingered(queue, begun));
                }
            }
            if (full != null) {
                sendInTurn(queue, full);
            }
        }

        private void lingered(SourceQueue queue, List<Entry> batch) {
            synchronized (this) {
                // The batch was filled and sent meanwhile, and another may have been started.
                if (gathering.get(queue) != batch) {
                    return;
                }
                gathering.remove(queue);
            }
            sendInTurn(queue, batch);
        }

        private void sendInTurn(SourceQueue queue, List<Entry> batch) {
            underWay.run(() -> sendWanted(queue, batch)).subscribe().with(sent -> {
            }, failure -> {
                reportUnexpected(failure);
                // Otherwise the messages would stay in memory, and an extension that never ends would block receives.
                batch.forEach(entry -> entry.emitter.complete(false));
            });
        }

        private Uni<Void> sendWanted(SourceQueue queue, List<Entry> batch) {
            List<Entry> wanted = new ArrayList<>(batch.size());
            for (Entry entry : batch) {
                if (entry.wanted.getAsBoolean()) {
                    wanted.add(entry);
                } else {
                    entry.emitter.complete(false);
                }
            }
            return wanted.isEmpty() ? Uni.createFrom().voidItem() : send(queue, wanted);
        }

        private Uni<Void> send(SourceQueue queue, List<Entry> batch) {
            return Uni.createFrom().deferred(() -> request.send(queue, batch.stream().map(Entry::message).toList()))
                    .onTermination().invoke(attempted)
                    .ifNoItem().after(settings.timeout()).fail()
                    .onFailure().invoke(failure -> {
                        String reason = AwsErrors.reason(failure).word();
                        report(queue, reason, batch.size(), messages -> LOG.warn("batches failed; their messages are retried",
                                LogKey.OPERATION.of(name), LogKey.REASON.of(reason), LogKey.QUEUE.of(queue.name()),
                                LogKey.MESSAGES.of(messages), LogKey.ERROR.of(failure)));
                    })
                    .onFailure().recoverWithItem(() -> Collections.nCopies(batch.size(), Answer.RETRY))
                    .invoke(answers -> {
                        for (int i = 0; i < batch.size(); i++) {
                            settle(batch.get(i), answers.get(i));
                        }
                    }).replaceWithVoid();
        }

        private void settle(Entry entry, Answer answer) {
            switch (answer) {
                case DONE -> entry.emitter.complete(true);
                case REFUSED -> giveUp(entry);
                case RETRY -> {
                    if (entry.attempt < settings.maxAttempts()) {
                        after(pause(entry.attempt), () -> add(entry.next()));
                    } else {
                        giveUp(entry);
                    }
                }
            }
        }

        private void giveUp(Entry entry) {
            // Obsolete requests are not worth a line.
            if (entry.wanted.getAsBoolean()) {
                report(entry.message.queue(), "given-up", 1,
                        messages -> LOG.warn("giving up; SQS will redeliver", LogKey.OPERATION.of(name),
                                LogKey.QUEUE.of(entry.message.queue().name()), LogKey.MESSAGE_ID.of(entry.message.id()),
                                LogKey.MESSAGES.of(messages)));
            }
            entry.emitter.complete(false);
        }

        /** Logs the first of several similar failures with their number: one line per second, even while SQS is away. */
        private void report(SourceQueue queue, String kind, int messages, IntConsumer log) {
            AtomicInteger count = unreported.computeIfAbsent(kind + " " + queue.url(), key -> new AtomicInteger());
            if (count.getAndAdd(messages) == 0) {
                after(REPORT_DELAY, () -> log.accept(count.getAndSet(0)));
            }
        }

        private void after(Duration delay, Runnable task) {
            Uni.createFrom().voidItem().onItem().delayIt().onExecutor(timer).by(TimerDelays.atLeastShortest(delay))
                    .subscribe().with(ignored -> task.run(), this::reportUnexpected);
        }

        private void reportUnexpected(Throwable failure) {
            LOG.error(failure, "batch failed unexpectedly; SQS will redeliver its messages",
                    LogKey.REASON.of(AwsErrors.reason(failure).word()), LogKey.OPERATION.of(name));
        }

        private Duration pause(int attempt) {
            return settings.initialBackoff().multipliedBy(1L << Math.min(attempt - 1, MAX_DOUBLINGS));
        }
    }
}
