package dev.windrow.quickstart;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.quickstart.WriterClient.DeadLetter;
import dev.windrow.quickstart.EventMessages.Message;

/** A file of events: posts them, waits until they are counted, and says which lines are not, and why. */
final class OwnEvents {

    private final Path file;
    private final Datasets datasets;
    private final PrintStream out;

    OwnEvents(Path file, Datasets datasets, PrintStream out) {
        this.file = file;
        this.datasets = datasets;
        this.out = out;
    }

    /**
     * Posts the events and reports.
     *
     * @throws IllegalArgumentException if there are none
     * @throws IllegalStateException if they are not counted within the time of {@link Replay}
     */
    Result count(Replay replay, GatherClient gather, WriterClient writer) throws InterruptedException {
        BadLines bad = new BadLines();
        Map<String, Message> posted = new HashMap<>();
        long sent;
        try (EventLines lines = EventLines.open(file, bad)) {
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
        for (DeadLetter letter : writer.deadLetters()) {
            add(bad, letter, posted.get(letter.message()));
        }
        return report(writer, sent, unsent, bad);
    }

    private static void add(BadLines bad, DeadLetter letter, @Nullable Message message) {
        if (message == null) {
            return;
        }
        if (letter.position() >= 0 && letter.position() < message.events()) {
            bad.add(message.first() + letter.position(), letter.reason());
        } else if (message.events() == 1) {
            bad.add(message.first(), letter.reason());
        } else {
            bad.add(message.first(), letter.reason() + " (somewhere in lines " + message.first() + " to "
                    + (message.first() + message.events() - 1) + ")");
        }
    }

    /**
     * What became of the events.
     *
     * @param largest the dataset that most of them count in, rather one with an index; empty if there is none
     * @param allGood whether no line was rejected
     */
    record Result(Optional<Dataset> largest, boolean allGood) {
    }

    private Result report(WriterClient writer, long sent, long unsent, BadLines bad) {
        long rejected = writer.counter("windrow_writer_dead_letters_total", "");
        long ignored = writer.counter("windrow_writer_events_ignored_total", "");
        Map<Dataset, Long> counted = new HashMap<>();
        datasets.all().forEach(dataset -> counted.put(dataset,
                writer.counter("windrow_writer_events_aggregated_total", "dataset=\"" + dataset.name() + "\"")));
        out.printf("%n%,d events sent: %,d rejected, %,d ignored; %,d lines of the file are no events%n", sent, rejected,
                ignored,
                unsent);
        datasets.all().forEach(dataset -> out.printf("  %,d counted in %s%n", counted.get(dataset), dataset.name()));
        if (rejected + unsent > 0) {
            out.println("Lines that are not counted");
            bad.sentences(rejected + unsent).forEach(sentence -> out.println("  " + sentence));
        }
        // A page, or any query of all labels, needs an index.
        Optional<Dataset> largest = datasets.all().stream().filter(dataset -> counted.getOrDefault(dataset, 0L) > 0)
                .max(Comparator.comparing((Dataset dataset) -> !dataset.index().isEmpty())
                        .thenComparing(dataset -> counted.getOrDefault(dataset, 0L)));
        return new Result(largest, rejected == 0 && unsent == 0);
    }
}
