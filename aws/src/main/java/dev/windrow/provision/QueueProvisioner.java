package dev.windrow.provision;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.windrow.aws.AwsErrors;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * Brings a queue and its dead-letter queue to the form of a {@link QueueSpec}: creates what is missing and sets the
 * attributes of what exists. Doing it again changes nothing. Retention and maximum receive count of a queue that exists are
 * raised, but never lowered: messages that are older, or were received more often, would be lost to it.
 */
public final class QueueProvisioner {

    /** In a redrive policy, a JSON text; SQS takes 1 to 1,000. */
    private static final Pattern MAX_RECEIVES = Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?(\\d{1,4})");

    /** Of the answer to a redrive policy that names a queue which is just being created. */
    private static final String NO_TARGET = "Dead letter target does not exist";

    private final SqsAsyncClient sqs;
    private final WaiterPolicy waiter;

    /** Waits up to a minute for a queue that it created: SQS asks for a second at least. */
    public QueueProvisioner(SqsAsyncClient sqs) {
        this(sqs, new WaiterPolicy(Duration.ofSeconds(1), 60));
    }

    /** @param waiter how to wait until a queue that was created is known to all of SQS */
    QueueProvisioner(SqsAsyncClient sqs, WaiterPolicy waiter) {
        this.sqs = sqs;
        this.waiter = waiter;
    }

    /** Completes once both queues can be used; fails with the SDK's exceptions when SQS refuses a request. */
    public CompletionStage<ProvisionedQueues> provision(QueueSpec spec) {
        // The redrive policy names the dead-letter queue by its ARN, so that queue has to be there first.
        return ensure(spec.deadLetterName(), spec.fifo(), existing -> deadLetterAttributes(spec, existing))
                .thenCompose(deadLetterUrl -> arn(deadLetterUrl)
                        .thenCompose(deadLetterArn -> ensure(spec.name(), spec.fifo(),
                                existing -> attributes(spec, deadLetterArn, existing))
                                .thenCompose(url -> arn(url)
                                        .thenApply(arn -> new ProvisionedQueues(url, arn, deadLetterUrl, deadLetterArn)))));
    }

    /** @param attributes those to set, by those that the queue has, none if it is new */
    private CompletionStage<String> ensure(String name, boolean fifo,
            UnaryOperator<Map<QueueAttributeName, String>> attributes) {
        return sqs.getQueueUrl(request -> request.queueName(name))
                .handle((response, failure) -> {
                    if (failure == null) {
                        return adjust(response.queueUrl(), attributes);
                    }
                    if (AwsErrors.cause(failure) instanceof QueueDoesNotExistException) {
                        return create(name, fifo, attributes.apply(Map.of()));
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
        return onceKnown(() -> sqs.createQueue(request -> request.queueName(name).attributes(all)))
                .thenApply(response -> response.queueUrl());
    }

    private CompletionStage<String> adjust(String url, UnaryOperator<Map<QueueAttributeName, String>> attributes) {
        return sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .thenCompose(existing -> sqs.setQueueAttributes(
                        request -> request.queueUrl(url).attributes(attributes.apply(existing.attributes()))))
                .thenApply(response -> url);
    }

    private CompletionStage<String> arn(String url) {
        return onceKnown(() -> sqs.getQueueAttributes(
                request -> request.queueUrl(url).attributeNames(QueueAttributeName.QUEUE_ARN)))
                .thenApply(response -> response.attributes().get(QueueAttributeName.QUEUE_ARN));
    }

    /** Repeats a request while SQS does not know a queue that is there. */
    private <T> CompletionStage<T> onceKnown(Supplier<CompletionStage<T>> request) {
        AtomicReference<Throwable> last = new AtomicReference<>();
        return waiter.await(() -> request.get().handle((response, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(Optional.of(response));
            }
            Throwable cause = AwsErrors.cause(failure);
            last.set(cause);
            return isTooEarly(cause) ? CompletableFuture.completedFuture(Optional.<T> empty())
                    : CompletableFuture.<Optional<T>> failedFuture(cause);
        }).thenCompose(answer -> answer)).thenCompose(answer -> answer.isPresent()
                ? CompletableFuture.completedFuture(answer.get())
                : CompletableFuture.failedFuture(Objects.requireNonNull(last.get())));
    }

    private static boolean isTooEarly(Throwable failure) {
        return failure instanceof QueueDoesNotExistException || String.valueOf(failure.getMessage()).contains(NO_TARGET);
    }

    private static Map<QueueAttributeName, String> deadLetterAttributes(QueueSpec spec,
            Map<QueueAttributeName, String> existing) {
        Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
        attributes.put(QueueAttributeName.MESSAGE_RETENTION_PERIOD, retention(spec.deadLetterRetention(), existing));
        return attributes;
    }

    private static Map<QueueAttributeName, String> attributes(QueueSpec spec, String deadLetterArn,
            Map<QueueAttributeName, String> existing) {
        Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
        attributes.put(QueueAttributeName.VISIBILITY_TIMEOUT, seconds(spec.visibilityTimeout()));
        attributes.put(QueueAttributeName.MESSAGE_RETENTION_PERIOD, retention(spec.retention(), existing));
        attributes.put(QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, seconds(spec.receiveWait()));
        // An ARN is letters, digits and ':-_.', so it needs no escaping in JSON.
        attributes.put(QueueAttributeName.REDRIVE_POLICY, "{\"deadLetterTargetArn\":\"" + deadLetterArn
                + "\",\"maxReceiveCount\":" + Math.max(spec.maxReceiveCount(), maxReceives(existing)) + "}");
        return attributes;
    }

    private static String retention(Duration wanted, Map<QueueAttributeName, String> existing) {
        long kept = Long.parseLong(existing.getOrDefault(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "0"));
        return Long.toString(Math.max(wanted.toSeconds(), kept));
    }

    private static int maxReceives(Map<QueueAttributeName, String> existing) {
        Matcher maxReceives = MAX_RECEIVES.matcher(existing.getOrDefault(QueueAttributeName.REDRIVE_POLICY, ""));
        return maxReceives.find() ? Integer.parseInt(maxReceives.group(1)) : 0;
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }
}
