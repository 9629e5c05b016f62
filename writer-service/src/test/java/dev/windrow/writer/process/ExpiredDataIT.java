package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.dataset.Granularity;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.Items;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The packaged command {@code expire}, and what DynamoDB does with items after it. */
class ExpiredDataIT {

    private static final String CLICKS = """
            windrow:
              datasets:
                clicks: {event-type: click, label: [page], granularities: [minute, hour], measures: {clicks: {type: count}},
                  retention: {minute: 2d}}
            """;

    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    @AfterAll
    static void stopServers() {
        aws.close();
    }

    @Test
    @Timeout(300)
    void itemsWithoutATimeToLiveAreDeletedAndOthersStay() throws Exception {
        try (WriterSite site = WriterSite.open(aws, "expired", WriterSite.VISIBILITY, CLICKS)) {
            // Given items of before the dataset had a retention, one of them from long ago
            String table = site.options().properties().get("windrow.table");
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

    /** With the keys of the index, as writers do: local DynamoDB has not deleted items without them. */
    private static void put(String table, String dataset, Granularity granularity, Instant time) {
        SeriesKey series = new SeriesKey("default", dataset, Label.of("/"), 0);
        BucketKey bucket = new BucketKey(series, granularity, granularity.floor(time));
        aws.dynamoDb().putItem(put -> put.tableName(table).item(Map.of("pk", AttributeValue.fromS(series.partitionKey()), "sk",
                AttributeValue.fromS(bucket.sortKey()), "ipk", AttributeValue.fromS(bucket.indexPartitionKey(0)), "isk",
                AttributeValue.fromS(bucket.indexSortKey()), "m_clicks", AttributeValue.fromN("1")))).join();
    }
}
