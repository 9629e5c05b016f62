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

import dev.windrow.provision.QueueProvisioner;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
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
        ProvisionedQueues queues = provision(
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
        ProvisionedQueues first = provision(spec);
        aws.sqs().sendMessage(request -> request.queueUrl(first.url()).messageBody("stays")).join();

        assertThat(provision(spec)).isEqualTo(first);
        assertThat(receive(first.url())).extracting(Message::body).containsExactly("stays");
    }

    @Test
    void setsTheAttributesOfAQueueThatIsThere() {
        ProvisionedQueues queues = provision(QueueSpec.named("adjusted"));

        provision(QueueSpec.named("adjusted").withVisibilityTimeout(Duration.ofSeconds(3)).withMaxReceiveCount(900));

        await().atMost(Patience.LIMIT).untilAsserted(() -> {
            assertThat(attributes(queues.url())).containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "3");
            assertThat(attributes(queues.url()).get(QueueAttributeName.REDRIVE_POLICY))
                    .containsPattern("\"maxReceiveCount\":\\s*\"?900\"?");
        });
    }

    /** Messages that were received more often would become dead letters without a reason. */
    @Test
    void neverLowersTheMaximumReceiveCountOfAQueueThatIsThere() {
        ProvisionedQueues queues = provision(QueueSpec.named("patient").withMaxReceiveCount(900));

        provision(QueueSpec.named("patient").withVisibilityTimeout(Duration.ofSeconds(3)).withMaxReceiveCount(9));

        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(attributes(queues.url()))
                .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "3"));
        assertThat(attributes(queues.url()).get(QueueAttributeName.REDRIVE_POLICY))
                .containsPattern("\"maxReceiveCount\":\\s*\"?900\"?");
    }

    @Test
    void createsTheQueuesOnceWhenManyProvisionAtOnce() {
        List<CompletableFuture<ProvisionedQueues>> all = Stream.generate(() -> QueueSpec.named("contended")).limit(8)
                .map(spec -> CompletableFuture.supplyAsync(() -> provisioner.provision(spec))).toList();

        assertThat(all.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    }

    @Test
    void createsFirstInFirstOutQueues() {
        ProvisionedQueues queues = provision(QueueSpec.named("ordered.fifo"));

        assertThat(queues.deadLetterUrl()).endsWith("/ordered-dlq.fifo");
        assertThat(attributes(queues.url())).containsEntry(QueueAttributeName.FIFO_QUEUE, "true");
        for (String body : List.of("1", "2", "3")) {
            aws.sqs().sendMessage(request -> request.queueUrl(queues.url()).messageBody(body).messageGroupId("g")
                    .messageDeduplicationId(body)).join();
        }
        assertThat(receive(queues.url())).extracting(Message::body).containsExactly("1", "2", "3");
    }

    private static ProvisionedQueues provision(QueueSpec spec) {
        return provisioner.provision(spec);
    }

    private static Map<QueueAttributeName, String> attributes(String url) {
        return aws.sqs().getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .join().attributes();
    }

    private static List<Message> receive(String url) {
        return aws.sqs().receiveMessage(request -> request.queueUrl(url).maxNumberOfMessages(10)).join().messages();
    }
}
