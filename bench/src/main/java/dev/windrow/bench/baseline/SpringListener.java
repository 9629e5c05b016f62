package dev.windrow.bench.baseline;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.springframework.messaging.Message;

import io.awspring.cloud.sqs.listener.AsyncMessageListener;
import io.awspring.cloud.sqs.listener.BackPressureMode;
import io.awspring.cloud.sqs.listener.ListenerMode;
import io.awspring.cloud.sqs.listener.SqsMessageListenerContainer;
import io.awspring.cloud.sqs.listener.acknowledgement.handler.AcknowledgementMode;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * A batch listener of spring-cloud-aws without Spring Boot, tuned: full batches in as many polls as other consumers have, and
 * deletes in batches as soon as ten messages are handled.
 */
final class SpringListener {

    private static final int BATCH = 10;
    private static final Duration POLL = Duration.ofSeconds(20);

    private SpringListener() {
    }

    static void start(SqsAsyncClient sqs, String queueUrl, int pollers, Consumer.Handling handling) {
        SqsMessageListenerContainer.<String> builder().sqsAsyncClient(sqs).queueNames(queueUrl)
                .configure(options -> options.listenerMode(ListenerMode.BATCH).maxMessagesPerPoll(BATCH)
                        .maxConcurrentMessages(pollers * BATCH).backPressureMode(BackPressureMode.FIXED_HIGH_THROUGHPUT)
                        .pollTimeout(POLL).acknowledgementMode(AcknowledgementMode.ON_SUCCESS).acknowledgementThreshold(BATCH)
                        .acknowledgementInterval(Duration.ofMillis(100)))
                .asyncMessageListener(new AsyncMessageListener<>() {
                    @Override
                    public CompletableFuture<Void> onMessage(Message<String> message) {
                        return onMessage(List.of(message));
                    }

                    @Override
                    public CompletableFuture<Void> onMessage(Collection<Message<String>> messages) {
                        return handling.handle(messages.stream().map(Message::getPayload).toList())
                                .thenAccept(handled -> {
                                });
                    }
                }).build().start();
    }
}
