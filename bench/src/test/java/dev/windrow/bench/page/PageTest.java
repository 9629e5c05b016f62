package dev.windrow.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {

    private static final Result RESULT = new Result(Map.of("seed", "7"), List.of(new Section("gather", "Gatherer", "How.",
            new Found(List.of("way", "load", "ms of CPU per gather", "gathers/s"),
                    List.of(List.of("gatherer /buckets", "1 client", 5.0, 1_234.5), List.of("bare|", "1 client", 4.0, 1_244),
                            List.of("gatherer /buckets", "16 clients", 0.01234, 200), List.of("bare|", "16 clients", 4.0, 300),
                            List.of("floor", "1 client", 1.0, 9_000)),
                    List.of(Target.atMost("gather.floor", "over the floor", 3, 2),
                            Target.atLeast("gather.rate", "rate", 2, 1.5))),
            "today")));

    @TempDir
    Path folder;

    @Test
    void thePageHoldsTheTargetsTheRunAndEveryTable() {
        assertThat(Page.text(RESULT, "bench/results/latest.json")).contains("| what | target | measured |  |",
                "| over the floor | at most 2 | 3 | **missed** |", "| rate | at least 1.50 | 2 | met |",
                "- **over the floor**: the floor has", "## Gatherer\n\nHow.", "| bare\\| | 1 client | 4 | 1,244 |",
                "| gatherer /buckets | 16 clients | 0.0123 | 200 |", "Measured today.", "| seed | 7 |",
                "[bench/results/latest.json](../bench/results/latest.json)");
    }

    @Test
    void baselinesThatAreAheadUnderTheSameLoadAreNamed() {
        String page = Page.text(RESULT, "x");
        assertThat(page.substring(page.indexOf("is ahead\n"), page.indexOf("## Gatherer")))
                .contains("- Gatherer, 1 client: **bare|** (ms of CPU per gather 4 to 5)\n"
                        + "- Gatherer, 16 clients: **bare|** (gathers/s 300 to 200)\n")
                .doesNotContain("**floor**");
    }

    @Test
    void aResultReadBackMakesTheSamePage() {
        // Given
        Path file = folder.resolve("result.json");
        RESULT.write(file);

        // When
        Page.write(Result.read(file), "x", folder);

        // Then
        assertThat(folder.resolve("benchmarks.md")).hasContent(Page.text(RESULT, "x"));
    }
}
