package dev.windrow.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
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
    void keysAreReadBack() {
        RandomGenerator random = Seeds.random("keysAreReadBack");
        for (int i = 0; i < 10_000; i++) {
            SeriesKey series = new SeriesKey("default", "clicks", new Label(HostileText.parts(random)), random.nextInt(1_000));
            BucketKey key = new BucketKey(series, Granularity.MINUTE, START);

            assertThat(SeriesKey.ofPartitionKey(series.partitionKey())).isEqualTo(series);
            assertThat(BucketKey.ofIndexSortKey("default", "clicks", Granularity.MINUTE, key.indexSortKey())).isEqualTo(key);
        }
    }

    @Test
    void partitionKeysOver2048BytesAreAnErrorNotATruncation() {
        // given a key of exactly 2,048 bytes: "default#clicks#", the label, "#0"
        SeriesKey longest = series("é".repeat((2_048 - 15 - 2) / 2) + "x");
        assertThat(longest.partitionKey()).hasSize(15 + 1_015 + 1 + 2);

        assertThatThrownBy(() -> series("é".repeat(1_016)).partitionKey())
                .isInstanceOfSatisfying(InvalidInputException.class, e -> assertThat(e.reason()).isEqualTo(Reason.KEY_TOO_LONG))
                .hasMessage("label: expected a label whose key has at most 2048 bytes, found 2049");
    }

    @Test
    void indexSortKeysOver1024BytesAreAnErrorNotATruncation() {
        // given a key of exactly 1,024 bytes: 20 of the start, "#", the label, "#0"
        assertThat(new BucketKey(series("x".repeat(1_001)), Granularity.MINUTE, START).indexSortKey()).hasSize(1_024);

        BucketKey longer = new BucketKey(series("x".repeat(1_002)), Granularity.MINUTE, START);
        assertThatThrownBy(longer::indexSortKey).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("at most 1024 bytes, found 1025");
    }

    private static SeriesKey series(String label) {
        return new SeriesKey("default", "clicks", Label.of(label), 0);
    }
}
