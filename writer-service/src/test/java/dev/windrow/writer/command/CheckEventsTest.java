package dev.windrow.writer.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.dataset.yaml.DatasetsYaml;

class CheckEventsTest {

    private static final Instant TIME = Instant.parse("2026-11-20T10:31:32Z");

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
        assertThat(events.label()).containsExactly("mark", "mark");
        assertThat(events.expected()).isEqualTo(Map.of("plays", new BigDecimal(5), "points", new BigDecimal(5), "best",
                BigDecimal.ONE, "latest", BigDecimal.ONE));
    }

    @Test
    void anAnswerIsExactOnlyIfEveryMeasureIs() {
        Map<String, BigDecimal> expected = Map.of("plays", new BigDecimal(5));

        assertThat(CheckTotals.isExact("{\"measures\":{\"plays\":5,\"other\":1}}", expected)).isTrue();
        assertThat(CheckTotals.isExact("{\"measures\":{\"plays\":10}}", expected)).isFalse();
        assertThat(CheckTotals.isExact("{\"measures\":{\"plays\":null}}", expected)).isFalse();
        assertThat(CheckTotals.isExact("status 503", expected)).isFalse();
    }

    private static CheckEvents events(String yaml) {
        return new CheckEvents(DatasetsYaml.parse("test", yaml).all().get(0), "mark");
    }
}
