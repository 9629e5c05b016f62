package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.DatasetsYaml;

class ItemExpiryTest {

    private static final DeclaredAttributes EXPIRY = DeclaredAttributes.of(DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host, page], partition: 1, granularities: [5-minutes, day, month, forever],
                  measures: {events: {type: count}}, retention: {5-minutes: 2d, day: 30d, month: 400d}}
                views: {event-type: view, label: [], granularities: [minute], measures: {events: {type: count}}}
            """));

    /** The format is pinned: what is written once must be what every release would write. */
    @ParameterizedTest
    @CsvSource({ "5-minutes#2026-11-20T10:30:00Z#/a, 2026-11-23T10:35:00Z", "day#2026-11-20T00:00:00Z#/a, 2026-12-22T00:00:00Z",
            "month#2024-02-01T00:00:00Z#/$$a#b, 2025-04-06T00:00:00Z" })
    void isTheEndOfTheBucketTheRetentionAndADay(String sortKey, Instant deleted) {
        assertThat(EXPIRY.expiry("default#clicks#example.org#0", sortKey)).hasValue(deleted.getEpochSecond());
    }

    @ParameterizedTest
    @CsvSource({ "default#clicks#example.org#0, forever#1970-01-01T00:00:00Z#/a",
            "default#views#0, minute#2026-11-20T10:30:00Z", "default#others#0, day#2026-11-20T00:00:00Z",
            "~datasets, shapes", "~lane#1, lane", "~record#1#7, 0", "clicks, day#2026-11-20T00:00:00Z",
            "default#clicks#example.org#0, hour", "default#clicks#example.org#0, day#yesterday",
            "default#clicks#example.org#0, fortnight#2026-11-20T00:00:00Z" })
    void isNotKnownOfWhatIsKeptForEverOrIsNoBucketOfADeclaredDataset(String partitionKey, String sortKey) {
        assertThat(EXPIRY.expiry(partitionKey, sortKey)).isEmpty();
    }

    @Test
    void withoutARetentionNothingExpires() {
        assertThat(DeclaredAttributes.NONE.expiry("default#clicks#example.org#0", "day#2026-11-20T00:00:00Z"))
                .isEqualTo(OptionalLong.empty());
    }
}
