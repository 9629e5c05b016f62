package dev.windrow.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

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
            List.of(Target.atMost("a.cost", "cost", 2, 1.5), Target.atLeast("a.rate", "rate", 2, 1.5)), "", 0)));

    @TempDir
    Path folder;

    @Test
    void thePageHoldsTheRunTheTargetsAndEveryTable() {
        String page = Page.text(RESULT, "bench/results/latest.json");
        assertThat(page).contains("| seed | 7 |", "| what | target | measured |  |",
                "| cost | at most 1.50 | 2 | **missed** |",
                "| rate | at least 1.50 | 2 | met |", "- **cost**: ", "## Cost of things", "| a\\|b | 1,235 |",
                "| c | 0.0123 |", "[bench/results/latest.json](../bench/results/latest.json); `-Dquick`");
    }

    @Test
    void headlinesAndBaselinesThatAreAheadComeFirst() {
        // Given
        Section section = new Section("gather", "Gatherer", "How.",
                List.of(new Table("100 shards", List.of("way", "clients", "ms of CPU per gather", "gathers/s"), List.of(
                        List.of("gatherer /buckets", 1, 5.0, 100), List.of("gatherer /buckets", 16, 4.0, 200),
                        List.of("bare", 1, 4.0, 101), List.of("bare", 16, 4.0, 300), List.of("floor", 1, 1.0, 900)))),
                List.of(Target.atMost("gather.floor.10", "over the floor, 10", 1, 2),
                        Target.atMost("gather.floor.100", "over the floor, 100", 3, 2)),
                "", 0);
        // When
        String page = Page.text(new Result(Map.of(), List.of(section)), "x");
        // Then
        assertThat(page.substring(0, page.indexOf("## The run")))
                .contains("| over the floor, 100 | at most 2 | 3 | **missed** |",
                        "- Gatherer, 100 shards, clients: 1: **bare** (ms of CPU per gather 4 to 5)\n"
                                + "- Gatherer, 100 shards, clients: 16: **bare** (gathers/s 300 to 200)\n")
                .doesNotContain("over the floor, 10 |", "**floor**");
        assertThat(page).contains("| over the floor, 10 | at most 2 | 1 | met |", "- **over the floor, 100**: the floor has");
    }

    @Test
    void aSectionMeasuredAgainSaysSoUntilAllAreMeasuredInOneRun() {
        // Given
        Section other = new Section("b", "B", "How.", List.of(), List.of(), "", 0);
        Section again = new Section("a", "A", "How.", List.of(), List.of(), "today", 0);
        Result all = new Result(Map.of(), List.of(again, other));
        List<String> order = List.of("a", "b");
        // When
        Result twice = new Result(Map.of(), List.of(again)).over(new Result(Map.of(), List.of(again)).over(all, order), order);
        // Then
        assertThat(twice.sections()).extracting(Section::id, Section::again).containsExactly(tuple("a", 2), tuple("b", 0));
        assertThat(Page.text(twice, "x"))
                .contains("Measured today; measured again 2 times since the last run of all sections.");
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
