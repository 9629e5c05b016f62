package dev.windrow.quickstart.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

class GeneratedClicksTest {

    private static final Instant END = Instant.parse("2026-11-20T10:31:32Z");
    private static final Duration SPAN = Duration.ofDays(2);

    @Test
    void theSameSeedGivesTheSameClicks() {
        assertThat(clicks(7)).isEqualTo(clicks(7)).isNotEqualTo(clicks(8)).hasSize(10_000);
    }

    @Test
    void clicksLieInTheSpanInOrder() {
        assertThat(clicks(7)).extracting(Click::time).isSorted()
                .allSatisfy(time -> assertThat(time).isBetween(END.minus(SPAN), END));
    }

    @Test
    void referrersHaveAHeavyTail() {
        Map<String, Long> counts = clicks(7).stream().collect(Collectors.groupingBy(Click::referrer, Collectors.counting()));

        // By Zipf's law over 300 ranks the first has 1 / 6.28 of all, and a rank in the middle 150 times less.
        assertThat(counts.get("-")).isBetween(1_300L, 1_900L);
        assertThat(counts).hasSizeBetween(200, 300);
        assertThat(counts.getOrDefault("https://site-150.example/links", 0L)).isLessThan(50);
    }

    private static List<Click> clicks(long seed) {
        return new GeneratedClicks(new Random(seed), END, SPAN).clicks(10_000).toList();
    }
}
