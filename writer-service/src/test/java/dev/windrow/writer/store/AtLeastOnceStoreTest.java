package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AtLeastOnceStoreTest extends BucketStoreContract {

    @Override
    BucketStore store(TableWrites tableWrites, BucketUpdates updates) {
        return new AtLeastOnceStore(tableWrites, updates, new ExtremesCache(1_000));
    }

    @Test
    void countsARedeliveredMessageAgain() {
        // When
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "5")));
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "5")));

        // Then
        assertThat(day("hits")).isEqualByComparingTo("2");
        assertThat(day("slowest")).isEqualByComparingTo("5");
        assertThat(buckets.slots()).isEmpty();
    }
}
