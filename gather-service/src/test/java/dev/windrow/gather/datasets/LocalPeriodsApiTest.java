package dev.windrow.gather.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Days, weeks and months of a time zone, and what they are compared with. */
@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class LocalPeriodsApiTest {

    private static final String TENANT = "local-periods";

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @BeforeEach
    void write() {
        Aggregated clicks = new Aggregated(TENANT, datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        // Two events on March 30 in Kolkata, three on March 31; in UTC it is the other way round.
        List.of("2025-03-29T18:30:00Z", "2025-03-30T18:29:00Z", "2025-03-30T18:30:00Z", "2025-03-31T00:00:00Z",
                "2025-03-31T18:29:00Z").forEach(time -> clicks.event("a", time));
        // Clocks in Moncton went from 00:01 on October 30 back to 23:01 on October 29, at 03:01 in UTC.
        List.of("2005-10-30T02:30:00Z", "2005-10-30T03:00:00Z", "2005-10-30T03:01:00Z", "2005-10-30T03:59:00Z",
                "2005-10-30T04:00:00Z", "2005-10-30T20:00:00Z").forEach(time -> clicks.event("b", time));
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
            // All others with one as long that ends so much earlier.
            "UTC,           2025-03-29, 2025-03-31, month, 2025-02-26T00:00:00Z, 2025-02-28T00:00:00Z",
            "UTC,           2025-03-01, 2025-03-31, month, 2025-01-29T00:00:00Z, 2025-02-28T00:00:00Z",
            "UTC,           2024-02-29, 2024-03-01, year,  2023-02-28T00:00:00Z, 2023-03-01T00:00:00Z",
            "Europe/Berlin, 2025-03-30, 2025-03-31, previous, 2025-03-28T23:00:00Z, 2025-03-29T23:00:00Z",
            "Europe/Berlin, 2025-03-31, 2025-04-01, day,   2025-03-29T23:00:00Z, 2025-03-30T22:00:00Z",
            "Europe/Berlin, 2025-03-31, 2025-04-02, week,  2025-03-23T23:00:00Z, 2025-03-25T23:00:00Z",
            "Europe/Berlin, 2025-03-24T00:00:00+01:00, 2025-04-01T09:00:00+02:00, week, 2025-03-16T23:00:00Z, "
                    + "2025-03-25T08:00:00Z",
            // Where a date has two midnights, it begins at the first one.
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

    @ParameterizedTest
    @ValueSource(strings = { "Europe/Berlin", "Asia/Kolkata", "America/Toronto", "Australia/Sydney", "UTC" })
    void wordsArePeriodsOfTheZonesCalendar(String zone) {
        // Given days that may change while the questions are asked
        LocalDate before = LocalDate.now(ZoneId.of(zone));
        List<List<String>> asked = new ArrayList<>();
        List<String> words = List.of("today", "yesterday", "this-week", "this-month", "last-month", "this-year");

        // When
        for (String word : words) {
            JsonNode answer = get("clicks/totals", "tz", zone, "last", word);
            boolean over = word.equals("yesterday") || word.equals("last-month");
            asked.add(List.of(answer.at("/from").asText(), over ? answer.at("/to").asText() : "now"));
        }

        // Then
        LocalDate after = LocalDate.now(ZoneId.of(zone));
        assertThat(asked).isIn(expected(before, ZoneId.of(zone)), expected(after, ZoneId.of(zone)));
        assertThat(ask("clicks/totals", "last", "next-week").jsonPath().getString("detail")).contains("or one of today,");
    }

    private static List<List<String>> expected(LocalDate day, ZoneId zone) {
        LocalDate month = day.withDayOfMonth(1);
        return List.of(List.of(start(day, zone), "now"), List.of(start(day.minusDays(1), zone), start(day, zone)),
                List.of(start(day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)), zone), "now"),
                List.of(start(month, zone), "now"), List.of(start(month.minusMonths(1), zone), start(month, zone)),
                List.of(start(day.withDayOfYear(1), zone), "now"));
    }

    private static String start(LocalDate day, ZoneId zone) {
        return day.atStartOfDay(zone).toInstant().toString();
    }

    @Test
    void datesAreLocalMidnightsInEveryQuery() {
        Object[] day = { "tz", "Asia/Kolkata", "from", "2025-03-30", "to", "2025-03-31" };

        assertThat(get("clicks/totals", day).at("/measures/events").asInt()).isEqualTo(2);
        assertThat(get("clicks/top", with(day, "by", "events")).at("/items/0/measures/events").asInt()).isEqualTo(2);
        assertThat(get("clicks/position", with(day, "by", "events", "label", "a")).at("/value").asInt()).isEqualTo(2);
        assertThat(get("clicks/compare", with(day, "againstFrom", "2025-03-31", "againstTo", "2025-04-01"))
                .at("/against/measures/events").asInt()).isEqualTo(3);
        assertThat(get("clicks/totals", "from", "2025-03-30", "to", "2025-03-31").at("/measures/events").asInt())
                .isEqualTo(2);
    }

    @Test
    void aPeriodThatNoBucketsBeginAndEndWithIsRefused() {
        for (String query : List.of("totals", "compare")) {
            Response answer = ask("visits/" + query, "tz", "Asia/Kolkata", "from", "2025-03-30", "to", "2025-03-31");

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.jsonPath().getString("parameter")).isEqualTo("tz");
            assertThat(answer.jsonPath().getString("detail")).contains("a finer granularity would do");
        }
    }

    @Test
    void aComparisonWithNothingIsRefused() {
        Object[] april = { "from", "2025-04-01", "to", "2025-05-01", "label", "a", "label", "b" };

        Response days = ask("monthly/compare", with(april, "against", "previous"));
        assertThat(days.statusCode()).isEqualTo(400);
        assertThat(days.jsonPath().getString("parameter")).isEqualTo("against");
        assertThat(days.jsonPath().getString("detail")).contains("as many buckets of month", "againstFrom");
        assertThat(ask("monthly/compare", with(april, "against", "day")).statusCode()).isEqualTo(400);
        assertThat(ask("monthly/top", with(april, "against", "week", "by", "events")).statusCode()).isEqualTo(400);

        assertThat(get("monthly/compare", with(april, "against", "month")).at("/against/from").asText())
                .isEqualTo("2025-03-01T00:00:00Z");
        assertThat(get("monthly/compare", with(april, "againstFrom", "2025-03-02", "againstTo", "2025-04-01"))
                .at("/against/from").asText()).as("given, and moved up like any range").isEqualTo("2025-04-01T00:00:00Z");
    }

    @Test
    void theBusiestLocalDay() {
        JsonNode answer = get("clicks/busiest", "tz", "Asia/Kolkata", "granularity", "day", "by", "events", "from",
                "2025-03-29", "to", "2025-04-02");

        assertThat(answer.at("/items").findValuesAsText("start")).containsExactly("2025-03-31T00:00:00+05:30",
                "2025-03-30T00:00:00+05:30");
        assertThat(answer.at("/items").findValuesAsText("events")).containsExactly("3", "2");
        assertThat(ask("visits/busiest", "tz", "Asia/Kolkata", "granularity", "day", "by", "events").statusCode())
                .isEqualTo(400);
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
            assertThat(days(get("clicks/series", with(asked, "fill", "zero")))).isEqualTo(expected);
            assertThat(days(get("clicks/busiest", with(asked, "by", "events")))).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
            "2005-10-29, 2005-10-30, 3, 5",
            "2005-10-30, 2005-10-31, 3, 0",
            "2005-10-29, 2005-10-31, 6, 5",
            "2005-10-30, 2005-10-30, 0, 0",
            // Points in time are no dates.
            "2005-10-30T00:00:00-03:00, 2005-10-31, 5, 5",
            "2005-10-29, 2005-10-30T00:00:00-03:00, 1, 0",
    })
    void sumsOverDatesAreThoseOfTheirDays(String from, String to, int expectedOfB, int expectedOfC) {
        Object[] range = { "tz", "America/Moncton", "from", from, "to", to };
        Object[] ofB = with(range, "label", "b");

        assertThat(get("clicks/totals", ofB).at("/measures/events").asInt()).isEqualTo(expectedOfB);
        assertThat(get("clicks/totals", range).at("/measures/events").asInt()).isEqualTo(expectedOfB + expectedOfC);
        assertThat(get("clicks/top", with(ofB, "by", "events")).at("/items/0/measures/events").asInt()).isEqualTo(expectedOfB);
        assertThat(get("clicks/position", with(ofB, "by", "events")).at("/value").asInt()).isEqualTo(expectedOfB);
        JsonNode profile = get("clicks/busiest", with(ofB, "by", "events", "profile", "hour-of-day"));
        assertThat(profile.findValuesAsText("events").stream().mapToInt(Integer::parseInt).sum()).isEqualTo(expectedOfB);
        assertThat(get("clicks/compare", with(ofB, "againstFrom", "2005-10-01", "againstTo", "2005-10-02"))
                .at("/period/measures/events").asInt()).isEqualTo(expectedOfB);
        assertThat(get("clicks/compare", "tz", "America/Moncton", "from", "2005-10-01", "to", "2005-10-02", "againstFrom", from,
                "againstTo", to, "label", "b").at("/against/measures/events").asInt()).isEqualTo(expectedOfB);
    }

    @Test
    void totalsOverDatesAreTheSumOfTheDaysOfASeries() {
        for (LocalDate from = LocalDate.of(2005, 10, 28); from.isBefore(LocalDate.of(2005, 11, 2)); from = from.plusDays(1)) {
            for (int length = 1; length < 5; length++) {
                Object[] range = { "tz", "America/Moncton", "from", from.toString(), "to",
                        from.plusDays(length).toString() };
                JsonNode days = get("clicks/series", with(range, "granularity", "day"));

                assertThat(get("clicks/totals", range).at("/measures/events").asInt()).as("%s and %s days", from, length)
                        .isEqualTo(days.findValuesAsText("events").stream().mapToInt(Integer::parseInt).sum());
            }
        }
    }

    @Test
    void theOtherPeriodMayBeginOrEndWithADayThatBeginsTwice() {
        Object[] ofB = { "tz", "America/Moncton", "label", "b" };
        for (String against : List.of("previous", "day")) {
            JsonNode dayBefore = get("clicks/compare",
                    with(ofB, "from", "2005-10-30", "to", "2005-10-31", "against", against));
            assertThat(dayBefore.at("/period/measures/events").asInt()).isEqualTo(3);
            assertThat(dayBefore.at("/against/measures/events").asInt()).isEqualTo(3);
            assertThat(get("clicks/compare", with(ofB, "from", "2005-10-31", "to", "2005-11-01", "against", against))
                    .at("/against/measures/events").asInt()).isEqualTo(3);
            assertThat(
                    get("clicks/top", with(ofB, "from", "2005-10-31", "to", "2005-11-01", "against", against, "by", "events"))
                            .at("/items/0/against/events").asInt())
                    .isEqualTo(3);
        }
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

    @Test
    void aDayThatBeginsTwiceWithinABucketIsRefused() {
        for (String query : List.of("totals", "compare")) {
            for (String from : List.of("2005-10-28", "2005-10-30")) {
                Response answer = ask("visits/" + query, "tz", "America/Moncton", "from", from, "to",
                        LocalDate.parse(from).plusDays(2).toString());

                assertThat(answer.statusCode()).as("%s from %s", query, from).isEqualTo(400);
                assertThat(answer.jsonPath().getString("parameter")).isEqualTo("tz");
            }
        }
        assertThat(ask("visits/totals", "tz", "America/Moncton", "from", "2005-10-29", "to", "2005-10-31").statusCode())
                .as("the day is within the range").isEqualTo(200);
    }

    private static List<String> days(JsonNode answer) {
        List<String> days = new ArrayList<>();
        answer.at("/items").forEach(item -> days.add(item.at("/start").asText() + " " + item.at("/measures/events").asInt()));
        return days;
    }

    private static Object[] with(Object[] some, Object... more) {
        List<Object> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray();
    }

    private static JsonNode get(String path, Object... parameters) {
        Response answer = ask(path, parameters);
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(200);
        return Api.json(answer);
    }

    private static Response ask(String path, Object... parameters) {
        return Api.ask(path, with(parameters, "tenant", TENANT));
    }
}
