package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Exchange.Cancellation;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultPlan.FaultMix;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.local.fault.SqsFaults;

/**
 * Writers whose messages come more than once, to more than one of them, whose requests and answers are lost, late or refused,
 * and whose credentials expire in the middle of their work.
 */
@Timeout(900)
class UnreliableServicesIT {

    private static final int TIMES = 3;
    private static final int EVENTS = 4_000;
    private static final int SETS = 3;

    @AutoClose
    private static LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());

    @Tag("slow")
    @Test
    void countsExactly_whenEveryMessageComesThreeTimes() {
        // given
        try (WriterSite site = WriterSite.open(aws, "redelivery", WriterSite.VISIBILITY)) {
            Redelivery redelivery = new Redelivery(TIMES, site.random, site::redeliver);
            List<WriterSlot> slots = List.of(site.slot(), site.slot());
            CompletableFuture<WriterSlot> victim = new KillMoment("UpdateItem", 40, true).arm(slots);
            // Before they start: a receive that is under way would not be noted.
            slots.forEach(slot -> slot.sqs().use(redelivery.to(slot.options().name())));
            slots.forEach(WriterSlot::start);
            slots.forEach(slot -> slot.process().awaitReady());

            // when one of the writers is killed meanwhile
            List<String> messages = site.traffic.messages(3_000);
            site.queue.sendAll(messages);
            await().atMost(WriterSite.LIMIT).until(victim::isDone);
            victim.join().start();
            site.awaitDrained();

            // then
            assertThat(redelivery.messages()).isEqualTo(messages.size());
            assertThat(redelivery.leastDeliveries()).isGreaterThanOrEqualTo(TIMES);
            assertThat(redelivery.shared()).as("messages that went to both writers").isPositive();
            assertThat(redelivery.twins()).as("messages twice in one receive").isPositive();
            site.requireExact();
        }
    }

    @Tag("long")
    @Test
    void countsExactly_whenAWriterSleepsLongerThanItsMessagesAreHidden() {
        // given: a writer in the middle of its work
        try (WriterSite site = WriterSite.open(aws, "paused", WriterSite.VISIBILITY)) {
            WriterSlot sleeper = site.slot();
            WriterSlot other = site.slot();
            CompletableFuture<Void> busy = new CompletableFuture<>();
            CompletableFuture<Void> asleep = new CompletableFuture<>();
            sleeper.dynamoDb().use(hangFrom(1, busy, asleep));
            site.send(2_000);
            sleeper.start();
            await().atMost(WriterSite.LIMIT).until(busy::isDone);

            // when: it sleeps until another has done all its work
            sleeper.process().pause();
            asleep.complete(null);
            other.start();
            site.awaitDrained();
            sleeper.process().resume();

            // then: it finds that all is done
            await("duplicates").atMost(WriterSite.LIMIT).until(() -> sleeper.process().duplicates() > 0);
            site.send(500);
            site.awaitDrained();
            sleeper.process().terminate();
            sleeper.process().awaitExit(WriterSite.LIMIT);
            site.requireExact();
        }
    }

    @Tag("long")
    @Test
    void countsExactly_whenTheTablesAnswersAreLost() {
        requireExact("lost-answers", "cut-after", (slot, random) -> {
            slot.dynamoDb().use(UnreliableNetwork.ofTheTable(random));
            return slot.dynamoDb();
        });
    }

    @Tag("long")
    @Test
    void countsExactly_whenReceivesAndDeletesAreLost() {
        requireExact("lost-deletes", "entries-fail", (slot, random) -> {
            slot.sqs().use(UnreliableNetwork.ofDeletes(random).or(UnreliableNetwork.ofReceives(random)));
            return slot.sqs();
        });
    }

    /** @param network makes a proxy of the slot unreliable */
    private static void requireExact(String name, String fault, BiFunction<WriterSlot, Random, FaultProxy> network) {
        // given
        try (WriterSite site = WriterSite.open(aws, name, WriterSite.VISIBILITY)) {
            WriterSlot slot = site.slot();
            FaultProxy proxy = network.apply(slot, site.random);

            // when
            site.send(EVENTS);
            slot.start();
            site.awaitDrained();

            // then
            assertThat(proxy.audit().faults(fault)).isPositive();
            site.requireExact();
        }
    }

    @Tag("long")
    @Test
    void countsExactly_whenCredentialsExpire() {
        // given
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
                site.send(200);
                return credentials.used() > SETS && slot.dynamoDb().audit().faults("ExpiredTokenException") > 0;
            });
            site.awaitDrained();

            // then
            site.requireExact();
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

    /** All that can go wrong between a writer and its servers, by chance; about a third of the requests meet a fault. */
    static final class UnreliableNetwork {

        private static final Duration LATE = Duration.ofMillis(300);

        private UnreliableNetwork() {
        }

        /** For writes: applied and lost, lost and not applied, late, throttled whole and by item, refused with 500. */
        static FaultPlan ofTheTable(Random random) {
            return new FaultMix(random).share(0.06, new Fault.CutAfter()).share(0.03, new Fault.CutBefore())
                    .share(0.04, new Fault.DelayAfter(LATE))
                    .share(0.03, new Fault.DelayBefore(LATE, new Fault.CutAfter()))
                    .share(0.04, DynamoDbFaults.throughputExceeded()).share(0.02, DynamoDbFaults.throttled())
                    .share(0.04, DynamoDbFaults.internalServerError())
                    .share(0.03, DynamoDbFaults.transactionCanceled(Cancellation.THROTTLED, random))
                    .share(0.03, DynamoDbFaults.transactionCanceled(Cancellation.THROUGHPUT_EXCEEDED, random))
                    .share(0.03, DynamoDbFaults.transactionCanceled(Cancellation.CONFLICT, random))
                    .onlyFor("TransactWriteItems", "UpdateItem", "PutItem");
        }

        /** For receives: messages that nobody gets, and that come again later. */
        static FaultPlan ofReceives(Random random) {
            return new FaultMix(random).share(0.05, new Fault.CutAfter()).share(0.05, new Fault.CutBefore())
                    .share(0.05, SqsFaults.internalError()).onlyFor("ReceiveMessage");
        }

        /** For deletes: whole and partial failures, done and lost, throttled. */
        static FaultPlan ofDeletes(Random random) {
            return new FaultMix(random).share(0.3, SqsFaults.entriesFail(random, 0.5))
                    .share(0.1, SqsFaults.entriesFail(random, 1)).share(0.1, SqsFaults.internalError())
                    .share(0.1, new Fault.CutAfter()).share(0.05, new Fault.CutBefore())
                    .share(0.05, SqsFaults.throttled()).onlyFor("DeleteMessageBatch");
        }
    }
}
