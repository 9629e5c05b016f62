package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.problem;
import static dev.windrow.gather.datasets.Api.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;

/** Days, weeks and months of a time zone, and the periods they are compared with. */
@QuarkusTest
class LocalPeriodsApiTest extends TableTest {

    private static final String TENANT = "local-periods";

    @BeforeEach
    void write() {
        Aggregated clicks = events(TENANT, "clicks");
        // Two events on March 30 in Kolkata and three on March 31; in UTC, the other way round.
        List.of("2025-03-29T18:30:00Z", "2025-03-30T18:29:00Z", "2025-03-30T18:30:00Z", "2025-03-31T00:00:00Z",
                "2025-03-31T18:29:00Z").forEach(time -> clicks.event("a", time));
        // Clocks in Moncton went from 00:01 on October 30 back to 23:01 on October 29, at 03:01 in UTC.
        List.of("2005-10-30T02:30:00Z", "2005-10-30T03:00:00Z", "2005-10-30T03:01:00Z", "2005-10-30T03:59:00Z",
                "2005-10-30T04:00:00Z", "2005-10-30T20:00:00Z").forEach(time -> clicks.event("b", time));
        clicks.event("c", "2005-10-27T12:00:00Z");
        // A year earlier, a day with two events at the time that repeats, and one in the first minute of the next day.
        List.of("2004-10-28T12:00:00Z", "2004-10-31T03:00:00Z", "2004-10-31T03:30:00Z", "2004-10-31T03:30:00Z")
                .forEach(time -> clicks.event("e", time));
        for (int i = 0; i < 5; i++) {
            clicks.event("c", "2005-10-30T03:30:00Z");
        }
        clicks.writeTo(client, "windrow");
    }

    @ParameterizedTest
    @CsvSource({
            // Whole months are compared with whole months, whatever their lengths.
            "Europe/Berlin, 2025-04-01, 2025-05-01, month, 2025-02-28T23:00:00Z, 2025-03-31T22:00:00Z",
            "Europe/Berlin, 2024-02-01, 2024-03-01, year,  2023-01-31T23:00:00Z, 2023-02-28T23:00:00Z",
            "UTC,           2025-02-01, 2025-04-01, month, 2025-01-01T00:00:00Z, 2025-03-01T00:00:00Z",
            // All others are compared with a period of equal length that ends earlier by the given unit.
            "UTC,           2025-03-29, 2025-03-31, month, 2025-02-26T00:00:00Z, 2025-02-28T00:00:00Z",
            "UTC,           2025-03-01, 2025-03-31, month, 2025-01-29T00:00:00Z, 2025-02-28T00:00:00Z",
            "UTC,           2024-02-29, 2024-03-01, year,  2023-02-28T00:00:00Z, 2023-03-01T00:00:00Z",
            "Europe/Berlin, 2025-03-30, 2025-03-31, previous, 2025-03-28T23:00:00Z, 2025-03-29T23:00:00Z",
            "Europe/Berlin, 2025-03-31, 2025-04-01, day,   2025-03-29T23:00:00Z, 2025-03-30T22:00:00Z",
            "Europe/Berlin, 2025-03-31, 2025-04-02, week,  2025-03-23T23:00:00Z, 2025-03-25T23:00:00Z",
            "Europe/Berlin, 2025-03-24T00:00:00+01:00, 2025-04-01T09:00:00+02:00, week, 2025-03-16T23:00:00Z, "
                    + "2025-03-25T08:00:00Z",
            // A date with two midnights begins at the first one.
            "Atlantic/Azores, 2021-11-01, 2021-11-02, day,  2021-10-31T00:00:00Z, 2021-11-01T01:00:00Z",
            "Atlantic/Azores, 2021-01-01, 2021-10-31, previous, 2020-03-04T01:00:00Z, 2021-01-01T01:00:00Z",
            "America/Moncton, 2005-10-31, 2005-11-01, previous, 2005-10-30T03:00:00Z, 2005-10-31T04:00:00Z",
            "America/Moncton, 2005-11-06, 2005-11-07, week, 2005-10-30T03:00:00Z, 2005-10-31T04:00:00Z",
            "Australia/Sydney, 2025-04-01, 2025-04-08, previous, 2025-03-24T13:00:00Z, 2025-03-31T13:00:00Z",
    })
    void aPeriodIsComparedWithOneAsLong(String zone, String from, String to, String against, String expectedFrom,
            String expectedTo) {
        JsonNode answer = get("clicks/compare", "tz", zone, "from", from, "to", to, "against", against);

        assertThat(answer.at("/against/from").asText()).isEqualTo(expectedFrom);
        assertThat(answer.at("/against/to").asText()).isEqualTo(expectedTo);
    }

    @Test
    void aComparisonWithNothingIsRefused() {
        Object[] april = { "from", "2025-04-01", "to", "2025-05-01", "label", "a", "label", "b" };

        JsonPath days = problem(ask("monthly/compare", with(april, "against", "previous")), 400, "invalid-parameter");
        assertThat(days.getString("parameter")).isEqualTo("against");
        assertThat(days.getString("detail")).contains("as many buckets of month", "againstFrom");
        problem(ask("monthly/compare", with(april, "against", "day")), 400, "invalid-parameter");
        problem(ask("monthly/top", with(april, "against", "week", "by", "events")), 400, "invalid-parameter");

        assertThat(get("monthly/compare", with(april, "against", "month")).at("/against/from").asText())
                .isEqualTo("2025-03-01T00:00:00Z");
        JsonNode open = get("monthly/compare", with(april, "againstFrom", "2025-04-01"));
        assertThat(open.at("/against").has("to")).as("no end").isFalse();
        assertThat(problem(ask("monthly/compare", with(april, "againstFrom", "2025-03-02", "againstTo", "2025-04-01")), 400,
                "invalid-parameter").getString("parameter")).as("holds no whole month").isEqualTo("againstFrom");
    }

    @Test
    void aDayThatBeginsTwiceHasItsOwnEventsOnly() {
        for (String[] range : new String[][] { { "2005-10-29", "2005-10-31" }, { "2005-10-29", "2005-10-30" },
                { "2005-10-30", "2005-10-31" } }) {
            Object[] asked = { "tz", "America/Moncton", "granularity", "day", "label", "b", "from", range[0], "to", range[1] };
            List<String> expected = new ArrayList<>(List.of("2005-10-29T00:00:00-03:00 3", "2005-10-30T00:00:00-03:00 3"));
            expected.removeIf(day -> day.compareTo(range[0]) < 0 || day.compareTo(range[1]) >= 0);

            assertThat(days(get("clicks/series", asked))).isEqualTo(expected);
            assertThat(days(get("clicks/series", with(asked, "limit", 2)))).isEqualTo(expected);
            assertThat(days(get("clicks/series", with(asked, "limit", 1)))).containsExactly(expected.get(0));
            assertThat(days(get("clicks/series", with(asked, "limit", 1, "order", "desc"))))
                    .containsExactly(expected.get(expected.size() - 1));
            assertThat(days(get("clicks/series", with(asked, "fill", "zero")))).isEqualTo(expected);
            assertThat(days(get("clicks/busiest", with(asked, "by", "events")))).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({ "c, previous, 2005-10-30, 2005-11-01, 5 5", "b, previous, 2005-10-30, 2005-11-01, 3 3",
            "b, linear, 2005-10-28, 2005-10-30, null 3", "c, linear, 2005-10-28, 2005-10-29, 3",
            "e, previous, 2004-11-01, 2004-11-02, 1", "e, linear, 2004-10-29, 2004-10-30, 1.5" })
    void gapsBesideADayThatBeginsTwiceAreFilledFromWholeDays(String label, String fill, String from, String to,
            String expected) {
        JsonNode answer = get("clicks/series", "tz", "America/Moncton", "granularity", "day", "label", label, "fill", fill,
                "from", from, "to", to);

        assertThat(answer.at("/items").findValuesAsText("events")).isEqualTo(List.of(expected.split(" ")));
    }

    @Test
    void listsOfADayThatBeginsTwiceHaveItsOwnLabels() {
        Object[] day = { "tz", "America/Moncton", "from", "2005-10-29", "to", "2005-10-30", "by", "events", "n", 1 };

        JsonNode first = get("clicks/top", day);
        JsonNode second = get("clicks/top", with(day, "cursor", first.at("/next").asText()));

        assertThat(first.at("/items/0/label/0").asText()).isEqualTo("c");
        assertThat(second.at("/items/0/label/0").asText()).isEqualTo("b");
        assertThat(second.at("/items/0/measures/events").asInt()).isEqualTo(3);
        assertThat(second.has("next")).isFalse();
        JsonNode series = get("clicks/series", "tz", "America/Moncton", "from", "2005-10-30", "to", "2005-10-31", "by",
                "events",
                "n", 1, "group", "top", "granularity", "day");
        assertThat(days(series)).as("of the label that comes first on that day")
                .containsExactly("2005-10-30T00:00:00-03:00 3");
    }

    private static List<String> days(JsonNode answer) {
        List<String> days = new ArrayList<>();
        answer.at("/items").forEach(item -> days.add(item.at("/start").asText() + " " + item.at("/measures/events").asInt()));
        return days;
    }

    private static JsonNode get(String path, Object... parameters) {
        return Api.json(Api.get(path, with(parameters, "tenant", TENANT)));
    }
}
