package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.datasets.Api.json;
import static dev.windrow.gather.datasets.Api.problem;
import static dev.windrow.gather.datasets.Api.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;

/** Tests which roll-up answers which query; the model test compares the answers. */
@QuarkusTest
class RollupsApiTest extends TableTest {

    private static final String NAMED = "rides";
    private static final String BY_CITY = "rides-by-city";
    private static final String ALL = "all-rides";

    @Test
    void theRollupWithTheFewestAttributesIsRead() {
        assertThat(readBy("totals", "from", "2026-11-10T00:00:00Z")).isEqualTo(ALL);
        assertThat(readBy("totals", "label", "Bonn")).isEqualTo(BY_CITY);
        assertThat(readBy("totals", "prefix", "Bo")).isEqualTo(BY_CITY);
        assertThat(readBy("totals", "label", List.of("Bonn", "1"))).isEqualTo(NAMED);
        assertThat(readBy("top", "by", "events", "groupBy", "city")).isEqualTo(BY_CITY);
        assertThat(readBy("top", "by", "events")).isEqualTo(NAMED);
        assertThat(readBy("series", "granularity", "hour", "group", "top", "by", "events")).isEqualTo(NAMED);
    }

    @Test
    void aRollupIsNotReadForBucketsBeforeItWasComplete() {
        assertThat(readBy("totals", "from", "2026-11-09T00:00:00Z")).isEqualTo(BY_CITY);
        assertThat(readBy("series", "granularity", "hour", "from", "2026-11-10T00:00:00Z")).isEqualTo(ALL);
        assertThat(readBy("series", "granularity", "day", "from", "2026-11-10T00:00:00Z", "fill", "previous"))
                .as("gaps are filled from before the range").isEqualTo(BY_CITY);
        assertThat(readBy("compare", "from", "2026-11-12T00:00:00Z", "to", "2026-11-13T00:00:00Z")).isEqualTo(ALL);
        assertThat(readBy("compare", "from", "2026-11-12T00:00:00Z", "to", "2026-11-16T00:00:00Z")).isEqualTo(BY_CITY);
    }

    @Test
    void granularitiesThatARollupLacksAreReadFromTheNamedDataset() {
        assertThat(readBy("series", "granularity", "5-minutes", "label", List.of("Bonn", "1", "in"))).isEqualTo(NAMED);
        assertThat(readBy("series", "granularity", "hour")).as("not indexed in the roll-up by city").isEqualTo(NAMED);
        assertThat(readBy("totals", "label", List.of("Bonn", "1", "in"), "from", "2026-11-12T00:05:00Z")).isEqualTo(NAMED);
        assertThat(readBy("compare", "from", "2026-11-12T01:00:00Z", "to", "2026-11-13T00:00:00Z", "prefix", "Bo"))
                .as("a range that days cannot tile").isEqualTo(NAMED);
    }

    /** The range begins and ends within one of its days, so it would answer with two periods of nothing. */
    @Test
    void aRollupThatWouldReadNothingDoesNotAnswerForADatasetThatRefuses() {
        assertThat(problem(ask(NAMED + "/compare", "from", "2026-11-12T10:50:00Z", "to", "2026-11-12T11:10:00Z"), 400,
                "range-too-short").getString("parameter")).isEqualTo("from");
    }

    @Test
    void sumsOfAllLabelsCanBeConsistentWhereARollupHasThemAsOneSeries() {
        JsonNode totals = json(get(NAMED + "/totals", "consistent", true, "from", "2026-11-10T00:00:00Z", "explain", true));

        assertThat(totals.at("/explain/dataset").asText()).isEqualTo(ALL);
        assertThat(totals.at("/explain/choice").asText())
                .isEqualTo("the roll-up of rides with the fewest label attributes (0 of 3) that can answer");
        assertThat(totals.at("/explain/plan/0/source").asText()).isEqualTo("table");
    }

    @Test
    void aDatasetWithoutLabelIsOneSeries() {
        events("default", ALL).event(new Label(List.of()), Instant.parse("2026-11-10T12:00:00Z"), "7").writeTo(client,
                "windrow");

        JsonNode items = json(get(ALL + "/buckets", "granularity", "day", "limit", 1)).get("items");

        assertThat(items.get(0).get("label")).isEmpty();
        assertThat(json(get(ALL + "/top", "by", "events")).get("items")).hasSize(1);
        assertThat(get(ALL + "/buckets", "granularity", "day", "limit", 1, "format", "csv").asString())
                .startsWith("granularity,start,events,fares,dearest\r\nday,2026-11-10T00:00:00Z,");
    }

    private static String readBy(String kind, Object... parameters) {
        JsonNode explain = json(get(NAMED + "/" + kind, with(parameters, "explain", true))).get("explain");
        return (explain.isArray() ? explain.get(0) : explain).get("dataset").asText();
    }
}
