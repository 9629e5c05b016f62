package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.quickstart.QuickStart.OwnEvents;
import dev.windrow.testing.Patience;

/** A file of events in datasets of its own, with lines that are no events, and events that are rejected or ignored. */
@Tag("slow")
class OwnEventsIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String GOOD = """
            {"type":"visit","time":"2026-03-0%dT10:31:32Z","attributes":{"host":"h%d","ms":%d}}
            """;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void linesAreCountedOrNamed() throws Exception {
        // given 300 good lines, and others among them
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            lines.append(GOOD.formatted(1, i % 3, i)).append(GOOD.formatted(2, 1, i)).append(GOOD.formatted(4, 2, i));
        }
        lines.append("\nno event\n"); // the second of them is line 302
        lines.append(GOOD.formatted(5, 3, 7).replace("2026-03-05", "sometime")); // line 303
        lines.append("{\"type\":\"heartbeat\",\"time\":\"2026-03-05T00:00:00Z\"}\n");
        lines.append("{\"type\":\"unknown\",\"time\":\"2026-03-05T00:00:00Z\"}\n"); // line 305
        lines.append(GOOD.formatted(5, 3, 7).replace("\"ms\"", "\"sm\""));
        Datasets datasets = DatasetsYaml.read(datasets());

        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        try (Stack stack = Stack.start(ROOT, folder.resolve("logs"), datasets(), Ports.free());
                Replay replay = new Replay(stack.sqs(), out)) {
            ServiceClient gather = stack.gather();

            OwnEvents.Result result = new OwnEvents(Files.writeString(folder.resolve("events.ndjson"), lines), datasets, out)
                    .count(replay, gather, stack.writer());

            // then it says so, by the numbers of the lines, and in the order of the file
            assertThat(printed.toString(StandardCharsets.UTF_8)).contains("304 events sent: 2 rejected, 1 ignored; 1 lines")
                    .contains("  301 counted in weeks\n  301 counted in visits\n").containsSubsequence("line 302: not JSON",
                            "line 303: invalid-time: time: ", "line 305: unknown-event-type: type: ");
            assertThat(result.allGood()).isFalse();
            assertThat(result.largest()).get().satisfies(largest -> assertThat(largest.name()).isEqualTo("visits"));
            // and every bucket is there, of each dataset, from the first day to the end of the last
            assertThat(gather.get("/api/v1/datasets/visits/totals").at("/measures/ms").asInt()).isEqualTo(3 * 4_950);
            Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(
                    gather.get("/api/v1/datasets/weeks/totals?label=h1").at("/measures/visits").asInt()).isEqualTo(133));
            assertThat(Report.Span.of(gather, datasets.named("visits").orElseThrow()))
                    .contains(new Report.Span(Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-03-06T00:00:00Z")));
            assertThat(Report.Span.of(gather, datasets.named("weeks").orElseThrow())).isEmpty();
        }
    }

    private Path datasets() throws IOException {
        return Files.writeString(folder.resolve("datasets.yaml"), """
                windrow:
                  ignore-types: [heartbeat]
                  datasets:
                    weeks:
                      event-type: visit
                      label: [host]
                      granularities: [hour, week]
                      measures: {visits: {type: count}}
                    visits:
                      event-type: visit
                      label: [host]
                      granularities: [5-minutes, day]
                      index: [5-minutes, day]
                      measures: {visits: {type: count}, ms: {type: sum, attribute: ms}}
                """);
    }
}
