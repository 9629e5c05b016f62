package dev.windrow.bench.experiment;

import java.util.List;

import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.Meter;
import dev.windrow.bench.table.Outcome;

/** How often claims of several writers meet, and whether all is counted once. */
final class ManyWriters implements Experiment {

    private static final int WRITERS = 8;
    private static final int EVENTS_PER_SECOND = 2_000;
    private static final String TRANSACTION = "TransactWriteItems";

    @Override
    public Found run(Lab lab) {
        int warmUp = (lab.quick() ? 20 : 90) * EVENTS_PER_SECOND;
        int counted = (lab.quick() ? 20 : 60) * EVENTS_PER_SECOND;
        int events = warmUp + counted;
        List<Body> bodies = Events.clicks(lab.random("writers")).messages(events, 1);
        try (MeasuredConsumer writers = MeasuredConsumer.writers(lab, "writers", DatasetFile.clicks(),
                DynamoDbServer.start(lab.vertx()), List.of(), WRITERS)) {
            writers.dynamoDb().setLatency(lab.tableLatency());
            // Eight processes that compile what they run, all at once, do not claim when they mean to.
            writers.follow(bodies.subList(0, warmUp), EVENTS_PER_SECOND);
            Meter.Reading before = writers.table();
            writers.follow(bodies.subList(warmUp, events), EVENTS_PER_SECOND);
            Meter.Reading found = writers.table().since(before);
            writers.stopped(before);
            double failed = found.failed(TRANSACTION, Outcome.CONFLICT);
            double claims = found.requests(TRANSACTION) - failed;
            return Found.of(List.of("claims", "conflicts retried", "share, %", "conditions failed", "events sent",
                    "events counted", "write units per event"),
                    List.of(List.of(claims, failed, 100 * failed / claims, found.failed(TRANSACTION, Outcome.CONDITION_FAILED),
                            events, writers.events("minute"), found.units() / counted)),
                    List.of(Target.atMost("writers.conflicts", "conflicts retried over claims, 8 writers", failed / claims,
                            0.02),
                            Target.atMost("writers.exact", "events counted wrong, 8 writers",
                                    Math.abs(writers.events("minute") - (double) events), 0)));
        }
    }
}
