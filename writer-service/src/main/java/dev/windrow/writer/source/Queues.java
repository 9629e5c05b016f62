package dev.windrow.writer.source;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.message.Queue;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Finds queues by name or URL, with what the flow must know of them. */
public final class Queues {

    private final SqsAsyncClient sqs;

    public Queues(SqsAsyncClient sqs) {
        this.sqs = sqs;
    }

    /**
     * Finds queues.
     *
     * @param namesOrUrls of queues to receive from
     * @param deadLetters name or URL of the queue for what cannot be counted
     * @return fails as the SDK does if a queue does not exist or may not be used
     */
    public Uni<List<Queue>> find(List<String> namesOrUrls, String deadLetters) {
        return url(deadLetters).chain(deadLetterUrl -> Uni.join()
                .all(namesOrUrls.stream().map(name -> queue(name, deadLetterUrl)).toList()).andFailFast());
    }

    private Uni<Queue> queue(String nameOrUrl, String deadLetterUrl) {
        return url(nameOrUrl).chain(url -> Uni.createFrom().completionStage(() -> sqs.getQueueAttributes(
                request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL)))
                .map(response -> queue(url, response.attributes(), deadLetterUrl)));
    }

    private static Queue queue(String url, Map<QueueAttributeName, String> attributes, String deadLetterUrl) {
        String name = url.substring(url.lastIndexOf('/') + 1);
        boolean fifo = name.endsWith(".fifo");
        Duration visibility = seconds(attributes.get(QueueAttributeName.VISIBILITY_TIMEOUT), 30);
        Duration retention = seconds(attributes.get(QueueAttributeName.MESSAGE_RETENTION_PERIOD), 345_600);
        return new Queue(name, url, fifo, visibility, retention, deadLetterUrl);
    }

    private static Duration seconds(@Nullable String text, long absent) {
        return Duration.ofSeconds(text == null ? absent : Long.parseLong(text));
    }

    private Uni<String> url(String nameOrUrl) {
        if (nameOrUrl.startsWith("http://") || nameOrUrl.startsWith("https://")) {
            return Uni.createFrom().item(nameOrUrl);
        }
        return Uni.createFrom().completionStage(() -> sqs.getQueueUrl(request -> request.queueName(nameOrUrl)))
                .map(response -> response.queueUrl());
    }
}
