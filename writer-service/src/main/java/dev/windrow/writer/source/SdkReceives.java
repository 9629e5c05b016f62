package dev.windrow.writer.source;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.table.AwsLimits;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/** Receives with the SDK. */
public final class SdkReceives implements MessageReceiver {

    private final SqsAsyncClient sqs;
    private final Duration wait;

    /** @param wait for a first message */
    public SdkReceives(SqsAsyncClient sqs, Duration wait) {
        this.sqs = sqs;
        this.wait = wait;
    }

    @Override
    public Uni<List<Message>> receive(SourceQueue queue, int most) {
        ReceiveMessageRequest request = ReceiveMessageRequest.builder().queueUrl(queue.url())
                .maxNumberOfMessages(Math.min(most, AwsLimits.QUEUE_BATCH)).waitTimeSeconds((int) wait.toSeconds())
                .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP,
                        MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                        MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP,
                        MessageSystemAttributeName.MESSAGE_GROUP_ID)
                .messageAttributeNames("All")
                .overrideConfiguration(override -> override.apiCallTimeout(wait.plus(PATIENCE)))
                .build();
        return Uni.createFrom().completionStage(() -> sqs.receiveMessage(request))
                .map(response -> response.messages().stream().map(message -> message(queue, message)).toList());
    }

    private static Message message(SourceQueue queue, software.amazon.awssdk.services.sqs.model.Message received) {
        Map<MessageSystemAttributeName, String> system = received.attributes();
        Instant sent = instant(system, MessageSystemAttributeName.SENT_TIMESTAMP);
        Instant first = instant(system, MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP);
        String count = system.getOrDefault(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1");
        return new Message(queue, received.messageId(), received.receiptHandle(), MessageBody.of(received.body()),
                texts(received.messageAttributes()), sent, first, Integer.parseInt(count),
                system.get(MessageSystemAttributeName.MESSAGE_GROUP_ID));
    }

    private static Instant instant(Map<MessageSystemAttributeName, String> system, MessageSystemAttributeName name) {
        return Instant.ofEpochMilli(Long.parseLong(system.getOrDefault(name, "0")));
    }

    private static Map<String, String> texts(Map<String, MessageAttributeValue> attributes) {
        if (attributes.isEmpty()) {
            return Map.of();
        }
        Map<String, String> texts = new HashMap<>();
        attributes.forEach((name, value) -> {
            if (value.stringValue() != null) {
                texts.put(name, value.stringValue());
            }
        });
        return texts;
    }
}
