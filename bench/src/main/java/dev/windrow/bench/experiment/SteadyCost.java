package dev.windrow.bench.experiment;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.queue.Body;
import dev.windrow.bench.table.Meter;
import dev.windrow.bench.wire.DynamoDbServer;

/** Write units of the writer that follows a steady stream, by delivery. */
final class SteadyCost implements Experiment {

    private static final int LABELS = 200;
    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int SECONDS = 20;
    private static final int BATCHED = 100;

    @Override
    public String id() {
        return "steady";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        double singles = ratio(rows, lab, 1);
        double batches = ratio(rows, lab, BATCHED);
        return new Section(id(), "Writer: write units of a steady stream", """
                2,000 events a second of 200 referrers for 20 s, as they are sent; one granularity, indexed, and flushes
                each second. At least once costs 2 units for a flush of a referrer; exactly once 2 (1 + S) + 1, where S is
                the number of ledger slots (seconds) that a flush touches.
                """, List.of(
                new Table("", List.of("load", "delivery", "events per upsert", "write units per event", "slots per flush"),
                        rows)),
                List.of(),
                List.of(target("1 event per message", "steady.1", singles),
                        target("100 events per message", "steady.100", batches)));
    }

    private static Target target(String load, String id, double ratio) {
        return Target.atMost(id, "write units of exactly once over at least once, steady stream, " + load, ratio, 3);
    }

    /** Write units of exactly once over those of at least once. */
    private static double ratio(List<List<Object>> rows, Lab lab, int eventsOfEach) {
        return units(rows, lab, eventsOfEach, "exactly-once") / units(rows, lab, eventsOfEach, "at-least-once");
    }

    private static double units(List<List<Object>> rows, Lab lab, int eventsOfEach, String delivery) {
        int events = lab.amount(SECONDS) * EVENTS_PER_SECOND;
        List<Body> bodies = Events.clicks(lab.random("steady" + eventsOfEach), LABELS).messages(events / eventsOfEach,
                eventsOfEach);
        try (Consumer writer = Consumer.writer(lab, Service.WRITER, "steady, " + delivery,
                DatasetFile.clicks(10, delivery, 1), DynamoDbServer.Options.unlimited(), 1, List.of())) {
            Meter.Reading written = writer.follow(bodies, (double) EVENTS_PER_SECOND / eventsOfEach);
            double upserts = written.indexedWrites();
            double units = written.tableUnits() + written.indexUnits();
            rows.add(List.of(eventsOfEach + (eventsOfEach == 1 ? " event" : " events") + " per message", delivery,
                    events / upserts, units / events, (written.writes() - upserts) / upserts));
            return units;
        }
    }
}
