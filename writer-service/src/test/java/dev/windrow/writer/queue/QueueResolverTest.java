package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsErrors.RequestFailedException;
import dev.windrow.base.Reason;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.testing.Patience;

class QueueResolverTest {

    private static LocalAws aws;
    private static ProvisionedQueues queues;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        queues = aws.createQueue(QueueSpec.named("events"));
    }

    @AfterAll
    static void stopServers() {
        aws.close();
    }

    @Test
    void aQueueThatIsMissingIsNamedWhicheverItIs() {
        assertMissing("queue clicks-dlq: ", List.of("events"), "clicks-dlq");
        assertMissing("queue clicks: ", List.of("events", "clicks"), "events-dlq");
        String url = queues.url() + "-of-others";
        assertMissing("queue " + url + ": ", List.of(url), "events-dlq");
    }

    private static void assertMissing(String named, List<String> names, String deadLetters) {
        assertThatThrownBy(() -> new QueueResolver(aws.sqs()).find(names, deadLetters).await().atMost(Patience.LIMIT))
                .isInstanceOf(RequestFailedException.class).hasMessageStartingWith(named)
                .hasMessageContaining("does not exist")
                .satisfies(failure -> assertThat(AwsErrors.reason(failure)).isEqualTo(Reason.UNAVAILABLE));
    }
}
