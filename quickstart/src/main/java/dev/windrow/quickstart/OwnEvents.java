package dev.windrow.quickstart;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.quickstart.EventMessages.Line;
import dev.windrow.quickstart.EventMessages.Message;

/** A file of events: posts them, waits until they are counted, and says which lines are not, and why. */
final class OwnEvents {

    private static final int MAX_LETTERS = 1_000;

    private final Path file;
    private final Datasets datasets;
    private final PrintStream out;
    private final EventLines.Bad bad = new EventLines.Bad();

    OwnEvents(Path file, Datasets datasets, PrintStream out) {
        this.file = file;
        this.datasets = datasets;
        this.out = out;
    }

    /**
     * What became of the events.
     *
     * @param largest the dataset that most of them count in, rather one with an index; empty if there is none
     * @param allGood whether no line was rejected
     */
    record Result(Optional<Dataset> largest, boolean allGood) {
    }

    /**
     * Posts the events and reports.
     *
     * @param writer its management port
     * @throws IllegalArgumentException if there are none
     * @throws IllegalStateException if they are not counted within the time of {@link Replay}
     */
    Result count(Replay replay, ServiceClient gather, ServiceClient writer) throws InterruptedException {
        Map<String, Message> posted = new HashMap<>();
        long sent;
        try (Stream<Line> lines = EventLines.of(file, bad)) {
            // Kept without their bodies: only the lines are looked up again.
            sent = replay.send(new EventMessages(lines),
                    (id, message) -> posted.put(id, new Message("", message.first(), message.events())));
        }
        if (sent + bad.count() == 0) {
            throw new IllegalArgumentException("-Devents=" + file + ": expected events, one a line, found an empty file");
        }
        replay.awaitClaimed();
        for (Dataset dataset : datasets.all()) {
            replay.awaitCounted(gather, dataset.name(), dataset.index().stream().map(Granularity::name).toList());
        }
        long unsent = bad.count();
        for (JsonNode letter : writer.get("/manage/dead-letters?limit=" + MAX_LETTERS).get("items")) {
            JsonNode attributes = letter.get("attributes");
            Message message = posted.get(attributes.path("source-message-id").asText());
            if (message != null) {
                add(message, attributes);
            }
        }
        return report(writer.text("/q/metrics"), sent, unsent);
    }

    /** @param letter attributes of an event that was rejected, or of a whole message, which has no position */
    private void add(Message message, JsonNode letter) {
        String reason = letter.path("reason").asText() + ": " + letter.path("detail").asText();
        int position = letter.path("source-event").asInt(message.events() == 1 ? 0 : -1);
        if (position >= 0 && position < message.events()) {
            bad.add(message.first() + position, reason);
        } else {
            bad.add(message.first(), reason + " (somewhere in lines " + message.first() + " to "
                    + (message.first() + message.events() - 1) + ")");
        }
    }

    private Result report(String metrics, long sent, long unsent) {
        long rejected = counter(metrics, "windrow_writer_dead_letters_total", "");
        long ignored = counter(metrics, "windrow_writer_events_ignored_total", "");
        out.printf("%n%,d events sent: %,d rejected, %,d ignored; %,d lines of the file are no events%n", sent, rejected,
                ignored, unsent);
        Map<Dataset, Long> counted = new LinkedHashMap<>();
        for (Dataset dataset : datasets.all()) {
            long events = counter(metrics, "windrow_writer_events_aggregated_total", "dataset=\"" + dataset.name() + "\"");
            out.printf("  %,d counted in %s%n", events, dataset.name());
            if (events > 0) {
                counted.put(dataset, events);
            }
        }
        if (rejected + unsent > 0) {
            out.println("Lines that are not counted");
            bad.sentences(rejected + unsent).forEach(sentence -> out.println("  " + sentence));
        }
        // A page, or any query of all labels, needs an index.
        Optional<Dataset> largest = counted.entrySet().stream()
                .max(Comparator.comparing((Map.Entry<Dataset, Long> entry) -> !entry.getKey().index().isEmpty())
                        .thenComparing(Map.Entry::getValue))
                .map(Map.Entry::getKey);
        return new Result(largest, rejected == 0 && unsent == 0);
    }

    /** The sum of a counter over all its tags, or over those with one value of a tag; 0 if there is none. */
    private static long counter(String metrics, String name, String tagAndValue) {
        Pattern sample = Pattern.compile("^" + name + "(\\{[^}]*}|) ([0-9.eE+]+)$", Pattern.MULTILINE);
        return Math.round(sample.matcher(metrics).results().filter(match -> match.group(1).contains(tagAndValue))
                .mapToDouble(match -> Double.parseDouble(match.group(2))).sum());
    }
}
