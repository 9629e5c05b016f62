package dev.windrow.writer.deadletter;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.windrow.writer.message.Provenance;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** A dead letter sent to the queue again, under the identity of the original message. */
final class ReplayedMessage {

    static final String FIFO_SUFFIX = ".fifo";
    private static final String DIGITS = "\\d{1,15}";

    private final Message letter;

    ReplayedMessage(Message letter) {
        this.letter = letter;
    }

    /**
     * Whether the letter says when the original message was sent. One that the queue's own redrive policy moved does not: in a
     * standard queue it keeps its sent time, in a FIFO queue it gets a new one.
     */
    boolean hasFirstSent() {
        return firstSent().matches(DIGITS);
    }

    /** When the original message was sent, or else the letter. */
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
        // A letter that the queue's own redrive policy moved has no attributes, but still its id, and outside of FIFO queues
        // its sent time.
        own.putIfAbsent(Provenance.SOURCE_MESSAGE_ID, text(letter.messageId()));
        own.putIfAbsent(Provenance.SOURCE_SENT, text(system(MessageSystemAttributeName.SENT_TIMESTAMP)));
        Map<String, MessageAttributeValue> attributes = new LinkedHashMap<>();
        MessageAttributes.addUpToLimit(attributes, own, value -> value.stringValue() == null ? "-" : value.stringValue());
        SendMessageRequest.Builder request = SendMessageRequest.builder().queueUrl(targetUrl)
                .messageBody(letter.body()).messageAttributes(attributes);
        if (targetUrl.endsWith(FIFO_SUFFIX)) {
            request.messageGroupId(system(MessageSystemAttributeName.MESSAGE_GROUP_ID))
                    .messageDeduplicationId(letter.messageId());
        }
        return request.build();
    }

    private String system(MessageSystemAttributeName name) {
        return letter.attributes().getOrDefault(name, "0");
    }

    private static MessageAttributeValue text(String value) {
        return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
    }
}
