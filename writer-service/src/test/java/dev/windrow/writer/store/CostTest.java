package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.aggregate.AggregateLimits;
import dev.windrow.writer.aggregate.Aggregator;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.TestContributions;
import io.vertx.core.Vertx;

/**
 * What exactly-once costs beside at-least-once: 200 labels, 2,000 events a second, each in a message of its own, flushed
 * after a second. Time is made up, so that the figures depend on nothing but the seed.
 */
@Tag("slow")
class CostTest {

    private static final int LABELS = 200;
    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int SECONDS = 10;
    private static final Instant BEGIN = Instant.parse("2026-11-20T10:31:10Z");

    private static LocalAws aws;
    private static Vertx vertx;
    private static AwsJsonClient client;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        vertx = Vertx.vertx();
        client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC()).dynamoDb(
                aws.dynamoDb(),
                64);
    }

    @AfterAll
    static void stopServers() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    @Test
    void exactlyOnceCostsAtMostThreeTimesAtLeastOnce() {
        // Given
        String indexed = "[minute, hour, day]";

        // When
        Cost atLeastOnce = cost("least", indexed, false);
        Cost exactlyOnce = cost("exactly", indexed, true);
        Cost atLeastOncePlain = cost("least-plain", "[]", false);
        Cost exactlyOncePlain = cost("exactly-plain", "[]", true);

        // Then
        System.out.println("cost at least once, indexed:     " + atLeastOnce);
        System.out.println("cost exactly once, indexed:      " + exactlyOnce);
        System.out.println("cost at least once, not indexed: " + atLeastOncePlain);
        System.out.println("cost exactly once, not indexed:  " + exactlyOncePlain);
        assertThat(exactlyOnce.events()).isEqualTo(atLeastOnce.events()).isEqualTo(SECONDS * EVENTS_PER_SECOND);
        assertThat(exactlyOnce.unitsPerEvent()).isLessThanOrEqualTo(3 * atLeastOnce.unitsPerEvent());
        assertThat(exactlyOncePlain.unitsPerEvent()).isLessThanOrEqualTo(3 * atLeastOncePlain.unitsPerEvent());
        assertThat(atLeastOnce.unitsPerEvent()).as("B + I").isEqualTo(perEvent(6, atLeastOnce));
        // S is 1, but for the first flushes of a label, which are not yet in step with the slots.
        assertThat(exactlyOnce.unitsPerEvent()).as("2 (B + S) + I").isLessThan(perEvent(12, exactlyOnce));
        assertThat(exactlyOncePlain.unitsPerEvent()).as("2 (B + S)").isLessThan(perEvent(9, exactlyOncePlain));
    }

    /** Units of one flush of one label, told per event; each label has upserts in three granularities. */
    private static double perEvent(int unitsPerFlush, Cost cost) {
        return unitsPerFlush * cost.upserts() / 3.0 / cost.events();
    }

    private record Cost(long events, long upserts, double units, double told) {

        double unitsPerEvent() {
            return units / events;
        }

        @Override
        public String toString() {
            return "%d events, %.2f events per upsert, %.3f write units per event (the embedded table says %.3f)"
                    .formatted(events, events / (double) upserts, unitsPerEvent(), told / events);
        }
    }

    private static Cost cost(String table, String index, boolean exactlyOnce) {
        aws.createTable(table);
        CountingWrites writes = new CountingWrites(new DynamoTableWrites(client, table, Patience.LIMIT));
        BucketUpdates updates = new BucketUpdates(new Random(1));
        BucketStore store = exactlyOnce
                ? new ExactlyOnceStore(writes, updates, new Ledger(Duration.ofDays(15), Clock.systemUTC()),
                        new ExtremesCache(10))
                : new AtLeastOnceStore(writes, updates, new ExtremesCache(10));
        TestContributions shares = new TestContributions("""
                windrow:
                  datasets:
                    clicks:
                      event-type: click
                      label: [referrer]
                      granularities: [minute, hour, day]
                      index: %s
                      measures:
                        events: {type: count}
                        bytes: {type: sum, attribute: bytes}
                      delivery: %s
                """.formatted(index, exactlyOnce ? "exactly-once" : "at-least-once"));
        RandomGenerator random = Seeds.random("cost of " + table);
        Aggregator aggregator = new Aggregator(
                new AggregateLimits(50_000, 100, TimeUnit.SECONDS.toNanos(1), Integer.MAX_VALUE));
        int sent = 0;
        long upserts = 0;
        for (int milli = 0; !aggregator.isEmpty() || milli == 0; milli++) {
            for (; sent < SECONDS * EVENTS_PER_SECOND && sent <= milli * EVENTS_PER_SECOND / 1_000; sent++) {
                Instant time = BEGIN.plusMillis(milli);
                String body = "{\"type\":\"click\",\"time\":\"" + time + "\",\"attributes\":{\"referrer\":\"r"
                        + random.nextInt(LABELS) + "\",\"bytes\":" + sent + "}}";
                aggregator.add(shares.of(TestContributions.message("m" + sent, time, body)),
                        TimeUnit.MILLISECONDS.toNanos(milli));
            }
            for (SeriesBatch batch : aggregator.takeDue(TimeUnit.MILLISECONDS.toNanos(milli), false)) {
                upserts += batch.upserts().size();
                store.apply(batch).await().indefinitely();
                aggregator.done(batch);
            }
        }
        long events = new Buckets(aws.dynamoDb(), table).measure("clicks", "events").entrySet().stream()
                .filter(bucket -> bucket.getKey().contains(" day#")).map(Map.Entry::getValue)
                .reduce(BigDecimal.ZERO, BigDecimal::add).longValueExact();
        return new Cost(events, upserts, writes.units(), writes.toldUnits());
    }
}
