package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.SplittableRandom;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.table.Label;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Returns that outnumber sales: the number sold is never shown below zero. */
@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class FloorApiTest {

    private static final Label BOOK = Label.of("book");
    private static final Label PEN = Label.of("pen");

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @BeforeEach
    void write() {
        new Aggregated("default", datasets.named("stock").orElseThrow(), new SplittableRandom(1))
                .event(BOOK, Instant.parse("2026-11-20T10:00:00Z"), "-5")
                .event(BOOK, Instant.parse("2026-11-20T11:00:00Z"), "2")
                .event(PEN, Instant.parse("2026-11-20T10:00:00Z"), "-7")
                .event(PEN, Instant.parse("2026-11-20T11:00:00Z"), "9")
                .writeTo(client, "windrow");
    }

    @Test
    void bucketsShowTheFloorAndRanksGoByWhatIsShown() {
        assertThat(get("stock/buckets", "granularity", "hour").jsonPath().getList("items.measures.sold"))
                .containsExactly(0, 0, 2, 9);
        assertThat(get("stock/series", "granularity", "hour", "label", "book").jsonPath()
                .getList("items.measures.sold")).containsExactly(0, 2);
        assertThat(get("stock/busiest", "granularity", "hour", "by", "sold").jsonPath()
                .getList("items.measures.sold")).containsExactly(11, 0);
    }

    @Test
    void theFloorComesAfterTheSum() {
        assertThat(get("stock/totals", "label", "book").jsonPath().getInt("measures.sold")).isZero();
        assertThat(get("stock/totals", "label", "pen").jsonPath().getInt("measures.sold")).isEqualTo(2);
        assertThat(get("stock/top", "by", "sold").jsonPath().getList("items.measures.sold")).containsExactly(2, 0);
        assertThat(get("stock/series", "granularity", "hour", "label", "pen", "cumulative", "true").jsonPath()
                .getList("items.measures.sold")).containsExactly(0, 2);
    }
}
