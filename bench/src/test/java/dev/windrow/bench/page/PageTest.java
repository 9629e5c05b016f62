package dev.windrow.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import dev.windrow.bench.page.Section.Line;
import dev.windrow.bench.page.Section.Plot;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

class PageTest {

    private static final Plot PLOT = new Plot("growth", "Cost & <growth>", "labels", "µs",
            List.of(new Line("cost", List.of(1.0, 10.0, 100.0), List.of(2.0, 3.0, 40.0))));
    private static final Result RESULT = new Result(Map.of("seed", "7"), List.of(new Section("a", "Cost of things", "How.",
            List.of(new Table("Costs", List.of("thing", "µs"), List.of(List.of("a|b", 1_234.5), List.of("c", 0.01234)))),
            List.of(PLOT), List.of(Target.atMost("a.cost", "cost", 2, 1.5), Target.atLeast("a.rate", "rate", 2, 1.5)))));

    @TempDir
    Path folder;

    @Test
    void thePageHoldsTheRunTheTargetsAndEveryTable() {
        String page = Page.text(RESULT, "bench/results/latest.json");
        assertThat(page).contains("| seed | 7 |", "| cost | at most 1.50 | 2 | **missed** |",
                "| rate | at least 1.50 | 2 | met |", "- **cost**: ", "## Cost of things", "| a\\|b | 1,235 |",
                "| c | 0.0123 |",
                "![Cost & <growth>](benchmarks/growth.svg)", "[bench/results/latest.json](../bench/results/latest.json)");
    }

    @Test
    void anEarlierResultStandsBesideThisOne() {
        // Given
        Result earlier = new Result(Map.of("date", "yesterday"), List.of(new Section("profile", "Profile", "", List.of(
                new Table("Load", List.of("stage", "share of samples", "µs of CPU per event"),
                        List.of(List.of("decode", "60%", 3.0), List.of("gone", "40%", 2.0)))),
                List.of(), List.of(Target.atMost("a.cost", "cost", 8, 1.5)))));
        Result now = new Result(Map.of(), List.of(new Section("profile", "Profile", "", List.of(
                new Table("Load", List.of("stage", "share of samples", "µs of CPU per event"),
                        List.of(List.of("decode", "100%", 1.0)))),
                List.of(), List.of(Target.atMost("a.cost", "cost", 2, 1.5)))));

        // When
        Page.write(now, "x", Optional.of(earlier), folder);

        // Then
        assertThat(folder.resolve("benchmarks.md")).content().contains("measured yesterday", "| cost | 8 | 2 |",
                "| decode | 3 | 1 |", "| gone | 2 |  |");
    }

    @Test
    void aResultReadBackMakesTheSamePage() {
        Path file = folder.resolve("result.json");
        RESULT.write(file);
        assertThat(Page.text(Result.read(file), "x")).isEqualTo(Page.text(RESULT, "x"));
    }

    @Test
    void aPlotIsWellFormedAndGoesUpWhereItsValuesDo() throws Exception {
        // When
        Page.write(RESULT, "x", Optional.empty(), folder);
        byte[] svg = Files.readAllBytes(folder.resolve("benchmarks/growth.svg"));
        // Then
        Document drawn = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg));
        assertThat(drawn.getElementsByTagName("circle").getLength()).isEqualTo(3);
        String[] points = drawn.getElementsByTagName("polyline").item(0).getAttributes().getNamedItem("points").getNodeValue()
                .split(" ", -1);
        double low = Double.parseDouble(points[0].split(",", -1)[1]);
        double high = Double.parseDouble(points[2].split(",", -1)[1]);
        assertThat(high).as("y grows downwards").isLessThan(low);
        assertThat(new String(svg, StandardCharsets.UTF_8)).contains("Cost &amp; &lt;growth>");
    }
}
