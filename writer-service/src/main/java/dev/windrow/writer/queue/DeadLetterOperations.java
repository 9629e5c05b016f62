package dev.windrow.writer.queue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Durations;
import dev.windrow.base.Reason;
import dev.windrow.table.AwsLimits;
import dev.windrow.writer.decode.Provenance;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * Lists and replays the letters in the dead-letter queue. A replayed letter keeps the identity of the original message, so
 * that events counted before are not counted again.
 *
 * @param retention how long claims are remembered
 */
public record DeadLetterOperations(SqsAsyncClient sqs, String url, Duration retention, Clock clock) {

    /** Visibility timeout of letters while they are listed or replayed. */
    private static final int HIDDEN_SECONDS = 30;
    /** Long polling, which queries all SQS servers: a short poll may miss letters. */
    private static final int WAIT_SECONDS = 1;
    private static final Duration SINK_LIMIT = Duration.ofSeconds(HIDDEN_SECONDS);

    /**
     * Lists letters, up to a maximum and in no particular order; they stay in the queue. Few are in memory at a time: the
     * next ones are received once the sink has taken the previous ones.
     *
     * @param sink takes letters; if it fails or takes longer than 30 seconds, no more are received
     */
    public Uni<Void> list(int maximum, Function<List<Message>, Uni<Void>> sink) {
        Batches batches = new Batches();
        return each(maximum, batches, some -> Uni.createFrom()
                .deferred(() -> sink.apply(some))
                .ifNoItem().after(SINK_LIMIT).fail()).eventually(() -> show(batches.receipts));
    }

    /** Handles letters one receive after the other, up to a number of letters. */
    private Uni<Void> each(int left, Batches batches, Function<List<Message>, Uni<Void>> handler) {
        return left == 0 ? Uni.createFrom().voidItem()
                : receive(left, batches).chain(some -> some.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : handler.apply(some).chain(() -> each(left - some.size(), batches, handler)));
    }

    /**
     * Replays letters, up to a maximum: sends each to a queue at least once, and then deletes it here. Sends no more than
     * there were at the start, since letters that fail again come back meanwhile. A letter that cannot be sent stays; the
     * others are sent.
     *
     * @param force whether to send letters even if it is unknown when the original message was sent; events that were counted
     *        before are then counted again
     */
    public Uni<ReplayResult> replay(String targetUrl, int maximum, boolean force) {
        Batches batches = new Batches();
        ReplayResult replay = new ReplayResult();
        LetterJoining joining = new LetterJoining();
        return Uni.createFrom().completionStage(() -> sqs.getQueueAttributes(request -> request.queueUrl(url)
                .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)))
                .map(response -> Integer.parseInt(response.attributes()
                        .getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0")))
                .chain(there -> each(Math.min(maximum, there), batches, some -> Uni.join().all(some.stream()
                        .map(message -> resend(targetUrl, message, force, replay, batches, joining)).toList())
                        .usingConcurrencyOf(1).andFailFast().replaceWithVoid()))
                .invoke(() -> joining.incomplete().forEach(id -> replay.left(id, Reason.MISSING_FIELD, Provenance.PART
                        + ": not all parts of the letter were received: replay again, with a larger limit")))
                .eventually(() -> show(batches.receipts)).replaceWith(replay);
    }

    private Uni<Void> resend(String targetUrl, Message message, boolean force, ReplayResult replay, Batches batches,
            LetterJoining joining) {
        ReplayedMessage replayed = new ReplayedMessage(message);
        if (replayed.sent().plus(retention).isBefore(clock.instant())) {
            replay.left(message.messageId(), Reason.CLAIM_EXPIRED, "sent at " + replayed.sent() + ", more than "
                    + Durations.text(retention) + " ago: the writer no longer knows whether it was counted");
            return Uni.createFrom().voidItem();
        }
        if (url.endsWith(DeadLetters.FIFO_SUFFIX) && !replayed.hasFirstSent() && !force) {
            replay.left(message.messageId(), Reason.MISSING_FIELD, "source-sent: missing, so the writer cannot know"
                    + " whether the message was counted: SQS moved it itself and, as the queue is a FIFO queue, gave it a new"
                    + " time; force=true sends it anyway, and whatever was counted of it counts twice");
            return Uni.createFrom().voidItem();
        }
        if (!LetterJoining.isPart(message)) {
            return send(targetUrl, message, List.of(message), replay, batches);
        }
        List<Message> parts = joining.add(message);
        return parts.isEmpty() ? Uni.createFrom().voidItem()
                : send(targetUrl, LetterJoining.joined(parts), parts, replay, batches);
    }

    /** Sends a letter, and then deletes all its parts: whatever fails in between, the writer knows it by its identity. */
    private Uni<Void> send(String targetUrl, Message whole, List<Message> parts, ReplayResult replay, Batches batches) {
        return Uni.createFrom().completionStage(() -> sqs.sendMessage(new ReplayedMessage(whole).request(targetUrl)))
                .chain(() -> Uni.join().all(parts.stream().map(part -> Uni.createFrom().completionStage(() -> sqs.deleteMessage(
                        delete -> delete.queueUrl(url).receiptHandle(part.receiptHandle()))).invoke(() -> {
                            replay.sent();
                            batches.receipts.remove(part.receiptHandle());
                        })).toList()).usingConcurrencyOf(1).andFailFast())
                .replaceWithVoid().onFailure(DeadLetters::isRefused).recoverWithItem(failure -> {
                    parts.forEach(part -> replay.left(part.messageId(), AwsErrors.reason(failure),
                            String.valueOf(failure.getMessage())));
                    return null;
                });
    }

    /** Letters received so far: their ids, to skip redeliveries, and their receipts, to make letters visible in the end. */
    private static final class Batches {
        private final Set<String> ids = new HashSet<>();
        private final Set<String> receipts = new LinkedHashSet<>();
    }

    /** Receives the next letters, without those received before; empty if there are no more. */
    private Uni<List<Message>> receive(int maximum, Batches batches) {
        ReceiveMessageRequest request = ReceiveMessageRequest.builder().queueUrl(url)
                .maxNumberOfMessages(Math.min(AwsLimits.QUEUE_BATCH, maximum)).visibilityTimeout(HIDDEN_SECONDS)
                .waitTimeSeconds(WAIT_SECONDS).messageAttributeNames("All")
                .messageSystemAttributeNames(MessageSystemAttributeName.ALL).build();
        return Uni.createFrom().completionStage(() -> sqs.receiveMessage(request)).map(response -> {
            response.messages().forEach(message -> batches.receipts.add(message.receiptHandle()));
            return response.messages().stream().filter(message -> batches.ids.add(message.messageId())).toList();
        });
    }

    private Uni<Void> show(Set<String> receipts) {
        return receipts.isEmpty() ? Uni.createFrom().voidItem()
                : Uni.join().all(List.copyOf(receipts).stream().map(receipt -> Uni.createFrom().completionStage(
                        () -> sqs.changeMessageVisibility(change -> change.queueUrl(url).receiptHandle(receipt)
                                .visibilityTimeout(0)))
                        .onFailure().recoverWithNull()).toList())
                        .usingConcurrencyOf(AwsLimits.QUEUE_BATCH).andFailFast().replaceWithVoid();
    }

    /** A dead letter to send again, under the identity of the original message. */
    record ReplayedMessage(Message letter) {

        private static final String DIGITS = "\\d{1,15}";

        /**
         * Whether the letter has the time when the original message was sent. It lacks it if the queue's own redrive policy
         * moved it: SQS then keeps the sent time in a standard queue, but sets a new one in a FIFO queue.
         */
        boolean hasFirstSent() {
            return firstSent().matches(DIGITS);
        }

        /** When the original message was sent; if unknown, when the letter was. */
        Instant sent() {
            return Instant.ofEpochMilli(Long.parseLong(hasFirstSent() ? firstSent()
                    : system(MessageSystemAttributeName.SENT_TIMESTAMP)));
        }

        private String firstSent() {
            MessageAttributeValue given = letter.messageAttributes().get(Provenance.SOURCE_SENT);
            return given == null || given.stringValue() == null ? "" : given.stringValue();
        }

        SendMessageRequest request(String targetUrl) {
            Map<String, MessageAttributeValue> own = new HashMap<>(letter.messageAttributes());
            own.remove(Provenance.REASON);
            own.remove(Provenance.DETAIL);
            // A letter that the queue's own redrive policy moved lacks these attributes, but keeps its id and, outside of FIFO
            // queues, its sent time.
            if (!own.containsKey(Provenance.SOURCE_MESSAGE_ID)) {
                // A producer's own attribute, which says nothing about the identity.
                own.remove(Provenance.SOURCE_EVENT);
            }
            own.putIfAbsent(Provenance.SOURCE_MESSAGE_ID, DeadLetters.text(letter.messageId()));
            own.putIfAbsent(Provenance.SOURCE_SENT, DeadLetters.text(system(MessageSystemAttributeName.SENT_TIMESTAMP)));
            Map<String, MessageAttributeValue> attributes = new LinkedHashMap<>();
            DeadLetters.addUpToLimit(attributes, own, value -> value.stringValue() == null ? "-" : value.stringValue());
            SendMessageRequest.Builder request = SendMessageRequest.builder().queueUrl(targetUrl)
                    .messageBody(letter.body()).messageAttributes(attributes);
            if (targetUrl.endsWith(DeadLetters.FIFO_SUFFIX)) {
                request.messageGroupId(system(MessageSystemAttributeName.MESSAGE_GROUP_ID))
                        .messageDeduplicationId(letter.messageId());
            }
            return request.build();
        }

        private String system(MessageSystemAttributeName name) {
            return letter.attributes().getOrDefault(name, "0");
        }
    }

}
