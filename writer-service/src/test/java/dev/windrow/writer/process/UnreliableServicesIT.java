package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.local.fault.SqsFaults;
import dev.windrow.testing.Seeds;

/**
 * Writers whose messages come more than once, to more than one of them, whose requests and answers are lost, late or refused,
 * and whose credentials expire in the middle of their work.
 */
@Tag("long")
@Timeout(900)
class UnreliableServicesIT {

    private static final int TIMES = 3;
    private static final int EVENTS = 4_000;
    private static final int SETS = 3;

    @AutoClose
    private static LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());

    @Test
    void countsExactly_whenEveryMessageComesThreeTimes() {
        // given
        Random random = new Random(Seeds.seed("redelivery"));
        Traffic traffic = new Traffic(random);
        try (WriterSite site = WriterSite.open(aws, "redelivery", WriterSite.VISIBILITY)) {
            Redelivery redelivery = new Redelivery(TIMES, random, site::redeliver);
            List<WriterSlot> slots = List.of(site.slot(), site.slot());
            slots.forEach(slot -> slot.sqs().use(redelivery.to(slot.options().name())));
            slots.forEach(WriterSlot::start);
            slots.forEach(slot -> slot.process().awaitReady());

            // when
            List<String> messages = traffic.messages(3_000);
            site.send(messages);
            site.awaitDrained();

            // then
            assertThat(redelivery.messages()).isEqualTo(messages.size());
            assertThat(redelivery.leastDeliveries()).isGreaterThanOrEqualTo(TIMES);
            assertThat(redelivery.shared()).as("messages that went to both writers").isPositive();
            assertThat(redelivery.twins()).as("messages twice in one receive").isPositive();
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
        }
    }

    @Test
    void countsExactly_whenAWriterSleepsLongerThanItsMessagesAreHidden() {
        // given: a writer in the middle of its work
        Random random = new Random(Seeds.seed("paused"));
        Traffic traffic = new Traffic(random);
        try (WriterSite site = WriterSite.open(aws, "paused", WriterSite.VISIBILITY)) {
            WriterSlot sleeper = site.slot();
            WriterSlot other = site.slot();
            CompletableFuture<Void> busy = new CompletableFuture<>();
            CompletableFuture<Void> asleep = new CompletableFuture<>();
            sleeper.dynamoDb().use(hangFrom(1, busy, asleep));
            site.send(traffic.messages(2_000));
            sleeper.start();
            await().atMost(WriterSite.LIMIT).until(busy::isDone);

            // when: it sleeps until another has done all its work
            sleeper.process().pause();
            asleep.complete(null);
            other.start();
            site.awaitDrained();
            sleeper.process().resume();

            // then: it finds that all is done
            await("duplicates").atMost(WriterSite.LIMIT).until(() -> WriterMetrics.duplicates(sleeper.process()) > 0);
            site.send(traffic.messages(500));
            site.awaitDrained();
            sleeper.process().terminate();
            sleeper.process().awaitExit(WriterSite.LIMIT);
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
        }
    }

    @Test
    void countsExactly_whenTheTablesAnswersAreLost() {
        Random random = new Random(Seeds.seed("lost-answers"));
        requireExact("lost-answers", random, "cut-after", slot -> {
            slot.dynamoDb().use(UnreliableNetwork.ofTheTable(random));
            return slot.dynamoDb();
        });
    }

    @Test
    void countsExactly_whenReceivesAndDeletesAreLost() {
        Random random = new Random(Seeds.seed("lost-deletes"));
        requireExact("lost-deletes", random, "entries-fail", slot -> {
            slot.sqs().use(UnreliableNetwork.ofDeletes(random).or(UnreliableNetwork.ofReceives(random)));
            return slot.sqs();
        });
    }

    /** @param network makes a proxy of the slot unreliable */
    private static void requireExact(String name, Random random, String fault, Function<WriterSlot, FaultProxy> network) {
        // given
        Traffic traffic = new Traffic(random);
        try (WriterSite site = WriterSite.open(aws, name, WriterSite.VISIBILITY)) {
            WriterSlot slot = site.slot();
            FaultProxy proxy = network.apply(slot);

            // when
            site.send(traffic.messages(EVENTS));
            slot.start();
            site.awaitDrained();

            // then
            System.out.println(name + ": " + proxy.audit());
            assertThat(proxy.audit().faults(fault)).isPositive();
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
        }
    }

    @Test
    void countsExactly_whenCredentialsExpire() {
        // given
        Random random = new Random(Seeds.seed("credentials"));
        Traffic traffic = new Traffic(random);
        try (CredentialsEndpoint credentials = new CredentialsEndpoint(Clock.systemUTC());
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

    /** Holds every write from the n-th on, until released; they are applied while their writer does not listen. */
    private static FaultPlan hangFrom(int number, CompletableFuture<Void> reached, CompletableFuture<Void> release) {
        int[] seen = new int[1];
        FaultPlan plan = request -> {
            seen[0]++;
            if (seen[0] < number) {
                return new Fault.Pass();
            }
            reached.complete(null);
            return new Fault.Hang(release);
        };
        return plan.onlyFor("TransactWriteItems");
    }
}
