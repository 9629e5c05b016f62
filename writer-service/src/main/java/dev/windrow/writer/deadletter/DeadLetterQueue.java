package dev.windrow.writer.deadletter;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.table.Limits;
import dev.windrow.writer.message.Provenance;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * What operators do with dead letters: look at them, and send them once more. A letter that is sent again keeps the
 * identity of the message it was, so the ledger knows what of it was counted before.
 */
public final class DeadLetterQueue {

    /** For how long letters are hidden from others while they are looked at or sent. */
    private static final int HIDDEN_SECONDS = 30;
    private static final String FIFO_SUFFIX = ".fifo";

    private final SqsAsyncClient sqs;
    private final String url;

    public DeadLetterQueue(SqsAsyncClient sqs, String url) {
        this.sqs = sqs;
        this.url = url;
    }

    /**
     * A dead letter as it is told to operators.
     *
     * @param id its message id in the dead-letter queue
     * @param sent when it was sent there
     * @param attributes its message attributes
     * @param body its body
     */
    public record Letter(String id, Instant sent, Map<String, String> attributes, String body) {
    }

    /** Some letters, at most so many, in no certain order; they stay where they are. */
    public Uni<List<Letter>> list(int most) {
        return receive(most, new ArrayList<>()).chain(messages -> show(messages)
                .replaceWith(messages.stream().map(DeadLetterQueue::letter).toList()));
    }

    /**
     * Sends letters to a queue, at most so many, each deleted here once it is there: at least once. No more are sent than
     * were there at the beginning, as what cannot be counted even now comes back meanwhile.
     *
     * @return how many were sent
     */
    public Uni<Integer> replay(String targetUrl, int most) {
        return Uni.createFrom().completionStage(() -> sqs.getQueueAttributes(request -> request.queueUrl(url)
                .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)))
                .map(response -> Integer.parseInt(response.attributes()
                        .getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0")))
                .chain(there -> replay(targetUrl, Math.min(most, there), 0));
    }

    private Uni<Integer> replay(String targetUrl, int most, int sent) {
        int wanted = Math.min(Limits.QUEUE_BATCH, most - sent);
        return wanted == 0 ? Uni.createFrom().item(sent)
                : receiveBatch(wanted).chain(batch -> batch.isEmpty() ? Uni.createFrom().item(sent)
                        : Uni.join().all(batch.stream().map(message -> resend(targetUrl, message)).toList())
                                .usingConcurrencyOf(1).andFailFast()
                                .chain(() -> replay(targetUrl, most, sent + batch.size())));
    }

    private Uni<Void> resend(String targetUrl, Message message) {
        Map<String, MessageAttributeValue> attributes = new HashMap<>(message.messageAttributes());
        attributes.remove(Provenance.REASON);
        attributes.remove(Provenance.DETAIL);
        // A letter that the queue's own redrive policy moved has no attributes, but still its id and sent time.
        attributes.putIfAbsent(Provenance.SOURCE_MESSAGE_ID, text(message.messageId()));
        attributes.putIfAbsent(Provenance.SOURCE_SENT, text(system(message, MessageSystemAttributeName.SENT_TIMESTAMP)));
        SendMessageRequest.Builder request = SendMessageRequest.builder().queueUrl(targetUrl).messageBody(message.body())
                .messageAttributes(attributes);
        if (targetUrl.endsWith(FIFO_SUFFIX)) {
            request.messageGroupId(system(message, MessageSystemAttributeName.MESSAGE_GROUP_ID))
                    .messageDeduplicationId(message.messageId());
        }
        return Uni.createFrom().completionStage(() -> sqs.sendMessage(request.build()))
                .chain(() -> Uni.createFrom().completionStage(() -> sqs.deleteMessage(
                        delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()))))
                .replaceWithVoid();
    }

    private Uni<List<Message>> receive(int most, List<Message> all) {
        int wanted = Math.min(Limits.QUEUE_BATCH, most - all.size());
        return wanted == 0 ? Uni.createFrom().item(all) : receiveBatch(wanted).chain(batch -> {
            all.addAll(batch);
            return batch.isEmpty() ? Uni.createFrom().item(all) : receive(most, all);
        });
    }

    private Uni<List<Message>> receiveBatch(int most) {
        ReceiveMessageRequest request = ReceiveMessageRequest.builder().queueUrl(url).maxNumberOfMessages(most)
                .visibilityTimeout(HIDDEN_SECONDS).waitTimeSeconds(0).messageAttributeNames("All")
                .messageSystemAttributeNames(MessageSystemAttributeName.ALL).build();
        return Uni.createFrom().completionStage(() -> sqs.receiveMessage(request)).map(response -> response.messages());
    }

    private Uni<Void> show(List<Message> messages) {
        return messages.isEmpty() ? Uni.createFrom().voidItem()
                : Uni.join().all(messages.stream().map(message -> Uni.createFrom().completionStage(
                        () -> sqs.changeMessageVisibility(change -> change.queueUrl(url)
                                .receiptHandle(message.receiptHandle()).visibilityTimeout(0))))
                        .toList()).usingConcurrencyOf(Limits.QUEUE_BATCH).andCollectFailures().replaceWithVoid();
    }

    private static Letter letter(Message message) {
        Map<String, String> attributes = new HashMap<>();
        message.messageAttributes().forEach((name, value) -> attributes.put(name, String.valueOf(value.stringValue())));
        return new Letter(message.messageId(), Instant.ofEpochMilli(Long.parseLong(
                system(message, MessageSystemAttributeName.SENT_TIMESTAMP))), attributes, message.body());
    }

    private static String system(Message message, MessageSystemAttributeName name) {
        return message.attributes().getOrDefault(name, "0");
    }

    private static MessageAttributeValue text(String value) {
        return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
    }
}
