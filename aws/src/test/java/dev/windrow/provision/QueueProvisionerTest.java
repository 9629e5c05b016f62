package dev.windrow.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.Test;

import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.CreateQueueRequest;
import software.amazon.awssdk.services.sqs.model.CreateQueueResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.SetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.SetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * What the embedded SQS does not know: how long queues keep messages, and the first second of a queue, in which not all of SQS
 * knows it.
 */
class QueueProvisionerTest {

    private static final String FOUR_DAYS = "345600";
    private static final String FOURTEEN_DAYS = "1209600";

    private final RememberingSqs sqs = new RememberingSqs();

    @Test
    void aNewQueueHasTheRetentionOfItsSpec() {
        provision();

        assertThat(retention("events")).isEqualTo(FOUR_DAYS);
        assertThat(retention("events-dlq")).isEqualTo(FOURTEEN_DAYS);
    }

    /** A backlog that an operator gave more time would be deleted from the queue. */
    @Test
    void aRetentionThatWasExtendedStaysAndTheRestIsSet() {
        // Given
        provision();
        sqs.set("events", QueueAttributeName.MESSAGE_RETENTION_PERIOD, FOURTEEN_DAYS);
        sqs.set("events", QueueAttributeName.VISIBILITY_TIMEOUT, "7");

        // When
        provision();

        // Then
        assertThat(retention("events")).isEqualTo(FOURTEEN_DAYS);
        assertThat(sqs.attributes("events")).containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "60");
    }

    @Test
    void aShorterRetentionIsExtended() {
        // Given
        provision();
        sqs.set("events", QueueAttributeName.MESSAGE_RETENTION_PERIOD, "60");
        sqs.set("events-dlq", QueueAttributeName.MESSAGE_RETENTION_PERIOD, "60");

        // When
        provision();

        // Then
        assertThat(retention("events")).isEqualTo(FOUR_DAYS);
        assertThat(retention("events-dlq")).isEqualTo(FOURTEEN_DAYS);
    }

    @Test
    void queuesAreProvisionedThoughSqsDoesNotKnowThemAtOnce() {
        sqs.hesitate(2);

        assertThat(provision(3)).isEqualTo(new ProvisionedQueues("events", "arn:events", "events-dlq", "arn:events-dlq"));
    }

    @Test
    void aQueueThatIsNeverKnownIsAFailure() {
        sqs.hesitate(3);

        assertThatThrownBy(() -> provision(3)).isInstanceOf(QueueDoesNotExistException.class);
    }

    private ProvisionedQueues provision(int polls) {
        return new QueueProvisioner(sqs, new WaiterPolicy(Duration.ofMillis(1), polls)).provision(QueueSpec.named("events"));
    }

    private void provision() {
        new QueueProvisioner(sqs).provision(QueueSpec.named("events"));
    }

    private String retention(String queue) {
        return sqs.attributes(queue).getOrDefault(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "none");
    }

    /**
     * Queues whose URLs are their names, with all attributes that were set. In the first requests after its creation, a queue
     * may not be known, nor be taken for a dead-letter queue.
     */
    private static final class RememberingSqs implements SqsAsyncClient {

        private final Map<String, Map<QueueAttributeName, String>> queues = new ConcurrentHashMap<>();
        private final Map<String, Integer> hidden = new HashMap<>();
        private int hesitation;
        private int refusals;

        void hesitate(int requests) {
            hesitation = requests;
            refusals = requests;
        }

        void set(String queue, QueueAttributeName name, String value) {
            set(queue, Map.of(name, value));
        }

        private void set(String queue, Map<QueueAttributeName, String> attributes) {
            Map<QueueAttributeName, String> all = attributes(queue);
            all.putAll(attributes);
            queues.put(queue, all);
        }

        Map<QueueAttributeName, String> attributes(String queue) {
            Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
            attributes.putAll(queues.getOrDefault(queue, Map.of()));
            return attributes;
        }

        @Override
        public CompletableFuture<GetQueueUrlResponse> getQueueUrl(GetQueueUrlRequest request) {
            return queues.containsKey(request.queueName())
                    ? CompletableFuture.completedFuture(GetQueueUrlResponse.builder().queueUrl(request.queueName()).build())
                    : CompletableFuture.failedFuture(QueueDoesNotExistException.builder().build());
        }

        @Override
        public CompletableFuture<CreateQueueResponse> createQueue(CreateQueueRequest request) {
            if (request.attributes().containsKey(QueueAttributeName.REDRIVE_POLICY) && refusals > 0) {
                refusals--;
                return CompletableFuture.failedFuture(SqsException.builder().message("Value for parameter RedrivePolicy is"
                        + " invalid. Reason: Dead letter target does not exist.").build());
            }
            set(request.queueName(), request.attributes());
            hidden.put(request.queueName(), hesitation);
            return CompletableFuture.completedFuture(CreateQueueResponse.builder().queueUrl(request.queueName()).build());
        }

        @Override
        public CompletableFuture<GetQueueAttributesResponse> getQueueAttributes(GetQueueAttributesRequest request) {
            if (hidden.merge(request.queueUrl(), -1, Integer::sum) >= 0) {
                return CompletableFuture.failedFuture(QueueDoesNotExistException.builder().build());
            }
            Map<QueueAttributeName, String> all = attributes(request.queueUrl());
            all.put(QueueAttributeName.QUEUE_ARN, "arn:" + request.queueUrl());
            return CompletableFuture.completedFuture(GetQueueAttributesResponse.builder().attributes(all).build());
        }

        @Override
        public CompletableFuture<SetQueueAttributesResponse> setQueueAttributes(SetQueueAttributesRequest request) {
            set(request.queueUrl(), request.attributes());
            return CompletableFuture.completedFuture(SetQueueAttributesResponse.builder().build());
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
