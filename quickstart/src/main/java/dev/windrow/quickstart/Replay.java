package dev.windrow.quickstart;

import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.quickstart.Replay.EventMessages.Message;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** Posts events to the queue on an embedded SQS, prints progress, and waits until they are counted. */
final class Replay implements AutoCloseable {

    /** Ignores posted messages, for callers that do not look them up later. */
    static final BiConsumer<String, Message> NOBODY = (id, message) -> {
    };

    /** Maximum messages in one request to SQS. */
    private static final int BATCH = 10;
    private static final int BATCH_BYTES = 256 * 1_024;
    private static final int EVENTS_BETWEEN_LINES = 10_000;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(200);

    private final SqsClient sqs;
    private final String url;
    private final PrintStream out;

    /** @param endpoint endpoint of SQS */
    Replay(URI endpoint, PrintStream out) {
        this.sqs = SqsClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .httpClientBuilder(UrlConnectionHttpClient.builder()).build();
        this.url = sqs.getQueueUrl(request -> request.queueName("windrow-events")).queueUrl();
        this.out = out;
    }

    /**
     * Posts all messages and prints how many events were sent.
     *
     * @param posted takes each message with the id that the queue gave it
     * @return number of events sent
     */
    long send(Iterator<Message> messages, BiConsumer<String, Message> posted) {
        List<Message> batch = new ArrayList<>();
        int bytes = 0;
        long sent = 0;
        long printed = 0;
        while (messages.hasNext()) {
            Message message = messages.next();
            int more = message.body().getBytes(StandardCharsets.UTF_8).length;
            if (batch.size() == BATCH || (!batch.isEmpty() && bytes + more > BATCH_BYTES)) {
                post(batch, posted);
                batch.clear();
                bytes = 0;
                if (sent - printed >= EVENTS_BETWEEN_LINES) {
                    printed = print(sent);
                }
            }
            batch.add(message);
            bytes += more;
            sent += message.events();
        }
        if (!batch.isEmpty()) {
            post(batch, posted);
            print(sent);
        }
        return sent;
    }

    private long print(long sent) {
        out.printf("  %,d events sent, %,d messages in the queue%n", sent, depth());
        return sent;
    }

    /** Posts up to ten messages. */
    private void post(List<Message> batch, BiConsumer<String, Message> posted) {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
        for (Message message : batch) {
            String index = Integer.toString(entries.size());
            entries.add(SendMessageBatchRequestEntry.builder().id(index).messageBody(message.body()).build());
        }
        SendMessageBatchResponse answer = sqs.sendMessageBatch(request -> request.queueUrl(url).entries(entries));
        if (!answer.failed().isEmpty()) {
            throw new IllegalStateException("the queue refused messages: " + answer.failed());
        }
        answer.successful().forEach(sent -> posted.accept(sent.messageId(), batch.get(Integer.parseInt(sent.id()))));
    }

    /** Posts a few messages without printing. */
    void post(Iterator<Message> messages) {
        messages.forEachRemaining(message -> post(List.of(message), NOBODY));
    }

    /** Returns the number of messages that are waiting or in flight. */
    private int depth() {
        return sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)).attributes().values().stream()
                .mapToInt(Integer::parseInt).sum();
    }

    /**
     * Waits until the queue is empty, which means that the writer has claimed and deleted every message.
     *
     * @throws IllegalStateException if the number of messages has not fallen for five minutes
     */
    void awaitClaimed() throws InterruptedException {
        for (int left = depth(); left > 0; left = depth()) {
            int before = left;
            await(() -> depth() < before, () -> "the writer has not emptied the queue; " + before + " messages are left");
        }
    }

    /**
     * Waits until the sent events are in the buckets: claimed messages are added to them a little later, and {@code asOf}
     * says up to when that is done.
     *
     * @param granularities granularities of the buckets to wait for
     * @throws IllegalStateException after five minutes each, for the queue and for every granularity
     */
    void awaitCounted(ServiceClient gather, String dataset, Collection<String> granularities) throws InterruptedException {
        awaitClaimed();
        Instant claimed = Instant.now();
        for (String granularity : granularities) {
            await(() -> gather.asOf(dataset, granularity).isAfter(claimed),
                    () -> "the buckets of " + granularity + " lack events sent before " + claimed);
        }
    }

    private static void await(BooleanSupplier condition, Supplier<String> problem) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("after " + LIMIT.toMinutes() + " minutes " + problem.get());
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    @Override
    public void close() {
        sqs.close();
    }

    /** Packs events, one per line, into message bodies, so that one write to the queue carries many events. */
    static final class EventMessages implements Iterator<EventMessages.Message> {

        /**
         * An event's text.
         *
         * @param number its line number in the source file, from 1
         * @param text a JSON object
         */
        record Line(long number, String text) {
        }

        /**
         * A message body.
         *
         * @param body newline-delimited JSON
         * @param first the number of its first line; the others follow without a gap
         * @param events number of lines, 1 to 100: a message with more than 100 bad events is rejected as a whole
         */
        record Message(String body, long first, int events) {
        }

        /** Ten messages of this size fit in the 256 KiB that a batch could always hold, unless a single event is larger. */
        private static final int MAX_BYTES = 20_000;
        private static final int MAX_EVENTS = 100;

        private final Iterator<Line> lines;
        /** A line that was read but not packed yet. */
        private @Nullable Line next;

        EventMessages(Stream<Line> lines) {
            this.lines = lines.iterator();
        }

        /** Packs clicks into messages. */
        static EventMessages of(Stream<Click> clicks) {
            PrimitiveIterator.OfLong numbers = LongStream.iterate(1, number -> number + 1).iterator();
            return new EventMessages(clicks.map(click -> new Line(numbers.nextLong(), event(click).toString())));
        }

        @Override
        public boolean hasNext() {
            return next != null || lines.hasNext();
        }

        @Override
        public Message next() {
            Line first = next == null ? lines.next() : next;
            next = null;
            List<String> texts = new ArrayList<>(List.of(first.text()));
            int bytes = bytes(first);
            while (texts.size() < MAX_EVENTS && lines.hasNext()) {
                Line line = lines.next();
                bytes += bytes(line);
                // The line of a bad event is computed from the message's first line and the event's position.
                if (line.number() != first.number() + texts.size() || bytes > MAX_BYTES) {
                    next = line;
                    break;
                }
                texts.add(line.text());
            }
            return new Message(String.join("\n", texts), first.number(), texts.size());
        }

        private static int bytes(Line line) {
            return line.text().getBytes(StandardCharsets.UTF_8).length + 1;
        }

        private static ObjectNode event(Click click) {
            ObjectNode event = JsonNodeFactory.instance.objectNode().put("type", "click").put("time", click.time().toString());
            if (click.count() != 1) {
                event.put("count", click.count());
            }
            event.putObject("attributes").put("referrer", click.referrer()).put("page", click.page())
                    .put("country", click.country()).put("bytes", click.bytes());
            return event;
        }
    }
}
