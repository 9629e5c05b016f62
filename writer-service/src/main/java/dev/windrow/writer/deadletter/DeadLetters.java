package dev.windrow.writer.deadletter;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jboss.logging.Logger;

import dev.windrow.scatter.Hashes;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * Sends dead letters, body untouched and with the reason as message attributes. Each is sent at least once: a message
 * that is delivered again before it was deleted leaves a second copy, which the ledger tells apart from a second message.
 */
public final class DeadLetters {

    private static final Logger LOG = Logger.getLogger(DeadLetters.class);
    private static final int CONCURRENCY = 4;
    private static final int ATTEMPTS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String FIFO_SUFFIX = ".fifo";

    private final SqsAsyncClient sqs;

    public DeadLetters(SqsAsyncClient sqs) {
        this.sqs = sqs;
    }

    /**
     * Sends all.
     *
     * @return whether every one was taken; if not, the message must not be deleted. What SQS will not take, as body and
     *         attributes together are too large, stays in its queue until the queue's own redrive policy moves it.
     */
    public Uni<Boolean> send(List<DeadLetter> letters) {
        if (letters.isEmpty()) {
            return Uni.createFrom().item(true);
        }
        return Uni.join().all(letters.stream().map(this::send).toList()).usingConcurrencyOf(CONCURRENCY).andFailFast()
                .map(results -> results.stream().allMatch(sent -> sent));
    }

    private Uni<Boolean> send(DeadLetter letter) {
        String url = letter.message().queue().deadLetterUrl();
        if (url == null) {
            return Uni.createFrom().item(false);
        }
        Map<String, MessageAttributeValue> attributes = new HashMap<>();
        DeadLetterAttributes.of(letter).forEach((name, value) -> attributes.put(name,
                MessageAttributeValue.builder().dataType("String").stringValue(value).build()));
        SendMessageRequest.Builder request = SendMessageRequest.builder().queueUrl(url).messageBody(letter.body())
                .messageAttributes(attributes);
        if (url.endsWith(FIFO_SUFFIX)) {
            String identity = letter.message().identity();
            request.messageGroupId(letter.message().group() == null ? identity : letter.message().group())
                    .messageDeduplicationId(Long.toHexString(Hashes.hash64(identity)) + "-" + letter.index());
        }
        return Uni.createFrom().completionStage(() -> sqs.sendMessage(request.build()))
                .ifNoItem().after(TIMEOUT).fail()
                .onFailure().retry().withBackOff(FIRST_PAUSE, LONGEST_PAUSE).atMost(ATTEMPTS - 1)
                .invoke(() -> LOG.infof("dead letter: reason=%s message=%s event=%d detail=%s", letter.reason().word(),
                        letter.message().id(), letter.index(), letter.detail()))
                .replaceWith(true)
                .onFailure().invoke(failure -> LOG.errorf("dead letter not taken: reason=%s message=%s error=%s",
                        letter.reason().word(), letter.message().id(), failure))
                .onFailure().recoverWithItem(false);
    }
}
