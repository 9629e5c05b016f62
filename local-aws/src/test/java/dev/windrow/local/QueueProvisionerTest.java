package dev.windrow.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.provision.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner;
import dev.windrow.provision.QueueSpec;
import dev.windrow.testing.Patience;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** {@link QueueProvisioner} against the real ElasticMQ. */
class QueueProvisionerTest {

    @AutoClose
    private static LocalAws aws;
    private static QueueProvisioner provisioner;

    @BeforeAll
    static void start() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        provisioner = new QueueProvisioner(aws.sqs());
    }

    @Test
    void createsTheQueueWithItsDeadLetterQueue() {
        ProvisionedQueues queues = provisioner.provision(
                new QueueSpec("created", "created-dlq", Duration.ofSeconds(33), 4, Duration.ofDays(4),
                        Duration.ofDays(14), Duration.ofSeconds(11)));

        assertThat(queues.url()).endsWith("/created");
        assertThat(queues.deadLetterUrl()).endsWith("/created-dlq");
        assertThat(queues.arn()).startsWith("arn:aws:sqs:").endsWith(":created");
        Map<QueueAttributeName, String> attributes = attributes(queues.url());
        assertThat(attributes).containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "33")
                .containsEntry(QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, "11");
        assertThat(attributes.get(QueueAttributeName.REDRIVE_POLICY))
                .contains(queues.deadLetterArn()).containsPattern("\"maxReceiveCount\":\\s*\"?4\"?");
        assertThat(attributes(queues.deadLetterUrl())).doesNotContainKey(QueueAttributeName.REDRIVE_POLICY);
    }

    @Test
    void changesNothingWhenTheQueuesAreThere() {
        QueueSpec spec = QueueSpec.named("again");
        ProvisionedQueues first = provisioner.provision(spec);
        aws.sqs().sendMessage(request -> request.queueUrl(first.url()).messageBody("stays")).join();

        assertThat(provisioner.provision(spec)).isEqualTo(first);
        assertThat(receive(first.url())).extracting(Message::body).containsExactly("stays");
    }

    /** With a lower maximum, messages that were received more often would become dead letters without a reason. */
    @ParameterizedTest
    @CsvSource({ "9, 900", "900, 9" })
    void setsTheAttributesOfAQueueThatIsThereButNeverLowersItsMaximumReceiveCount(int before, int after) {
        QueueSpec spec = QueueSpec.named("adjusted-" + before);
        ProvisionedQueues queues = provisioner.provision(spec.withMaxReceiveCount(before));

        provisioner.provision(spec.withVisibilityTimeout(Duration.ofSeconds(3)).withMaxReceiveCount(after));

        await().atMost(Patience.LIMIT).untilAsserted(() -> {
            assertThat(attributes(queues.url())).containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "3");
            assertThat(attributes(queues.url()).get(QueueAttributeName.REDRIVE_POLICY))
                    .containsPattern("\"maxReceiveCount\":\\s*\"?900\"?");
        });
    }

    @Test
    void createsTheQueuesOnceWhenManyProvisionAtOnce() {
        List<CompletableFuture<ProvisionedQueues>> all = Stream.generate(() -> QueueSpec.named("contended")).limit(8)
                .map(spec -> CompletableFuture.supplyAsync(() -> provisioner.provision(spec))).toList();

        assertThat(all.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    }

    @Test
    void createsFirstInFirstOutQueues() {
        ProvisionedQueues queues = provisioner.provision(QueueSpec.named("ordered.fifo"));

        assertThat(queues.deadLetterUrl()).endsWith("/ordered-dlq.fifo");
        assertThat(attributes(queues.url())).containsEntry(QueueAttributeName.FIFO_QUEUE, "true");
        for (String body : List.of("1", "2", "3")) {
            aws.sqs().sendMessage(request -> request.queueUrl(queues.url()).messageBody(body).messageGroupId("g")
                    .messageDeduplicationId(body)).join();
        }
        assertThat(receive(queues.url())).extracting(Message::body).containsExactly("1", "2", "3");
    }

    private static Map<QueueAttributeName, String> attributes(String url) {
        return aws.sqs().getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .join().attributes();
    }

    private static List<Message> receive(String url) {
        return aws.sqs().receiveMessage(request -> request.queueUrl(url).maxNumberOfMessages(10)).join().messages();
    }
}
