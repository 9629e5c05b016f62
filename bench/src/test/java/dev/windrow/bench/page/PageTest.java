package dev.windrow.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

class PageTest {

    private static final Result RESULT = new Result(Map.of("seed", "7"), List.of(new Section("a", "Cost of things", "How.",
            List.of(new Table("Costs", List.of("thing", "µs"), List.of(List.of("a|b", 1_234.5), List.of("c", 0.01234)))),
            List.of(Target.atMost("a.cost", "cost", 2, 1.5), Target.atLeast("a.rate", "rate", 2, 1.5)), "")));

    @TempDir
    Path folder;

    @Test
    void thePageHoldsTheRunTheTargetsAndEveryTable() {
        String page = Page.text(RESULT, "bench/results/latest.json");
        assertThat(page).contains("| seed | 7 |", "| cost | at most 1.50 | 2 | **missed** |",
                "| rate | at least 1.50 | 2 | met |", "- **cost**: ", "## Cost of things", "| a\\|b | 1,235 |",
                "| c | 0.0123 |", "[bench/results/latest.json](../bench/results/latest.json); `-Dquick`");
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
