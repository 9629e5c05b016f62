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

import dev.windrow.dataset.Granularity;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultPlan.FaultMix;
import dev.windrow.local.fault.ProxiedRequest;
import dev.windrow.table.BucketKey;
import dev.windrow.testing.Seeds;

/** One shard of the index that refuses nearly all writes: its buckets wait, and no others do. */
@Tag("long")
@Timeout(1_200)
class ThrottledShardIT {

    private static final String HOT = BucketKey.indexPartitionKeyPrefix("default", "clicks", Granularity.HOUR) + 3;
    private static final int ROUNDS = 20;
    private static final int EVENTS = 1_000;

    @Test
    void whatIsInOtherShardsIsWrittenWhileOneIsThrottled() {
        // given: a writer that is warm
        Random random = new Random(Seeds.seed("throttled shard"));
        Traffic traffic = new Traffic(random);
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "throttled-shard", Duration.ofSeconds(30))) {
            WriterSlot slot = site.slot();
            slot.start().awaitReady();
            site.send(traffic.messages(5_000));
            site.awaitDrained();
            long indexed = site.stored().keySet().stream().filter(ThrottledShardIT::isIndexed).count();

            // when
            FaultPlan throttled = new FaultMix(random).share(0.95, DynamoDbFaults.throughputExceeded());
            slot.dynamoDb().use(request -> isHot(request) ? throttled.decide(request) : new Fault.Pass());
            for (int round = 0; round < ROUNDS; round++) {
                site.send(traffic.messages(EVENTS));
                SortedMap<Bucket, Measures> expected = traffic.expected();
                // then: all but the buckets of that shard have what was sent, round after round
                await("buckets of other shards, round " + round).atMost(WriterSite.LIMIT).until(() -> {
                    SortedMap<Bucket, Measures> missing = new TreeMap<>(expected);
                    site.stored().forEach((bucket, measures) -> missing.remove(bucket, measures));
                    return missing.size() < indexed / 4 && missing.keySet().stream().allMatch(ThrottledShardIT::isIndexed);
                });
            }

            // and the rate is that of the others, and then all have it
            assertThat(slot.process().metric("windrow_writer_write_rate", "")).isGreaterThan(400);
            slot.dynamoDb().use(FaultPlan.none());
            site.awaitDrained();
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
        }
    }

    private static boolean isIndexed(Bucket bucket) {
        return bucket.dataset().equals("clicks") && bucket.granularity().equals("hour");
    }

    private static boolean isHot(ProxiedRequest request) {
        if (!request.operation().equals("UpdateItem")) {
            return false;
        }
        for (JsonNode value : request.body().path("ExpressionAttributeValues")) {
            if (value.path("S").asText().equals(HOT)) {
                return true;
            }
        }
        return false;
    }
}
