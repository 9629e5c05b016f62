package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Exchange.Cancellation;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultPlan.FaultMix;
import dev.windrow.local.fault.ProxiedRequest;
import dev.windrow.table.BucketKey;
import dev.windrow.time.Granularity;
import dev.windrow.writer.process.StoredTable.Bucket;
import dev.windrow.writer.process.StoredTable.Measures;

/** A table that refuses nearly all writes for a while; {@code -Dwindrow.storm=PT60S} makes it a long while. */
@Tag("long")
@Timeout(1_200)
class ThrottlingStormIT {

    private static final Duration STORM = Duration.parse(System.getProperty("windrow.storm", "PT30S"));
    /** "Within seconds" on a machine that also runs everything else. */
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(30);
    private static final Duration SAMPLE = Duration.ofMillis(500);
    private static final long MEGABYTE = 1_024 * 1_024;
    private static final int CALM_MESSAGES = 300;
    /** More than it may hold, in messages of seven events on average. */
    private static final int EVENTS = 60_000;
    private static final long MAX_BYTES = 4 * MEGABYTE;
    /** Receives in flight, and one message alone, may add this. */
    private static final long EXCESS = MEGABYTE;

    private static final String HOT_SHARD = BucketKey.indexPartitionKeyPrefix("default", "clicks", Granularity.HOUR) + 3;
    private static final int ROUNDS = 20;
    private static final int EVENTS_A_ROUND = 1_000;

    @Test
    void losesNothingAndStaysSmall_whenTheTableThrottles() {
        // given: a writer that is warm
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "storm", Duration.ofSeconds(30))) {
            WriterSlot slot = site.slot();
            slot.use(slot.options().with("windrow.writer.source.max-bytes", MAX_BYTES));
            warm(site, slot);

            // when: nearly every write is throttled, while more messages come than it may hold
            long start = System.nanoTime();
            slot.dynamoDb().use(storm(site.random));
            site.send(EVENTS);
            double[] held = new double[1];
            await("the storm's end").atMost(STORM.plus(WriterSite.LIMIT)).pollInterval(SAMPLE).until(() -> {
                held[0] = Math.max(held[0], slot.process().metric("windrow_writer_bytes_in_flight", ""));
                return System.nanoTime() - start > STORM.toNanos();
            });
            int waiting = site.queue.visible();
            int left = site.queue.size();
            slot.dynamoDb().use(FaultPlan.none());
            long end = System.nanoTime();
            await("recovery").atMost(RECOVERY_LIMIT).until(() -> left - site.queue.size() > CALM_MESSAGES);
            site.awaitDrained();

            // then
            System.out.printf("storm of %s: %d left at its end; %.0f bytes held; all done %s after it; %s%n", STORM, left,
                    held[0], Duration.ofNanos(System.nanoTime() - end), slot.dynamoDb().audit());
            assertThat(waiting).as("messages in the queue at the storm's end").isPositive();
            assertThat(held[0]).as("most bytes held").isLessThanOrEqualTo(MAX_BYTES + EXCESS);
            assertThat(slot.process().isAlive()).as("a process that ends when its heap is full").isTrue();
            site.requireExact();
        }
    }

    /** One shard of the index refuses nearly all writes: its buckets wait, and no others do. */
    @Test
    void whatIsInOtherShardsIsWrittenWhileOneIsThrottled() {
        // given: a writer that is warm
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "throttled-shard", Duration.ofSeconds(30))) {
            WriterSlot slot = site.slot();
            warm(site, slot);
            long indexed = site.table.buckets().keySet().stream().filter(ThrottlingStormIT::isIndexed).count();

            // when
            FaultPlan throttled = new FaultMix(site.random).share(0.95, DynamoDbFaults.indexKeyThrottled("scatter"));
            slot.dynamoDb().use(request -> isHot(request) ? throttled.decide(request) : new Fault.Pass());
            for (int round = 0; round < ROUNDS; round++) {
                site.send(EVENTS_A_ROUND);
                SortedMap<Bucket, Measures> expected = site.traffic.expected();
                // then: all but the buckets of that shard have what was sent, round after round
                await("buckets of other shards, round " + round).atMost(WriterSite.LIMIT).until(() -> {
                    SortedMap<Bucket, Measures> missing = new TreeMap<>(expected);
                    site.table.buckets().forEach((bucket, measures) -> missing.remove(bucket, measures));
                    return missing.size() < indexed / 4 && missing.keySet().stream().allMatch(ThrottlingStormIT::isIndexed);
                });
            }

            // and the rate is that of the others, and then all have it
            assertThat(slot.process().metric("windrow_writer_write_rate", "")).isGreaterThan(400);
            slot.dynamoDb().use(FaultPlan.none());
            site.awaitDrained();
            site.requireExact();
        }
    }

    private static void warm(WriterSite site, WriterSlot slot) {
        slot.start().awaitReady();
        site.send(5_000);
        site.awaitDrained();
    }

    private static boolean isIndexed(Bucket bucket) {
        return bucket.dataset().equals("clicks") && bucket.granularity().equals("hour");
    }

    private static boolean isHot(ProxiedRequest request) {
        if (!request.operation().equals("UpdateItem")) {
            return false;
        }
        for (JsonNode value : request.body().path("ExpressionAttributeValues")) {
            if (value.path("S").asText().equals(HOT_SHARD)) {
                return true;
            }
        }
        return false;
    }

    private static FaultPlan storm(Random random) {
        FaultPlan transactions = new FaultMix(random).share(0.5, DynamoDbFaults.throughputExceeded())
                .share(0.2, DynamoDbFaults.transactionCanceled(Cancellation.THROTTLED, random))
                .share(0.2, DynamoDbFaults.transactionCanceled(Cancellation.THROUGHPUT_EXCEEDED, random))
                .share(0.08, DynamoDbFaults.throttled()).onlyFor("TransactWriteItems");
        return transactions.or(new FaultMix(random).share(0.6, DynamoDbFaults.throughputExceeded())
                .share(0.38, DynamoDbFaults.throttled()).onlyFor("UpdateItem"));
    }
}
