package dev.windrow.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.bench.page.Section.Target;

class PageTest {

    private static final Result RESULT = new Result(Map.of("seed", "7"), List.of(new Section("gather", "Gatherer", "How.",
            List.of("way", "load", "ms of CPU per gather", "gathers/s"),
            List.of(List.of("gatherer /buckets", "1 client", 5.0, 1_234.5), List.of("bare|", "1 client", 4.0, 1_244),
                    List.of("gatherer /buckets", "16 clients", 0.01234, 200), List.of("bare|", "16 clients", 4.0, 300),
                    List.of("floor", "1 client", 1.0, 9_000)),
            List.of(Target.atMost("gather.floor", "over the floor", 3, 2), Target.atLeast("gather.rate", "rate", 2, 1.5)),
            "today", 0)));

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
    void aSectionMeasuredAgainSaysSoUntilAllAreMeasuredInOneRun() {
        // Given
        Section other = new Section("b", "B", "How.", List.of(), List.of(), List.of(), "", 0);
        Section again = new Section("a", "A", "How.", List.of(), List.of(), List.of(), "today", 0);
        Result all = new Result(Map.of(), List.of(again, other));
        List<String> order = List.of("a", "b");
        // When
        Result twice = new Result(Map.of(), List.of(again)).over(new Result(Map.of(), List.of(again)).over(all, order), order);
        // Then
        assertThat(twice.sections()).extracting(Section::id, Section::again).containsExactly(tuple("a", 2), tuple("b", 0));
        assertThat(Page.text(twice, "x"))
                .contains("Measured today; times measured again since the last run of all sections: 2.");
        assertThat(all.over(twice, order).sections()).extracting(Section::again).containsExactly(0, 0);
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
