package dev.windrow.bench.micro;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.yaml.DatasetsYaml;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.message.MessageBody;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;

/** What the microbenchmarks work on. */
final class Samples {

    static final Instant START = Instant.parse("2026-11-20T10:31:00Z");
    static final int LABELS = 200;
    static final Datasets DATASETS = DatasetsYaml.parse("sample", """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [minute]
                  index: [minute]
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
                  scatter: [{width: 10}]
            """);
    private static final SourceQueue QUEUE = new SourceQueue("q", "http://127.0.0.1/q", false, Duration.ofMinutes(1), Duration.ofDays(4),
            null);

    private Samples() {
    }

    static EventDecoder decoder() {
        return new EventDecoder(DATASETS, Duration.ofMinutes(5), System::nanoTime);
    }

    static String label(int n) {
        return "https://referrer-" + n % LABELS + ".example.org/";
    }

    static Message message(int events) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < events; i++) {
            body.append(i == 0 ? "" : ",").append("{\"type\":\"click\",\"time\":\"").append(START.plusMillis(i * 101L))
                    .append("\",\"attributes\":{\"referrer\":\"").append(label(7 * i)).append("\",\"url\":\"/page-").append(i)
                    .append("\",\"bytes\":").append(1_000 + i).append("}}");
        }
        String text = events == 1 ? body.toString() : "[" + body + "]";
        return new Message(QUEUE, "7f0c3a54-0f3e-4b8f-8a74-0a1d3a0f3c55", "receipt", MessageBody.of(text), Map.of(), START, START, 1,
                null);
    }
}
