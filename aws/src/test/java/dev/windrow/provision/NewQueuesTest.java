package dev.windrow.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;

import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.provision.TableProvisioner.WaiterPolicy;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.CreateQueueRequest;
import software.amazon.awssdk.services.sqs.model.CreateQueueResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The first second of a queue, in which not all of SQS knows it; the embedded SQS has none. */
class NewQueuesTest {

    @Test
    void queuesAreProvisionedThoughSqsDoesNotKnowThemAtOnce() {
        // Given
        HesitantSqs sqs = new HesitantSqs(2);

        // When
        ProvisionedQueues queues = provision(sqs, 3);

        // Then
        assertThat(queues).isEqualTo(new ProvisionedQueues("events", "arn:events", "events-dlq", "arn:events-dlq"));
    }

    @Test
    void aQueueThatIsNeverKnownIsAFailure() {
        // Given
        HesitantSqs sqs = new HesitantSqs(3);

        // When, Then
        assertThatThrownBy(() -> provision(sqs, 3)).isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(QueueDoesNotExistException.class);
    }

    private static ProvisionedQueues provision(SqsAsyncClient sqs, int polls) {
        return new QueueProvisioner(sqs, new WaiterPolicy(Duration.ofMillis(1), polls)).provision(QueueSpec.named("events"))
                .toCompletableFuture().join();
    }

    /** Does not know a queue, nor takes it for a dead-letter queue, in the first requests after its creation. */
    private static final class HesitantSqs implements SqsAsyncClient {

        private final int requests;
        private final Map<String, Integer> hidden = new HashMap<>();
        private int refusals;

        HesitantSqs(int requests) {
            this.requests = requests;
            this.refusals = requests;
        }

        private boolean isHidden(String queue) {
            return hidden.merge(queue, -1, Integer::sum) >= 0;
        }

        @Override
        public CompletableFuture<GetQueueUrlResponse> getQueueUrl(GetQueueUrlRequest request) {
            return CompletableFuture.failedFuture(QueueDoesNotExistException.builder().build());
        }

        @Override
        public CompletableFuture<CreateQueueResponse> createQueue(CreateQueueRequest request) {
            if (request.attributes().containsKey(QueueAttributeName.REDRIVE_POLICY) && refusals > 0) {
                refusals--;
                return CompletableFuture.failedFuture(SqsException.builder().message("Value for parameter RedrivePolicy is"
                        + " invalid. Reason: Dead letter target does not exist.").build());
            }
            hidden.put(request.queueName(), requests);
            return CompletableFuture.completedFuture(CreateQueueResponse.builder().queueUrl(request.queueName()).build());
        }

        @Override
        public CompletableFuture<GetQueueAttributesResponse> getQueueAttributes(GetQueueAttributesRequest request) {
            return isHidden(request.queueUrl()) ? CompletableFuture.failedFuture(QueueDoesNotExistException.builder().build())
                    : CompletableFuture.completedFuture(GetQueueAttributesResponse.builder()
                            .attributes(Map.of(QueueAttributeName.QUEUE_ARN, "arn:" + request.queueUrl())).build());
        }

        @Override
        public String serviceName() {
            return "sqs";
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
