package dev.windrow.bench.experiment;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.partition.Formulas;
import dev.windrow.bench.queue.Body;
import dev.windrow.bench.wire.DynamoDbServer;

/** The write formula: 5,000 events at 2,000/s of 200 referrers in 1 s buckets are 500 writes. */
final class WriteFormula implements Experiment {

    private static final int EVENTS = 5_000;
    private static final int PER_SECOND = 2_000;
    private static final int LABELS = 200;
    private static final int EVENTS_OF_A_MESSAGE = 100;

    @Override
    public String id() {
        return "formula";
    }

    @Override
    public Section run(Lab lab) {
        DatasetFile datasets = new DatasetFile(List.of("clicks"), List.of("second"), List.of(10), "hash", "at-least-once",
                1);
        try (Consumer writer = Consumer.writer(lab, Service.WRITER, "formula", datasets, DynamoDbServer.Options.unlimited(), 1,
                List.of())) {
            double formula = Formulas.writes(EVENTS, PER_SECOND, LABELS, 1);
            List<List<Object>> rows = new ArrayList<>();
            double most = 0;
            double least = Double.MAX_VALUE;
            for (int batches : new int[] { 2, 4, 8 }) {
                Consumer.Round round = writer.consume(messages(lab, batches), EVENTS_OF_A_MESSAGE);
                double perBatch = (double) round.table().indexedWrites() / batches;
                if (batches < 8) {
                    most = Math.max(most, perBatch);
                    least = Math.min(least, perBatch);
                }
                rows.add(List.of(batches + " batches at once", batches * EVENTS, batches * formula,
                        round.table().indexedWrites(), perBatch));
            }
            long live = writer.follow(messages(lab, 4), (double) PER_SECOND / EVENTS_OF_A_MESSAGE).indexedWrites();
            rows.add(List.of("4 batches as they happen, 2,000 events/s", 4 * EVENTS, 4 * formula, live, live / 4.0));
            return new Section(id(), "Headline: the write formula",
                    """
                            The formula: events / events per second × referrers / seconds of a bucket. The writer is given messages
                            of 100 events, every referrer in every second. A batch of 2.5 s ends in the middle of a second, so
                            batches are counted in pairs. At once, the writer has each pair's events within one flush age (1 s),
                            and writes each bucket once: the formula exactly. As they happen, flushes fall into step with the
                            seconds: what is in the latest second's bucket waits for the rest of that second.
                            """,
                    List.of(new Table("", List.of("load", "events", "formula", "writes", "writes per batch of 5,000"), rows)),
                    List.of(),
                    List.of(Target.atMost("formula", "writes per batch of 5,000 events, 2 and 4 at once, the greater", most,
                            formula),
                            Target.atLeast("formula", "writes per batch of 5,000 events, 2 and 4 at once, the lesser", least,
                                    formula)));
        }
    }

    private static List<Body> messages(Lab lab, int batches) {
        Instant from = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(lab.random("formula").nextInt(1_000_000) * 100L);
        int messages = batches * EVENTS / EVENTS_OF_A_MESSAGE;
        Duration ofAMessage = Duration.ofMillis(1_000L * EVENTS_OF_A_MESSAGE / PER_SECOND);
        List<Body> bodies = new ArrayList<>();
        AtomicInteger event = new AtomicInteger();
        for (int i = 0; i < messages; i++) {
            bodies.addAll(new Events(lab.random("formula" + i), from.plus(ofAMessage.multipliedBy(i)), ofAMessage,
                    n -> "referrer-" + event.getAndIncrement() % LABELS).messages(1, EVENTS_OF_A_MESSAGE));
        }
        return bodies;
    }
}
