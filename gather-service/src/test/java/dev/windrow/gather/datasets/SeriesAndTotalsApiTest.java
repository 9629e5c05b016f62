package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
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
import io.restassured.path.json.JsonPath;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class SeriesAndTotalsApiTest {

    private static final Label PAGE = Label.of("https://series.example/ü#1");
    private static final String BIG = "99999999999999999999999999999999999.25";

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @BeforeEach
    void write() {
        Aggregated clicks = new Aggregated("default", datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        clicks.event(PAGE, Instant.parse("2026-11-18T23:59:59Z"), "7")
                .event(PAGE, Instant.parse("2026-11-19T00:00:00Z"), "0.50")
                .event(PAGE, Instant.parse("2026-11-19T12:30:00Z"), "-3")
                .event(PAGE, Instant.parse("2026-11-20T10:00:10Z"), BIG)
                .event(PAGE, Instant.parse("2026-11-20T10:00:20Z"), "20")
                .writeTo(client, "windrow");
        Aggregated votes = new Aggregated("default", datasets.named("votes").orElseThrow(), new SplittableRandom(2));
        for (int vote = 0; vote < 500; vote++) {
            votes.event("ada", "2026-11-20T10:00:00Z");
        }
        votes.writeTo(client, "windrow");
    }

    @Test
    void aSeriesHasTheBucketsOfOneLabelInTimeOrder() {
        JsonPath series = get("clicks/series", "granularity", "day", "label", PAGE.values().get(0)).jsonPath();

        assertThat(series.getList("items.start")).containsExactly("2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z",
                "2026-11-20T00:00:00Z");
        assertThat(series.getList("items.measures.events")).containsExactly(1, 2, 2);
        assertThat(series.getList("items.label.flatten()")).isNotEmpty();
        assertThat(series.getMap("")).doesNotContainKey("next").containsEntry("complete", true);
    }

    @Test
    void aRangeIsHalfOpen() {
        assertThat(get("clicks/series", "granularity", "day", "label", PAGE.values().get(0), "from",
                "2026-11-19T00:00:00Z", "to", "2026-11-20T00:00:00Z").jsonPath().getList("items.start"))
                .containsExactly("2026-11-19T00:00:00Z");
    }

    @Test
    void totalsCombineEveryKindOfMeasureExactly() {
        String totals = get("clicks/totals", "label", PAGE.values().get(0), "from", "2026-11-18T23:59:00Z", "to",
                "2026-11-20T10:01:00Z").asString();

        assertThat(totals).contains("\"measures\":{\"events\":5,\"bytes\":100000000000000000000000000000000023.75,"
                + "\"smallest\":-3,\"largest\":99999999999999999999999999999999999.25,\"opening\":7,\"closing\":20}")
                .contains("\"from\":\"2026-11-18T23:59:00Z\",\"to\":\"2026-11-20T10:01:00Z\"");
    }

    @Test
    void totalsOfARangeCountJustItsBuckets() {
        JsonPath totals = get("clicks/totals", "label", PAGE.values().get(0), "from", "2026-11-19T00:00:00Z", "to",
                "2026-11-20T10:00:00Z").jsonPath();

        assertThat(totals.getInt("measures.events")).isEqualTo(2);
        assertThat(totals.getString("measures.bytes")).isEqualTo("-2.5");
    }

    @Test
    void totalsOfNothingAreZeroOrNull() {
        String totals = get("clicks/totals", "label", "https://nobody.example/").asString();

        assertThat(totals).contains("\"measures\":{\"events\":0,\"bytes\":0,\"smallest\":null,\"largest\":null,"
                + "\"opening\":null,\"closing\":null}").doesNotContain("\"from\"");
    }

    @Test
    void keyShardsAreSummed() {
        assertThat(get("votes/totals", "label", "ada").jsonPath().getInt("measures.votes")).isEqualTo(500);
        assertThat(get("votes/series", "label", "ada").jsonPath().getList("items.measures.votes")).isEqualTo(List.of(500));
    }
}
