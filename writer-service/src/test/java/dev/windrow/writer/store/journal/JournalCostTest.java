package dev.windrow.writer.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.Moment;
import dev.windrow.writer.journal.claim.ClaimUnit;
import dev.windrow.writer.journal.claim.JournalMessage;
import dev.windrow.writer.journal.record.Addition;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.TestContributions;
import dev.windrow.writer.testing.TestSeeds;
import io.vertx.core.Vertx;

/**
 * What exactly-once by the journal costs beside plain counting at the same flush age: 200 labels, 2,000 events a second, one
 * writer. Time is made up. Units are counted by DynamoDB's rules, by the sizes of the items: the embedded table does not
 * count transactions as the service does.
 */
class JournalCostTest {

    private static final int LABELS = 200;
    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int SECONDS = 5;
    private static final int TICK_MILLIS = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Instant BEGIN = Instant.parse("2026-11-20T10:31:10Z");

    private static LocalAws aws;
    private static Vertx vertx;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stopServers() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    @Test
    void messagesOfAHundredEventsCostLittleMoreThanPlainCounting() {
        assertThat(cost("hundred", "[minute]", 100).ratio()).isLessThan(1.15);
    }

    @Test
    void messagesOfOneEventCostAThirdMoreThanPlainCountingAtMost() {
        assertThat(cost("single", "[minute]", 1).ratio()).isLessThan(1.3);
    }

    @Test
    void threeGranularitiesCostHalfOfPlainCountingAtMost() {
        assertThat(cost("three", "[minute, hour, day]", 100).ratio()).isLessThan(0.5);
    }

    /**
     * Write units of a run.
     *
     * @param plain what at-least-once takes: a unit for each bucket and its copy in the index, once a second
     * @param claims of lanes, cuts, slots and records
     * @param buckets of buckets and their copies in the index
     */
    private record Cost(String name, long events, double plain, double claims, double buckets) {

        double ratio() {
            return (claims + buckets) / plain;
        }

        @Override
        public String toString() {
            return "journal cost, %s: %d events, write units per event: plain %.4f, claims %.4f, buckets %.4f; ratio %.3f"
                    .formatted(name, events, plain / events, claims / events, buckets / events, ratio());
        }
    }

    private static Cost cost(String name, String granularities, int eventsOfMessage) {
        aws.createTable(name);
        TestTable table = new TestTable(vertx, aws.dynamoDbEndpoint(), name);
        JournalWriter journal = new JournalWriter(JournalSettings.defaults("writer"));
        TestContributions contributions = new TestContributions("""
                windrow:
                  datasets:
                    clicks:
                      event-type: click
                      label: [referrer]
                      granularities: %s
                      index: %s
                      measures:
                        events: {type: count}
                        bytes: {type: sum, attribute: bytes}
                """.formatted(granularities, granularities));
        RandomGenerator random = TestSeeds.random("journal cost " + name);
        Set<String> plain = new HashSet<>();
        int sent = 0;
        long end = Long.MAX_VALUE;
        for (long millis = 0; millis < end && !journal.isDrained(); millis += TICK_MILLIS) {
            Moment now = new Moment(millis * 1_000_000, BEGIN.toEpochMilli() + millis);
            for (; sent < SECONDS * EVENTS_PER_SECOND && sent * 1_000L <= millis * EVENTS_PER_SECOND; sent += eventsOfMessage) {
                List<ClaimUnit> units = contributions.units(message(sent, eventsOfMessage, BEGIN.plusMillis(millis), random));
                journal.receive(new JournalMessage(sent, units, false), now);
                for (ClaimUnit unit : units) {
                    for (Addition addition : unit.additions()) {
                        plain.add(millis / 1_000 + " " + addition.item().partitionKey() + addition.item().sortKey());
                    }
                }
            }
            if (sent >= SECONDS * EVENTS_PER_SECOND && millis > (SECONDS + 2) * 1_000) {
                journal.drain();
                end = millis + 60_000;
            }
            work(journal, table, now);
        }
        Cost cost = new Cost(name, sent, 2.0 * plain.size(), table.claimUnits(), table.bucketUnits());
        System.out.println(cost);
        assertThat(journal.isDrained()).isTrue();
        return cost;
    }

    /** One request at a time: the embedded table locks itself for each write. */
    private static void work(JournalWriter journal, TestTable table, Moment now) {
        journal.tick(now, false);
        for (Request request = journal.poll(); request != null; request = journal.poll()) {
            journal.answer(request, request instanceof Request.DeleteMessage ? Answer.DONE
                    : table.journal().send(request).await().atMost(PATIENCE), now);
            journal.tick(now, false);
        }
    }

    private static Message message(int number, int events, Instant time, RandomGenerator random) {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            bodies.add("{\"type\":\"click\",\"time\":\"" + time + "\",\"attributes\":{\"referrer\":\"r"
                    + random.nextInt(LABELS) + "\",\"bytes\":" + (number + i) + "}}");
        }
        return TestContributions.message("m" + number, time, bodies.toString());
    }
}
