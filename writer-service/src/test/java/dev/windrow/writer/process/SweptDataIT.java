package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.base.KeyCodec;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.testing.Patience;
import dev.windrow.time.Granularity;
import dev.windrow.writer.testing.Items;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The packaged command {@code erase} beside writers that go on to count other labels, and are killed; and {@code expire}, with
 * what DynamoDB does with items after it.
 */
class SweptDataIT {

    private static final String VALUE = "who is #42 $\u00fc";
    private static final String IN_KEYS = KeyCodec.encode(List.of(VALUE));

    private static final String CLICKS = """
            windrow:
              datasets:
                clicks: {event-type: click, label: [page], granularities: [minute, hour], measures: {clicks: {type: count}},
                  retention: {minute: 2d}}
            """;

    @AutoClose
    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    @Tag("slow")
    @Test
    @Timeout(600)
    void nothingComesBackAndNothingElseChanges() throws Exception {
        CompletableFuture<Void> deleting = new CompletableFuture<>();
        FaultPlan watch = request -> {
            deleting.complete(null);
            return new Fault.Pass();
        };
        try (WriterSite site = WriterSite.open(aws, "erased", WriterSite.VISIBILITY);
                FaultProxy proxy = FaultProxy.start(aws.dynamoDbEndpoint(), watch.onlyFor("DeleteItem"))) {
            // Given a writer that has claimed additions and cannot apply them, and is killed
            WriterSlot held = site.slot();
            FaultPlan holding = request -> request.partitionKey().filter(key -> key.contains(IN_KEYS)).isPresent()
                    ? DynamoDbFaults.throughputExceeded()
                    : new Fault.Pass();
            held.dynamoDb().use(holding.onlyFor("UpdateItem"));
            held.start().awaitReady();
            site.send(200);
            site.queue.sendAll(List.of(event("click", ""), event("view", ",\"url\":\"/\""), event("click", "")));
            await().atMost(WriterSite.LIMIT).until(() -> site.queue.size() == 0);
            held.process().kill();
            assertThat(site.table.keys()).isNotEmpty().noneMatch(key -> key.contains(IN_KEYS));

            // When it is erased while another writer applies them, and is killed before and when items are deleted
            WriterSlot other = site.slot();
            other.start();
            Process erase = site.options().command(proxy.endpoint(), "erase", "attribute=referrer", "value=" + VALUE);
            for (int kill = 0; kill < 3; kill++) {
                site.sendUntilKilled(KillMoment.random(site.random), List.of(other), 300).start();
            }
            while (!deleting.isDone() && erase.isAlive()) {
                count(site);
            }
            other.process().kill();
            other.start();
            while (erase.isAlive()) {
                count(site);
            }
            String output = new String(erase.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(erase.waitFor()).as(output).isZero();
            site.awaitDrained();

            // Then
            assertThat(output)
                    .contains("deleted of tenant default: 2 items of dataset clicks, 1 item of dataset urls-of-referrer")
                    .contains("copies remain in");
            assertThat(site.table.keys()).isNotEmpty().noneMatch(key -> key.contains(IN_KEYS));
            assertThat(site.table.buckets()).isEqualTo(site.traffic.expected());
        }
    }

    @Tag("slow")
    @Test
    @Timeout(300)
    void itemsWithoutATimeToLiveAreDeletedAndOthersStay() throws Exception {
        try (WriterSite site = WriterSite.open(aws, "expired", WriterSite.VISIBILITY, CLICKS)) {
            // Given items of before the dataset had a retention, one of them from long ago
            String table = site.table.name();
            Items items = new Items(aws.dynamoDb(), table);
            Instant now = Instant.now();
            put(table, "clicks", Granularity.MINUTE, Instant.EPOCH);
            put(table, "clicks", Granularity.MINUTE, now.minus(Duration.ofDays(10)));
            put(table, "clicks", Granularity.MINUTE, now);
            put(table, "clicks", Granularity.HOUR, now.minus(Duration.ofDays(10)));
            put(table, "others", Granularity.MINUTE, now.minus(Duration.ofDays(10)));

            // When
            Process expire = site.options().command(aws.dynamoDbEndpoint(), "expire");
            String output = new String(expire.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(expire.waitFor()).as(output).isZero();

            // Then
            assertThat(output).contains("ttl set: 3 items of dataset clicks", "ttl removed: nothing",
                    "1 item of dataset others");
            await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(items.buckets()).hasSize(3));
            assertThat(items.buckets().stream().map(item -> item.get("sk").s())).containsExactlyInAnyOrder(
                    "minute#" + Granularity.MINUTE.floor(now),
                    "hour#" + Granularity.HOUR.floor(now.minus(Duration.ofDays(10))),
                    "minute#" + Granularity.MINUTE.floor(now.minus(Duration.ofDays(10))));
        }
    }

    private static void count(WriterSite site) {
        site.send(100);
        await().atMost(WriterSite.LIMIT).until(() -> site.queue.visible() == 0);
    }

    private static String event(String type, String more) {
        return "{\"type\":\"%s\",\"id\":\"erased\",\"time\":\"2026-11-20T22:00:00Z\",\"attributes\":{\"referrer\":\"%s\",\"bytes\":1%s}}"
                .formatted(type, VALUE, more);
    }

    /** With the keys of the index, as writers do: local DynamoDB has not deleted items without them. */
    private static void put(String table, String dataset, Granularity granularity, Instant time) {
        SeriesKey series = new SeriesKey("default", dataset, Label.of("/"), 0);
        BucketKey bucket = new BucketKey(series, granularity, granularity.floor(time));
        aws.dynamoDb().putItem(put -> put.tableName(table).item(Map.of("pk", AttributeValue.fromS(series.partitionKey()), "sk",
                AttributeValue.fromS(bucket.sortKey()), "ipk", AttributeValue.fromS(bucket.indexPartitionKey(0)), "isk",
                AttributeValue.fromS(bucket.indexSortKey()), "m_clicks", AttributeValue.fromN("1")))).join();
    }
}
