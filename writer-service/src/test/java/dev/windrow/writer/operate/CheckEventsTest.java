package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.Decimals;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.table.SeriesKey;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.operate.Check.CheckEvents;
import dev.windrow.writer.operate.Check.CheckTotals;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.testing.TestUnits;

class CheckEventsTest {

    private static final Instant TIME = Instant.parse("2026-11-20T10:31:32Z");

    /** Datasets of one type: an event that one of them rejects counts in none. */
    private static final Datasets PLAYS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                everything:
                  event-type: play
                  label: []
                  granularities: [day]
                  measures:
                    plays: {type: count}
                games:
                  event-type: play
                  label: [game, level]
                  granularities: [day]
                  measures:
                    plays: {type: count}
                    points: {type: sum, attribute: points}
                    best: {type: max, attribute: points}
                users:
                  event-type: play
                  label: [user]
                  granularities: [day]
                  dedupe: event-id
                  measures:
                    plays: {type: count}
                    levels: {type: sum, attribute: level}
                    ms: {type: sum, attribute: ms}
            """);

    @Test
    void eventsFitTheirDatasetAndAddUp() throws Exception {
        CheckEvents events = events("""
                windrow:
                  datasets:
                    games:
                      event-type: play
                      label: [game, user]
                      granularities: [day]
                      measures:
                        plays: {type: count}
                        points: {type: sum, attribute: points}
                        best: {type: max, attribute: points}
                        latest: {type: last, attribute: level}
                """);

        JsonNode message = new ObjectMapper().readTree(events.message(TIME));

        assertThat(message).hasSize(CheckEvents.EVENTS).allSatisfy(event -> {
            assertThat(event.path("type").asText()).isEqualTo("play");
            assertThat(event.path("time").asText()).isEqualTo("2026-11-20T10:31:32Z");
            assertThat(event.path("attributes").toString())
                    .isEqualTo("{\"points\":1,\"level\":1,\"game\":\"mark\",\"user\":\"mark\"}");
        });
        assertThat(message.findValuesAsText("id")).hasSize(CheckEvents.EVENTS).doesNotHaveDuplicates();
        assertThat(events.label()).containsExactly("mark", "mark");
        assertThat(events.expected()).isEqualTo(Map.of("plays", new BigDecimal(5), "points", new BigDecimal(5), "best",
                BigDecimal.ONE, "latest", BigDecimal.ONE));
    }

    @ParameterizedTest
    @ValueSource(strings = { "games", "users" })
    void everyDatasetOfTheirTypeCountsThem(String name) {
        // Given
        CheckEvents events = CheckEvents.of(PLAYS, PLAYS.named(name).orElseThrow());
        Message message = TestUnits.message("m", TIME, events.message(TIME));

        // When
        TestUnits.Read read = TestUnits.read(PLAYS, Long.MAX_VALUE, message);

        // Then
        ClaimUnitBuilder units = read.units();
        assertThat(read.decoded().rejections()).isEmpty();
        assertThat(List.of(units.events(0), units.events(1), units.events(2))).containsOnly(CheckEvents.EVENTS);
        assertThat(totals(units.build(), name, events.label())).isEqualTo(canonical(events.expected()));
    }

    @Test
    void theyMeetTheConditionsOfTheirDatasetAndCountInWhatTheyMeetOfItsMeasures() {
        // Given
        Datasets datasets = DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    requests:
                      event-type: request
                      label: [page, country]
                      granularities: [day]
                      where: {country: [DE, FR], status: {from: 200, below: 500}, path: {prefix: /api/}, ms: {exists: false}}
                      measures:
                        all: {type: count}
                        good: {type: count, where: {status: {below: 300}}}
                        bad: {type: count, where: {status: {from: 500}}}
                        timed: {type: count, attribute: ms}
                        slowest: {type: max, attribute: ms}
                    fixed:
                      event-type: request
                      label: [country]
                      granularities: [day]
                      where: {country: DE}
                      measures: {all: {type: count}}
                """);
        CheckEvents events = CheckEvents.of(datasets, datasets.named("requests").orElseThrow());
        Message message = TestUnits.message("m", TIME, events.message(TIME));

        // When
        TestUnits.Read read = TestUnits.read(datasets, Long.MAX_VALUE, message);

        // Then
        assertThat(read.decoded().rejections()).isEmpty();
        assertThat(read.units().events(0)).isEqualTo(CheckEvents.EVENTS);
        assertThat(events.label()).hasSize(2).contains("DE");
        assertThat(canonical(events.expected())).isEqualTo(canonical(Map.of("all", new BigDecimal(5), "good",
                new BigDecimal(5), "bad", BigDecimal.ZERO, "timed", BigDecimal.ZERO)));
        assertThatThrownBy(() -> CheckEvents.of(datasets, datasets.named("fixed").orElseThrow()))
                .hasMessageStartingWith(
                        "windrow.check.dataset: expected a dataset whose conditions leave some of its label free");
    }

    @Test
    void anAttributeOfALabelThatAMeasureReadsIsASmallNumber() {
        CheckEvents events = CheckEvents.of(PLAYS, PLAYS.named("games").orElseThrow());
        CheckEvents others = CheckEvents.of(PLAYS, PLAYS.named("games").orElseThrow());

        assertThat(events.label().get(0)).startsWith("windrow-check-");
        assertThat(new BigDecimal(events.label().get(1))).isBetween(new BigDecimal("0.1"), BigDecimal.ONE);
        assertThat(events.label()).doesNotContainAnyElementsOf(others.label());
    }

    @Test
    void theFirstDatasetWithALabelIsChosenAndOneWithoutRefused() {
        assertThat(Check.dataset(PLAYS, Optional.empty()).name()).isEqualTo("games");
        assertThat(Check.dataset(PLAYS, Optional.of("users")).name()).isEqualTo("users");
        for (String refused : List.of("everything", "playz")) {
            assertThatThrownBy(() -> Check.dataset(PLAYS, Optional.of(refused)))
                    .hasMessageStartingWith("windrow.check.dataset: expected a dataset with a label")
                    .hasMessageEndingWith("one of [games, users], found " + refused);
        }
    }

    @Test
    void anAnswerIsExactOnlyIfEveryMeasureIs() {
        Map<String, BigDecimal> expected = Map.of("plays", new BigDecimal(5));

        assertThat(CheckTotals.isExact("{\"measures\":{\"plays\":5,\"other\":1}}", expected)).isTrue();
        assertThat(CheckTotals.isExact("{\"measures\":{\"plays\":10}}", expected)).isFalse();
        assertThat(CheckTotals.isExact("{\"measures\":{\"plays\":null}}", expected)).isFalse();
        assertThat(CheckTotals.isExact("status 503", expected)).isFalse();
        assertThat(CheckTotals.isExact("{\"measures\":{\"levels\":4.99999999999995}}",
                Map.of("levels", new BigDecimal("4.99999999999995")))).isTrue();
    }

    private static CheckEvents events(String yaml) {
        Datasets datasets = DatasetsYaml.parse("test", yaml);
        return new CheckEvents(datasets.all().get(0), datasets.all(), "mark", new BigDecimal("0.5"));
    }

    private static Map<String, String> totals(List<ClaimUnit> units, String dataset, List<String> label) {
        Map<String, BigDecimal> totals = new TreeMap<>();
        units.stream().flatMap(unit -> unit.additions().stream()).filter(addition -> {
            SeriesKey series = SeriesKey.ofPartitionKey(addition.item().partitionKey());
            return series.dataset().equals(dataset) && series.label().values().equals(label);
        }).flatMap(addition -> addition.changes().stream())
                .forEach(change -> totals.merge(change.measure(), change.value().value(), BigDecimal::add));
        return canonical(totals);
    }

    private static Map<String, String> canonical(Map<String, BigDecimal> numbers) {
        Map<String, String> texts = new TreeMap<>();
        numbers.forEach((name, number) -> texts.put(name, Decimals.canonical(number)));
        return texts;
    }
}
