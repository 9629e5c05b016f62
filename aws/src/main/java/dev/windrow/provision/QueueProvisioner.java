package dev.windrow.provision;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.windrow.aws.AwsErrors;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * Provisions a queue and its dead-letter queue as a {@link QueueSpec} describes: creates missing ones and sets the attributes
 * of existing ones. Idempotent. Retention and maximum receive count of an existing queue are raised, but never lowered, as that
 * would lose messages that are older, or were received more often.
 *
 * @param waiter how to wait until a new queue is known throughout SQS
 */
public record QueueProvisioner(SqsAsyncClient sqs, WaiterPolicy waiter) {

    /** The maximum receive count in a redrive policy, a JSON text; SQS accepts 1 to 1,000. */
    private static final Pattern MAX_RECEIVES = Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?(\\d{1,4})");

    /** In SQS's response to a redrive policy that names a queue which is still being created. */
    private static final String NO_TARGET = "Dead letter target does not exist";

    /** Waits up to a minute for a new queue: SQS asks for at least a second. */
    public QueueProvisioner(SqsAsyncClient sqs) {
        this(sqs, new WaiterPolicy(Duration.ofSeconds(1), 60));
    }

    /** Provisions both queues; blocks until they can be used. Throws the SDK's exceptions when SQS refuses a request. */
    public ProvisionedQueues provision(QueueSpec spec) {
        // The redrive policy names the dead-letter queue by its ARN, so that queue must exist first.
        String deadLetterUrl = ensure(spec.deadLetterName(), spec.fifo(), existing -> Map.of(
                QueueAttributeName.MESSAGE_RETENTION_PERIOD, retention(spec.deadLetterRetention(), existing)));
        String deadLetterArn = arn(deadLetterUrl);
        String url = ensure(spec.name(), spec.fifo(), existing -> attributes(spec, deadLetterArn, existing));
        return new ProvisionedQueues(url, arn(url), deadLetterUrl, deadLetterArn);
    }

    /** @param attributes computes the attributes to set from those that the queue has, none if it is new */
    private String ensure(String name, boolean fifo, UnaryOperator<Map<QueueAttributeName, String>> attributes) {
        try {
            String url = AwsErrors.join(sqs.getQueueUrl(request -> request.queueName(name))).queueUrl();
            Map<QueueAttributeName, String> existing = AwsErrors.join(sqs.getQueueAttributes(
                    request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))).attributes();
            AwsErrors.join(sqs.setQueueAttributes(request -> request.queueUrl(url).attributes(attributes.apply(existing))));
            return url;
        } catch (QueueDoesNotExistException missing) {
            Map<QueueAttributeName, String> all = new EnumMap<>(attributes.apply(Map.of()));
            if (fifo) {
                all.put(QueueAttributeName.FIFO_QUEUE, "true");
            }
            return onceKnown(() -> sqs.createQueue(request -> request.queueName(name).attributes(all))).queueUrl();
        }
    }

    private String arn(String url) {
        Map<QueueAttributeName, String> asked = onceKnown(() -> sqs.getQueueAttributes(
                request -> request.queueUrl(url).attributeNames(QueueAttributeName.QUEUE_ARN))).attributes();
        return Objects.requireNonNull(asked.get(QueueAttributeName.QUEUE_ARN), "SQS answers with what it is asked for");
    }

    /** Repeats a request until SQS knows an existing queue. */
    private <T> T onceKnown(Supplier<CompletableFuture<T>> request) {
        Deque<SqsException> refusals = new ArrayDeque<>();
        Optional<T> answer = waiter.await(() -> {
            try {
                return Optional.of(AwsErrors.join(request.get()));
            } catch (SqsException failure) {
                refusals.add(failure);
                if (failure instanceof QueueDoesNotExistException || String.valueOf(failure.getMessage()).contains(NO_TARGET)) {
                    return Optional.<T> empty();
                }
                throw failure;
            }
        });
        return answer.orElseThrow(refusals::getLast);
    }

    private static Map<QueueAttributeName, String> attributes(QueueSpec spec, String deadLetterArn,
            Map<QueueAttributeName, String> existing) {
        // An ARN consists of letters, digits and ':-_.', so it needs no escaping in JSON.
        String redrive = "{\"deadLetterTargetArn\":\"" + deadLetterArn + "\",\"maxReceiveCount\":"
                + Math.max(spec.maxReceiveCount(), maxReceives(existing).orElse(0)) + "}";
        return Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, seconds(spec.visibilityTimeout()),
                QueueAttributeName.MESSAGE_RETENTION_PERIOD, retention(spec.retention(), existing),
                QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, seconds(spec.receiveWait()),
                QueueAttributeName.REDRIVE_POLICY, redrive);
    }

    private static String retention(Duration wanted, Map<QueueAttributeName, String> existing) {
        long kept = Long.parseLong(existing.getOrDefault(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "0"));
        return Long.toString(Math.max(wanted.toSeconds(), kept));
    }

    /** Returns the maximum receive count in a queue's redrive policy, given its attributes; empty if it has none. */
    public static OptionalInt maxReceives(Map<QueueAttributeName, String> attributes) {
        Matcher found = MAX_RECEIVES.matcher(attributes.getOrDefault(QueueAttributeName.REDRIVE_POLICY, ""));
        return found.find() ? OptionalInt.of(Integer.parseInt(found.group(1))) : OptionalInt.empty();
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }

}
