package dev.windrow.provision;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.windrow.aws.AwsErrors;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * Brings a queue and its dead-letter queue to the form of a {@link QueueSpec}: creates what is missing and sets the
 * attributes of what exists. Doing it again changes nothing.
 */
public final class QueueProvisioner {

    private final SqsAsyncClient sqs;

    public QueueProvisioner(SqsAsyncClient sqs) {
        this.sqs = sqs;
    }

    /** Completes once both queues exist; fails with the SDK's exceptions when SQS refuses a request. */
    public CompletionStage<ProvisionedQueues> provision(QueueSpec spec) {
        // The redrive policy names the dead-letter queue by its ARN, so that queue has to be there first.
        return ensure(spec.deadLetterName(), spec.fifo(), deadLetterAttributes(spec))
                .thenCompose(deadLetterUrl -> arn(deadLetterUrl)
                        .thenCompose(deadLetterArn -> ensure(spec.name(), spec.fifo(), attributes(spec, deadLetterArn))
                                .thenCompose(url -> arn(url)
                                        .thenApply(arn -> new ProvisionedQueues(url, arn, deadLetterUrl, deadLetterArn)))));
    }

    private CompletionStage<String> ensure(String name, boolean fifo, Map<QueueAttributeName, String> attributes) {
        return sqs.getQueueUrl(request -> request.queueName(name))
                .handle((response, failure) -> {
                    if (failure == null) {
                        return adjust(response.queueUrl(), attributes);
                    }
                    if (AwsErrors.cause(failure) instanceof QueueDoesNotExistException) {
                        return create(name, fifo, attributes);
                    }
                    return CompletableFuture.<String> failedFuture(AwsErrors.cause(failure));
                })
                .thenCompose(url -> url);
    }

    private CompletionStage<String> create(String name, boolean fifo, Map<QueueAttributeName, String> attributes) {
        Map<QueueAttributeName, String> all = new EnumMap<>(attributes);
        if (fifo) {
            all.put(QueueAttributeName.FIFO_QUEUE, "true");
        }
        return sqs.createQueue(request -> request.queueName(name).attributes(all))
                .thenApply(response -> response.queueUrl());
    }

    private CompletionStage<String> adjust(String url, Map<QueueAttributeName, String> attributes) {
        return sqs.setQueueAttributes(request -> request.queueUrl(url).attributes(attributes))
                .thenApply(response -> url);
    }

    private CompletionStage<String> arn(String url) {
        return sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.QUEUE_ARN))
                .thenApply(response -> response.attributes().get(QueueAttributeName.QUEUE_ARN));
    }

    private static Map<QueueAttributeName, String> deadLetterAttributes(QueueSpec spec) {
        Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
        attributes.put(QueueAttributeName.MESSAGE_RETENTION_PERIOD, seconds(spec.deadLetterRetention()));
        return attributes;
    }

    private static Map<QueueAttributeName, String> attributes(QueueSpec spec, String deadLetterArn) {
        Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
        attributes.put(QueueAttributeName.VISIBILITY_TIMEOUT, seconds(spec.visibilityTimeout()));
        attributes.put(QueueAttributeName.MESSAGE_RETENTION_PERIOD, seconds(spec.retention()));
        attributes.put(QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, seconds(spec.receiveWait()));
        // An ARN is letters, digits and ':-_.', so it needs no escaping in JSON.
        attributes.put(QueueAttributeName.REDRIVE_POLICY, "{\"deadLetterTargetArn\":\"" + deadLetterArn
                + "\",\"maxReceiveCount\":" + spec.maxReceiveCount() + "}");
        return attributes;
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }
}
