package dev.windrow.writer.queue;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.aws.RequestFailedException;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Joined;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.provision.QueueProvisioner;
import dev.windrow.table.AwsLimits;
import dev.windrow.writer.decode.SourceQueue;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Resolves queues by name or URL, and reads their attributes. */
public record QueueResolver(SqsAsyncClient sqs) {

    private static final StructuredLogger LOG = StructuredLogger.of(QueueResolver.class);

    /**
     * Finds queues.
     *
     * @param namesOrUrls of queues to receive from
     * @param deadLetters name or URL of the dead-letter queue
     * @return fails with a {@link RequestFailedException} that names the queue if one does not exist or access is denied, and
     *         with an {@link InvalidInputException} if the dead-letter queue is among the queues to receive from, since
     *         letters would circulate endlessly
     */
    public Uni<List<SourceQueue>> find(List<String> namesOrUrls, String deadLetters) {
        return found(deadLetters).chain(letters -> Joined.all(
                namesOrUrls.stream().map(name -> found(name).map(queue -> queue(queue, letters))).toList()));
    }

    private record Found(String url, Map<QueueAttributeName, String> attributes) {

        /** The ARN: several URLs may name the same queue, but it has only one ARN. */
        String identity() {
            return attributes.getOrDefault(QueueAttributeName.QUEUE_ARN, url);
        }
    }

    private Uni<Found> found(String nameOrUrl) {
        return url(nameOrUrl).chain(url -> Uni.createFrom().completionStage(() -> sqs.getQueueAttributes(
                request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL)))
                .map(response -> new Found(url, response.attributes())))
                // SQS does not name the queue in its error.
                .onFailure().transform(failure -> new RequestFailedException("queue " + nameOrUrl, failure));
    }

    private static SourceQueue queue(Found found, Found letters) {
        if (found.identity().equals(letters.identity())) {
            throw new InvalidInputException(Reason.INVALID_SETTING, "windrow.writer.dead-letter-queue",
                    "must differ from the queue that events come from, found " + letters.url() + " for both");
        }
        Map<QueueAttributeName, String> attributes = found.attributes();
        String name = name(found);
        int most = maxBytes(found);
        int mostOfLetters = maxBytes(letters);
        if (mostOfLetters < most) {
            LOG.warn("the dead-letter queue " + name(letters) + " takes smaller messages than queue " + name
                    + ": large dead letters are sent in parts; set its MaximumMessageSize to " + most, LogKey.QUEUE.of(name),
                    LogKey.DETAIL.of("MaximumMessageSize " + mostOfLetters + ", of the queue " + most));
        }
        return new SourceQueue(name, found.url(), name.endsWith(".fifo"),
                seconds(attributes.get(QueueAttributeName.VISIBILITY_TIMEOUT), 30),
                seconds(attributes.get(QueueAttributeName.MESSAGE_RETENTION_PERIOD), 345_600), letters.url(), mostOfLetters,
                QueueProvisioner.maxReceives(attributes).orElse(SourceQueue.UNLIMITED));
    }

    private static String name(Found queue) {
        return queue.url().substring(queue.url().lastIndexOf('/') + 1);
    }

    private static int maxBytes(Found queue) {
        String size = queue.attributes().get(QueueAttributeName.MAXIMUM_MESSAGE_SIZE);
        return size == null ? AwsLimits.MESSAGE_BYTES : Integer.parseInt(size);
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
