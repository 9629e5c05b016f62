package dev.windrow.writer.deadletter;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Joined;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.dataset.Scatter.Murmur3;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * Sends dead letters to the dead-letter queue (DLQ), with the reason as message attributes. A body that SQS does not accept,
 * because of its characters or its size, is compressed; any other is sent unchanged. Each is sent at least once: a message
 * that is redelivered before it was deleted leaves a second copy, which is recognized as a duplicate when it is replayed.
 */
public final class DeadLetterSender {

    private static final StructuredLogger LOG = StructuredLogger.of(DeadLetterSender.class);
    private static final int CONCURRENCY = 4;
    private static final int ATTEMPTS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String FIFO_SUFFIX = ".fifo";

    private final SqsAsyncClient sqs;
    private final Runnable attempted;

    /** @param attempted is run at the end of each attempt to send one */
    public DeadLetterSender(SqsAsyncClient sqs, Runnable attempted) {
        this.sqs = sqs;
        this.attempted = attempted;
    }

    /**
     * Sends all.
     *
     * @return whether all were sent; if not, the message must not be deleted. A message that is too large for SQS even when
     *         compressed stays in its queue until the queue's own redrive policy moves it.
     */
    public Uni<Boolean> send(List<DeadLetter> letters) {
        if (letters.isEmpty()) {
            return Uni.createFrom().item(true);
        }
        return Joined.all(letters.stream().map(this::send).toList(), CONCURRENCY)
                .map(results -> results.stream().allMatch(sent -> sent));
    }

    private static SendMessageRequest request(String url, DeadLetter letter) {
        Map<String, MessageAttributeValue> attributes = new HashMap<>();
        DeadLetterAttributes.of(letter).forEach((name, value) -> attributes.put(name,
                MessageAttributeValue.builder().dataType("String").stringValue(value).build()));
        SendMessageRequest.Builder request = SendMessageRequest.builder().queueUrl(url).messageBody(letter.body())
                .messageAttributes(attributes);
        if (url.endsWith(FIFO_SUFFIX)) {
            // The message's own id, too: a letter that was replayed and failed again is another one.
            String id = Long.toHexString(Murmur3.hash64(letter.message().id() + " " + letter.message().identity()));
            request.messageGroupId(letter.message().group() == null ? id : letter.message().group())
                    .messageDeduplicationId(id + "-" + letter.index());
        }
        return request.build();
    }

    private Uni<Void> send(SendMessageRequest request) {
        return Uni.createFrom().completionStage(() -> sqs.sendMessage(request))
                .ifNoItem().after(TIMEOUT).fail()
                .onTermination().invoke(attempted)
                .onFailure(failure -> !isRefused(failure)).retry().withBackOff(FIRST_PAUSE, MAX_PAUSE)
                .atMost(ATTEMPTS - 1).replaceWithVoid();
    }

    /** Whether no retry helps: SQS rejects the message itself, or the error is an unknown client error. */
    static boolean isRefused(Throwable failure) {
        Reason reason = AwsErrors.reason(failure);
        return reason == Reason.REFUSED || reason == Reason.UNKNOWN_ERROR;
    }

    private Uni<Boolean> send(DeadLetter letter) {
        String url = letter.message().queue().deadLetterUrl();
        if (url == null) {
            return Uni.createFrom().item(false);
        }
        boolean taken = letter.isPacked() || SqsText.isAllowed(letter.body());
        Uni<Void> sent = send(request(url, taken ? letter : letter.packed()))
                .onFailure(failure -> taken && !letter.isPacked() && isRefused(failure))
                .recoverWithUni(() -> send(request(url, letter.packed())));
        return sent
                .invoke(() -> LOG.info("sent to the dead-letter queue", LogKey.REASON.of(letter.reason().word()),
                        LogKey.MESSAGE_ID.of(letter.message().id()), LogKey.EVENT.of(letter.index()),
                        LogKey.DETAIL.of(letter.detail())))
                .replaceWith(true)
                .onFailure()
                .invoke(failure -> LOG.error("not sent to the dead-letter queue; the message returns to its queue",
                        LogKey.REASON.of(letter.reason().word()), LogKey.MESSAGE_ID.of(letter.message().id()),
                        LogKey.ERROR.of(failure)))
                .onFailure().recoverWithItem(false);
    }
}
