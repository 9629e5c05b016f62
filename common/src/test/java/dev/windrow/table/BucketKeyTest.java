package dev.windrow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;

class BucketKeyTest {

    private static final Instant START = Instant.parse("2026-11-20T10:31:00Z");

    @Test
    void goldenKeysStayAsTheyAre() {
        BucketKey key = new BucketKey(new SeriesKey("default", "clicks", Label.of("https://example.org/", "a b"), 3),
                Granularity.MINUTE, START);

        assertThat(key.series().partitionKey()).isEqualTo("default#clicks#https://example.org/#a$Pb#3");
        assertThat(key.sortKey()).isEqualTo("minute#2026-11-20T10:31:00Z");
        assertThat(key.indexPartitionKey(7)).isEqualTo("default#clicks#minute#7");
        assertThat(key.indexSortKey()).isEqualTo("2026-11-20T10:31:00Z#https://example.org/#a$Pb#3");
    }

    @Test
    void onlyTheFirstValuesAreInThePartitionKeyIfSoDeclared() {
        SeriesKey series = new SeriesKey("default", "clicks", Label.of("https://example.org/", "a b", "", "d"), 2, 3);
        BucketKey key = new BucketKey(series, Granularity.MINUTE, START);

        assertThat(series.partitionKey()).isEqualTo("default#clicks#https://example.org/#a$Pb#3");
        assertThat(key.sortKey()).isEqualTo("minute#2026-11-20T10:31:00Z##d");
        assertThat(key.indexSortKey()).isEqualTo("2026-11-20T10:31:00Z#https://example.org/#a$Pb##d#3");
        assertThat(BucketKey.startSeconds(key.sortKey())).hasValue(START.getEpochSecond());
        assertThatThrownBy(() -> new SeriesKey("default", "clicks", Label.of("a"), 2, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rankKeysArePartOfTheStorageFormat() {
        SeriesKey series = new SeriesKey("default", "scores", Label.of("Meteor Blasters", "a#b"), 0);
        BucketKey key = new BucketKey(series, Granularity.MINUTE, START);

        assertThat(RankKey.of(key, 1, 1)).isEqualTo("default#scores#minute#2026-11-20T10:31:00Z#Meteor$PBlasters#0");
        assertThat(RankKey.of(key, 0, 100)).isEqualTo("default#scores#minute#2026-11-20T10:31:00Z#29");
        assertThat(RankKey.shard(Label.of("a"), 100)).isNotEqualTo(RankKey.shard(Label.of("b"), 100));
    }

    @Test
    void tableKeysAreReadBackAndNoTwoBucketsShareThem() {
        RandomGenerator random = Seeds.random("tableKeysAreReadBackAndNoTwoBucketsShareThem");
        Map<String, BucketKey> seen = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            BucketKey key = partitioned(random);
            String partitionKey = key.series().partitionKey();

            assertThat(BucketKey.ofTableKeys(partitionKey, key.sortKey())).isEqualTo(key);
            assertThat(BucketKey.startSeconds(key.sortKey())).hasValue(key.start().getEpochSecond());
            SeriesKey whole = new SeriesKey("default", "clicks", key.series().label(), 7);
            assertThat(SeriesKey.ofPartitionKey(whole.partitionKey())).isEqualTo(whole);
            BucketKey other = seen.put(partitionKey + "\n" + key.sortKey(), key);
            assertThat(other == null || other.equals(key)).as("%s and %s share keys", key, other).isTrue();
        }
    }

    @Test
    void sortKeysOfOnePartitionAreInTheOrderOfTheIndex() {
        RandomGenerator random = Seeds.random("sortKeysOfOnePartitionAreInTheOrderOfTheIndex");
        for (int i = 0; i < 10_000; i++) {
            List<String> first = HostileText.parts(random);
            int rest = 1 + random.nextInt(3);
            BucketKey a = partitioned(first, rest, random);
            BucketKey b = partitioned(first, rest, random);

            assertThat(a.series().partitionKey()).isEqualTo(b.series().partitionKey());
            assertThat(Integer.signum(Utf8Order.ASCENDING.compare(a.sortKey(), b.sortKey()))).as("%s and %s", a, b)
                    .isEqualTo(Integer.signum(Utf8Order.ASCENDING.compare(a.indexSortKey(), b.indexSortKey())));
        }
    }

    private static BucketKey partitioned(RandomGenerator random) {
        List<String> label = HostileText.parts(random);
        SeriesKey series = new SeriesKey("default", "clicks", new Label(label), random.nextInt(label.size() + 1),
                random.nextInt(1_000));
        return new BucketKey(series, random.nextBoolean() ? Granularity.MINUTE : Granularity.FOREVER,
                START.plusSeconds(60L * random.nextInt(3)));
    }

    private static BucketKey partitioned(List<String> first, int rest, RandomGenerator random) {
        List<String> label = new ArrayList<>(first);
        for (int i = 0; i < rest; i++) {
            label.add(HostileText.part(random));
        }
        return new BucketKey(new SeriesKey("default", "clicks", new Label(label), first.size(), 7), Granularity.MINUTE,
                START.plusSeconds(60L * random.nextInt(2)));
    }

    @Test
    void keysThatAreTooLongAreAnErrorNotATruncation() {
        // given keys of exactly 1,024 bytes: "minute#", 20 of the start, "#", the rest of the label
        assertThat(bucket(partitioned("x".repeat(996))).sortKey()).hasSize(1_024);
        assertTooLong(1_024, bucket(partitioned("x".repeat(997)))::sortKey);
        // and 20 of the start, "#", the label, "#0"
        assertThat(bucket(series("x".repeat(1_001))).indexSortKey()).hasSize(1_024);
        assertTooLong(1_024, bucket(series("x".repeat(1_002)))::indexSortKey);
        // and of exactly 2,048 bytes: "default#clicks#", the label, "#0"
        assertThat(series("é".repeat((2_048 - 15 - 2) / 2) + "x").partitionKey()).hasSize(15 + 1_015 + 1 + 2);
        assertTooLong(2_048, series("é".repeat(1_016))::partitionKey);
    }

    private static void assertTooLong(int limit, ThrowingCallable key) {
        assertThatThrownBy(key)
                .isInstanceOfSatisfying(InvalidInputException.class, e -> assertThat(e.reason()).isEqualTo(Reason.KEY_TOO_LONG))
                .hasMessage("label: expected a label whose key has at most " + limit + " bytes, found " + (limit + 1));
    }

    private static BucketKey bucket(SeriesKey series) {
        return new BucketKey(series, Granularity.MINUTE, START);
    }

    private static SeriesKey partitioned(String rest) {
        return new SeriesKey("default", "clicks", Label.of("a", rest), 1, 0);
    }

    private static SeriesKey series(String label) {
        return new SeriesKey("default", "clicks", Label.of(label), 0);
    }
}
