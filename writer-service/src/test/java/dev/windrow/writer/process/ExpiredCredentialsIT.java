package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.SqsFaults;
import dev.windrow.testing.Seeds;

/** A writer whose credentials expire in the middle of its work, again and again. */
@Tag("long")
@Timeout(900)
class ExpiredCredentialsIT {

    private static final int SETS = 3;

    @Test
    void countsExactly_whenCredentialsExpire() {
        // given
        Random random = new Random(Seeds.seed("credentials"));
        Traffic traffic = new Traffic(random);
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                CredentialsEndpoint credentials = new CredentialsEndpoint(Clock.systemUTC());
                WriterSite site = WriterSite.open(aws, "credentials", WriterSite.VISIBILITY)) {
            WriterSlot slot = site.slot();
            slot.dynamoDb().use(credentials.refuse(DynamoDbFaults.expiredToken()));
            slot.sqs().use(credentials.refuse(SqsFaults.expiredToken()));
            slot.use(slot.options().without("quarkus.dynamodb.aws.credentials")
                    .without("quarkus.sqs.aws.credentials")
                    .withEnvironment("AWS_CONTAINER_CREDENTIALS_FULL_URI", credentials.address().toString()));
            slot.start().awaitReady();

            // when
            await("several sets of credentials").atMost(WriterSite.LIMIT).until(() -> {
                site.send(traffic.messages(200));
                return credentials.used() > SETS && slot.dynamoDb().audit().faults("ExpiredTokenException") > 0;
            });
            site.awaitDrained();

            // then
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
        }
    }
}
