package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.quickstart.Report.Span;

class ReportTest {

    private static final Instant START = Instant.parse("2026-11-17T00:00:00Z");

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Report report = new Report(new PrintStream(printed, true, StandardCharsets.UTF_8), new Ports(1, 2, 3, 4));

    @Test
    void whatEndsNowIsAskedForByWords() {
        report.addresses(dataset("[\"\u00e4 b\", c]", "[minute, hour, day]"), Optional.empty());

        assertThat(printed()).contains("  http://localhost:4/\n")
                .contains("'http://localhost:4/api/v1/datasets/d/top?by=hits&groupBy=%C3%A4+b&last=today'")
                .contains("'http://localhost:4/api/v1/datasets/d/series?granularity=hour&last=this-week'");
    }

    @Test
    void theRangeOfOthersIsInTheLinkAndInQueries() {
        report.addresses(dataset("[]", "[minute, hour, day, week]"),
                Optional.of(new Span(START, START.plusSeconds(86_400 * 3))));

        assertThat(printed()).contains("/#dataset=d&last=&from=2026-11-17T00:00:00Z&to=2026-11-20T00:00:00Z\n")
                .contains("/top?by=hits&from=2026-11-17T00:00:00Z&to=2026-11-20T00:00:00Z'")
                .contains("/series?granularity=day&from=2026-11-17T00:00:00Z&to=2026-11-20T00:00:00Z'");
    }

    @Test
    void aSeriesBeginsWithAWholeBucket() {
        report.addresses(dataset("[]", "[week]"), Optional.of(new Span(START, START.plusSeconds(86_400 * 7))));

        assertThat(printed()).contains("/series?granularity=week&from=2026-11-16T00:00:00Z&to=2026-11-24T00:00:00Z'");
    }

    @Test
    void aDatasetWithoutAnIndexHasNoQueryOfAllLabels() {
        report.addresses(dataset("[a]", "[]"), Optional.empty());

        assertThat(printed()).doesNotContain("curl").contains("http://localhost:4/\n");
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static Dataset dataset(String label, String index) {
        return DatasetsYaml.parse("test", """
                windrow: {datasets: {d: {event-type: e, label: %s, granularities: [minute, hour, day, week], index: %s,
                  measures: {hits: {type: count}}}}}
                """.formatted(label, index)).named("d").orElseThrow();
    }
}
