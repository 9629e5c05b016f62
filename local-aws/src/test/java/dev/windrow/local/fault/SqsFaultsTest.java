package dev.windrow.local.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The SDK must take the proxy's failures for those of SQS. */
class SqsFaultsTest {

    private static LocalAws aws;
    private static FaultProxy proxy;
    private static SqsAsyncClient client;

    private String queue;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
        proxy = FaultProxy.start(aws.sqsEndpoint(), FaultPlan.none());
        client = SqsAsyncClient.builder().endpointOverride(proxy.endpoint()).region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .httpClient(DynamoDbBehindProxy.HTTP)
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry())).build();
    }

    @AfterAll
    static void stopServers() {
        client.close();
        proxy.close();
        aws.close();
    }

    @BeforeEach
    void createQueue() {
        proxy.use(FaultPlan.none());
        queue = client.createQueue(create -> create.queueName("faults-" + UUID.randomUUID())).join().queueUrl();
    }

    @Test
    void deletesSomeEntries_andReportsTheOthersAsFailed() {
        // given
        IntStream.range(0, 10).forEach(i -> client.sendMessage(send -> send.queueUrl(queue).messageBody("m" + i)).join());
        List<Message> messages = client
                .receiveMessage(receive -> receive.queueUrl(queue).maxNumberOfMessages(10)).join().messages();
        proxy.use(SqsFaults.entriesFail(new Random(3), 0.5));

        // when
        DeleteMessageBatchResponse answer = delete(messages);

        // then
        assertThat(answer.failed()).hasSizeBetween(1, 9).noneMatch(BatchResultErrorEntry::senderFault);
        assertThat(answer.successful()).hasSize(messages.size() - answer.failed().size())
                .extracting(DeleteMessageBatchResultEntry::id)
                .doesNotContainAnyElementsOf(answer.failed().stream().map(BatchResultErrorEntry::id).toList());
        assertThat(notDeleted()).isEqualTo(answer.failed().size());
    }

    @Test
    void deletesNothing_whenEveryEntryFails() {
        // given
        client.sendMessage(send -> send.queueUrl(queue).messageBody("m")).join();
        List<Message> messages = client.receiveMessage(receive -> receive.queueUrl(queue)).join().messages();
        proxy.use(SqsFaults.entriesFail(new Random(3), 1));

        // when
        DeleteMessageBatchResponse answer = delete(messages);

        // then
        assertThat(answer.failed()).hasSize(1);
        assertThat(answer.successful()).isEmpty();
        assertThat(notDeleted()).isEqualTo(1);
    }

    @Test
    void isAServerError_withStatus500() {
        assertThat(failureOf(SqsFaults.internalError())).returns(500, SqsException::statusCode);
    }

    @Test
    void isThrottling_whenTheServiceThrottles() {
        assertThat(failureOf(SqsFaults.throttled())).returns(true, SqsException::isThrottlingException);
    }

    @Test
    void namesTheExpiredToken() {
        assertThat(failureOf(SqsFaults.expiredToken()).awsErrorDetails().errorCode()).isEqualTo("ExpiredToken");
    }

    private SqsException failureOf(Fault fault) {
        proxy.use(FaultPlan.always(fault));
        return (SqsException) catchThrowableOfType(CompletionException.class,
                () -> client.receiveMessage(receive -> receive.queueUrl(queue)).join()).getCause();
    }

    private DeleteMessageBatchResponse delete(List<Message> messages) {
        return client.deleteMessageBatch(batch -> batch.queueUrl(queue)
                .entries(IntStream.range(0, messages.size()).mapToObj(i -> DeleteMessageBatchRequestEntry.builder()
                        .id(Integer.toString(i)).receiptHandle(messages.get(i).receiptHandle()).build()).toList()))
                .join();
    }

    private int notDeleted() {
        Map<QueueAttributeName, String> counts = client.getQueueAttributes(get -> get.queueUrl(queue)
                .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)).join().attributes();
        return Integer.parseInt(counts.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    }
}
