package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.aggregate.Share;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.Shares;
import dev.windrow.writer.testing.TestSeeds;

/**
 * What exactly-once costs beside at-least-once: 200 labels, 2,000 events a second, each in a message of its own, flushed
 * after a second. The second is made up, so that the figures depend on nothing but the seed.
 */
class CostTest {

    private static final int LABELS = 200;
    private static final int EVENTS_PER_SECOND = 2_000;
    private static final Instant BEGIN = Instant.parse("2026-11-20T10:31:10.500Z");

    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    }

    @AfterAll
    static void stopServers() {
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
        assertThat(exactlyOnce.events()).isEqualTo(atLeastOnce.events()).isEqualTo(EVENTS_PER_SECOND);
        assertThat(exactlyOnce.unitsPerEvent()).isLessThanOrEqualTo(3 * atLeastOnce.unitsPerEvent());
        assertThat(atLeastOnce.unitsPerEvent()).as("B + I").isEqualTo(perEvent(6, atLeastOnce));
        assertThat(exactlyOnce.unitsPerEvent()).as("2 (B + S) + I").isLessThanOrEqualTo(perEvent(13, exactlyOnce));
        assertThat(exactlyOncePlain.unitsPerEvent()).as("2 (B + S)").isLessThanOrEqualTo(perEvent(10, exactlyOncePlain));
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
        CountingWrites writes = new CountingWrites(new DynamoTable(aws.dynamoDb()));
        BucketUpdates updates = new BucketUpdates(table, new Random(1));
        BucketStore store = exactlyOnce
                ? new ExactlyOnceStore(writes, updates, new Ledger(table, Duration.ofDays(15), Clock.systemUTC()),
                        new KnownExtremes(10))
                : new AtLeastOnceStore(writes, updates, new KnownExtremes(10));
        Shares shares = new Shares("""
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
                """.formatted(index));
        RandomGenerator random = TestSeeds.random("cost of " + table);
        long upserts = 0;
        Map<String, List<Share>> bySeries = new HashMap<>();
        for (int i = 0; i < EVENTS_PER_SECOND; i++) {
            // Half a second before and half a second after a full one: a flush meets two slots, as it does mostly.
            Instant sent = BEGIN.plusMillis(i * 1_000L / EVENTS_PER_SECOND);
            String body = "{\"type\":\"click\",\"time\":\"" + sent + "\",\"attributes\":{\"referrer\":\"r"
                    + random.nextInt(LABELS) + "\",\"bytes\":" + i + "}}";
            for (Share share : shares.of(Shares.message("m" + i, sent, body))) {
                bySeries.computeIfAbsent(share.partitionKey(), key -> new ArrayList<>()).add(share);
            }
        }
        for (List<Share> series : bySeries.values()) {
            SeriesBatch batch = new SeriesBatch(series);
            upserts += batch.upserts().size();
            store.apply(batch).await().indefinitely();
        }
        long events = new Buckets(aws.dynamoDb(), table).measure("clicks", "events").entrySet().stream()
                .filter(bucket -> bucket.getKey().contains(" day#")).map(Map.Entry::getValue)
                .reduce(BigDecimal.ZERO, BigDecimal::add).longValueExact();
        return new Cost(events, upserts, writes.units(), writes.toldUnits());
    }
}
