package dev.windrow.quickstart.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class TrickleTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:31:32Z");

    @Test
    void clicksAreOfTheLastSecondAndDiffer() throws Exception {
        Trickle trickle = new Trickle(new Random(7));
        Set<Integer> counts = new HashSet<>();

        for (int second = 0; second < 50; second++) {
            List<JsonNode> events = events(trickle.messages(NOW));
            counts.add(events.size());
            assertThat(events).isNotEmpty().hasSizeLessThanOrEqualTo(20).allSatisfy(event -> {
                assertThat(event.get("type").asText()).isEqualTo("click");
                assertThat(Instant.parse(event.get("time").asText())).isBetween(NOW.minus(Trickle.INTERVAL), NOW);
            });
        }

        assertThat(counts).hasSizeGreaterThan(5);
    }

    private static List<JsonNode> events(List<String> messages) throws Exception {
        List<JsonNode> events = new ArrayList<>();
        for (String message : messages) {
            for (String line : message.split("\n", -1)) {
                events.add(new ObjectMapper().readTree(line));
            }
        }
        return events;
    }
}
