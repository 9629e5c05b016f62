package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;
import dev.windrow.writer.table.DeclaredAttributes;
import dev.windrow.writer.table.JournalItems;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class ExpireTest extends SweptTable {

    private static final String DECLARED = """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [page]
                  granularities: [minute, hour, week, forever]
                  index: [minute]
                  measures: {clicks: {type: count}}
                  retention: {minute: 2d, hour: 30d}
                views:
                  event-type: view
                  label: [user, page]
                  partition: 1
                  key-shards: 3
                  granularities: [minute, month]
                  measures: {views: {type: count}}
                  retention: {minute: 3d, month: 400d}
                all: {event-type: view, label: [], granularities: [hour], measures: {views: {type: count}}}
            """;
    /** Far from the real one: DynamoDB deletes what expires, when it is local too. */
    private static final Instant NOW = Instant.parse("2096-11-26T10:00:00Z");
    private static final Instant START = Instant.parse("2096-11-20T10:00:00Z");
    private static final String MINUTE = "minute#2096-11-20T10:00:00Z";
    private static final long ANOTHER = 4_000_000_000L;
    private static final List<String> HOSTILE = List.of("42", "", " ", "#", "##", "#0", "$", "$S", "a b", "\u00fc",
            "\uD83D\uDE00", "~lane#0", "default#clicks#42#0", MINUTE, "a\nb", "\uFFFD", "x".repeat(400));

    /** Whatever they had, and whatever is in their labels; and nothing else of any item changes. */
    @Test
    void bucketsExpireAsWritersWouldHaveThem() {
        // Given
        RandomGenerator random = Seeds.random("expire");
        Datasets datasets = datasets(DECLARED);
        Map<Object, Map<String, AttributeValue>> buckets = new HashMap<>();
        for (int i = 0; i < 700; i++) {
            Dataset dataset = datasets.all().get(random.nextInt(datasets.all().size()));
            Granularity granularity = dataset.granularities().get(random.nextInt(dataset.granularities().size()));
            String[] label = dataset.label().stream().map(any -> HOSTILE.get(random.nextInt(HOSTILE.size())))
                    .toArray(String[]::new);
            Map<String, AttributeValue> item = bucket(dataset.name(), dataset.partition(), granularity,
                    granularity.floor(NOW.minusSeconds(random.nextLong(100_000_000))), random.nextInt(dataset.keyShards()),
                    label);
            buckets.put(List.of(item.get("pk"), item.get("sk")), random.nextBoolean() ? expiring(item) : item);
        }
        items.put(buckets.values());
        items.put(List.of(expiring(key("~slot#m#1#0", "/")), expiring(key("~record#clicks#0", MINUTE))));
        DeclaredAttributes declared = DeclaredAttributes.of(datasets);
        List<Map<String, AttributeValue>> before = items.all();

        // When
        String done = expire(DECLARED).run();

        // Then
        assertThat(done).contains("ttl set: ", "ttl removed: ", "of dataset all, ")
                .doesNotContain("left alone");
        assertThat(buckets()).allSatisfy((keys, ttl) -> assertThat(ttl)
                .isEqualTo(declared.expiry(keys.get(0), keys.get(1))));
        assertThat(buckets().values()).contains(OptionalLong.empty());
        assertThat(withoutTtl(items.all())).containsExactlyInAnyOrderElementsOf(withoutTtl(before));
        assertThat(items.all().stream().filter(item -> item.get("pk").s().startsWith("~") && item.containsKey("ttl")))
                .hasSize(2).allSatisfy(item -> assertThat(item.get("ttl").n()).isEqualTo("" + ANOTHER));

        // When it is run again
        long written = proxy.audit().requests("UpdateItem");
        assertThat(expire(DECLARED).run()).contains("ttl set: nothing", "ttl removed: nothing");

        // Then
        assertThat(proxy.audit().requests("UpdateItem") - written).as("updates, of its progress").isLessThanOrEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "shorter | {minute: 2d, hour: 2d} | 2096-11-23T10:01:00Z | 2096-11-23T11:00:00Z",
            "longer  | {minute: 9d, hour: 99d} | 2096-11-30T10:01:00Z | 2097-02-28T11:00:00Z",
            "removed in part | {minute: 2d} | 2096-11-23T10:01:00Z | ",
            "removed | {} | | " })
    void changedRetentionIsFollowed(String change, String retention, @Nullable Instant minute, @Nullable Instant hour) {
        // Given
        items.put(List.of(bucket("clicks", 1, Granularity.MINUTE, START, 0, "/"),
                bucket("clicks", 1, Granularity.HOUR, START, 0, "/"), bucket("all", 0, Granularity.HOUR, START, 0)));
        expire(DECLARED).run();
        assertThat(ttl(MINUTE)).hasValue(Instant.parse("2096-11-23T10:01:00Z").getEpochSecond());

        // When
        String changed = DECLARED.replace("retention: {minute: 2d, hour: 30d}", "retention: " + retention);
        String done = expire(retention.equals("{}") ? changed.replace("      retention: {}\n", "") : changed).run();

        // Then
        assertThat(ttl(MINUTE)).as(done).isEqualTo(seconds(minute));
        assertThat(ttl("hour#2096-11-20T10:00:00Z")).as(done).isEqualTo(seconds(hour));
    }

    @Test
    void whatIsNotDeclaredIsLeftAloneAndCounted() {
        // Given
        items.put(List.of(bucket("clicks", 1, Granularity.MINUTE, START, 0, "/"),
                bucket("removed", 1, Granularity.MINUTE, START, 0, "/"),
                expiring(bucket("removed", 1, Granularity.HOUR, START, 0, "/")),
                expiring(bucket("clicks", 1, Granularity.DAY, Granularity.DAY.floor(START), 0, "/"))));

        // When
        String done = expire(DECLARED).run();

        // Then
        assertThat(done).isEqualTo("""
                items read: 4
                ttl set: 1 item of dataset clicks
                ttl removed: nothing
                left alone, as the dataset file does not declare them: 1 item of dataset clicks by day, \
                2 items of dataset removed""");
        assertThat(buckets().values().stream().filter(OptionalLong.of(ANOTHER)::equals)).hasSize(2);
        assertThat(buckets().values().stream().filter(OptionalLong.empty()::equals)).hasSize(1);
    }

    @Test
    void whatIsNoBucketIsLeftAloneAndCounted() {
        // Given
        List<String> others = List.of("default#clicks#/#0|minute", "default#clicks#/#0|minute#",
                "default#clicks#/#0|minute#yesterday", "default#clicks#/#0|minute#2096-11-20T10:00:01Z",
                "default#clicks#/#0|minute#2096-11-20T10:00Z", "default#clicks#/#0|minute#+12096-11-20T10:00:00Z",
                "default#clicks#/#0|minute#1969-11-20T10:00:00Z", "default#clicks#/#0|Minute#2096-11-20T10:00:00Z",
                "default#clicks#/#0|fortnight#2096-11-20T00:00:00Z", "default#clicks#/#0|" + MINUTE + "#/a",
                "default#clicks#0|" + MINUTE, "default#clicks#/|" + MINUTE, "default#clicks#/#00|" + MINUTE,
                "default#clicks#/#-1|" + MINUTE, "default#clicks#/#+1|" + MINUTE, "default#clicks#$Z#0|" + MINUTE,
                "default#clicks#a b#0|" + MINUTE, "#clicks#/#0|" + MINUTE, "$Sdefault#clicks#/#0|" + MINUTE,
                "clicks|" + MINUTE, "default|x", "default#views#42#0|" + MINUTE);
        items.put(others.stream().map(keys -> keys.split("\\|")).map(keys -> expiring(key(keys[0], keys[1]))).toList());
        List<Map<String, AttributeValue>> before = items.all();

        // When
        String done = expire(DECLARED).run();

        // Then
        assertThat(done).contains("ttl set: nothing", "ttl removed: nothing", "as they are no buckets: " + others.size());
        assertThat(items.buckets()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void whatExpiredLongAgoGetsATimeThatDynamoDbStillDeletesItAt() {
        // Given
        items.put(List.of(bucket("clicks", 1, Granularity.MINUTE, Instant.parse("1985-11-20T10:00:00Z"), 0, "/"),
                bucket("clicks", 1, Granularity.MINUTE, Instant.parse("2093-01-01T00:00:00Z"), 0, "/")));

        // When
        expire(DECLARED).run();

        // Then
        assertThat(ttl("minute#1985-11-20T10:00:00Z")).isEqualTo(seconds(Instant.parse("2093-01-01T00:00:00Z")));
        assertThat(ttl("minute#2093-01-01T00:00:00Z")).isEqualTo(seconds(Instant.parse("2093-01-04T00:01:00Z")));
        assertThat(expire(DECLARED).run()).contains("ttl set: nothing");
    }

    // stopped and continued

    @Test
    void progressOfAnotherDeclarationDoesNotCount() {
        // Given
        items.put(IntStream.range(0, 1_000)
                .mapToObj(page -> bucket("clicks", 1, Granularity.MINUTE, START, 0, "/" + page)).toList());
        failScansAfterTheFirst(DynamoDbFaults.accessDenied());
        assertThatThrownBy(() -> expire(DECLARED).run()).hasMessageContaining("not authorized");
        proxy.use(FaultPlan.none());

        // When
        String done = expire(DECLARED.replace("minute: 2d", "minute: 20d")).run();

        // Then
        assertThat(done).contains("ttl set: 1000 items of dataset clicks");
        assertThat(buckets().values()).containsOnly(seconds(Instant.parse("2096-12-11T10:01:00Z")));
    }

    private Expire expire(String yaml) {
        return new Expire(client, table, datasets(yaml), 1e12, time, NOW);
    }

    private static Datasets datasets(String yaml) {
        return DatasetsYaml.parse("test", yaml);
    }

    private static Map<String, AttributeValue> bucket(String dataset, int partition, Granularity granularity, Instant start,
            int keyShard, String... label) {
        SeriesKey series = new SeriesKey("default", dataset, Label.of(label), partition, keyShard);
        BucketKey bucket = new BucketKey(series, granularity, start);
        Map<String, AttributeValue> item = new HashMap<>(key(series.partitionKey(), bucket.sortKey()));
        item.put("ipk", AttributeValue.fromS(bucket.indexPartitionKey(3)));
        item.put("isk", AttributeValue.fromS(bucket.indexSortKey()));
        item.put("m_" + dataset, AttributeValue.fromN("7"));
        item.put("j5", AttributeValue.fromN("12"));
        return item;
    }

    private static Map<String, AttributeValue> key(String partitionKey, String sortKey) {
        return JournalItems.key(partitionKey, sortKey);
    }

    private static Map<String, AttributeValue> expiring(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> all = new HashMap<>(item);
        all.put(TableSchema.TTL, AttributeValue.fromN("" + ANOTHER));
        return all;
    }

    private OptionalLong ttl(String sortKey) {
        return buckets().get(List.of("default#clicks#/#0", sortKey));
    }

    /** The times to live by keys. */
    private Map<List<String>, OptionalLong> buckets() {
        return items.buckets().stream().collect(Collectors.toMap(item -> List.of(item.get("pk").s(), item.get("sk").s()),
                item -> item.containsKey("ttl") ? OptionalLong.of(Long.parseLong(item.get("ttl").n())) : OptionalLong.empty()));
    }

    private static List<Map<String, AttributeValue>> withoutTtl(List<Map<String, AttributeValue>> items) {
        return items.stream().filter(item -> !item.get("pk").s().equals(TableSchema.DATASETS_PK)).map(item -> {
            Map<String, AttributeValue> rest = new HashMap<>(item);
            rest.remove(TableSchema.TTL);
            return rest;
        }).collect(Collectors.toList());
    }

    private static OptionalLong seconds(@Nullable Instant instant) {
        return instant == null ? OptionalLong.empty() : OptionalLong.of(instant.getEpochSecond());
    }
}
