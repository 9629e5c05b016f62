package dev.windrow.bench.experiment;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.Meter;

/** Write units of the writer that follows a steady stream, by delivery. */
final class SteadyCost implements Experiment {

    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int SECONDS = 20;

    @Override
    public String id() {
        return "steady";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        for (int eventsOfEach : new int[] { 1, WriterCost.BATCHED }) {
            String load = WriterCost.load(eventsOfEach);
            double ratio = units(rows, lab, eventsOfEach, DatasetFile.EXACTLY_ONCE)
                    / units(rows, lab, eventsOfEach, DatasetFile.AT_LEAST_ONCE);
            targets.add(Target.atMost("steady." + eventsOfEach,
                    "write units of exactly once over at least once, steady stream, " + load, ratio, 3));
        }
        return new Section(id(), "Writer: write units of a steady stream", """
                2,000 events a second of 200 referrers for 20 s, consumed as they arrive; one granularity, indexed, and flushes
                each second. At least once costs 2 units for a flush of a referrer; exactly once 2 (1 + S) + 1, where S is
                the number of ledger slots (seconds) that a flush touches.
                """, List.of(new Table("", List.of("load", "delivery", "events per upsert", "write units per event",
                "other items per upsert"), rows)), targets);
    }

    private static double units(List<List<Object>> rows, Lab lab, int eventsOfEach, String delivery) {
        int events = lab.amount(SECONDS) * EVENTS_PER_SECOND;
        List<Body> bodies = Events.clicks(lab.random("steady" + eventsOfEach), WriterCost.LABELS)
                .messages(events / eventsOfEach, eventsOfEach);
        try (MeasuredConsumer writer = MeasuredConsumer.writer(lab, Service.WRITER, "steady, " + delivery,
                DatasetFile.clicks(delivery, 1))) {
            Meter.Reading written = writer.follow(bodies, (double) EVENTS_PER_SECOND / eventsOfEach);
            double upserts = written.upserts();
            rows.add(List.of(WriterCost.load(eventsOfEach), delivery, events / upserts, written.units() / events,
                    (written.writes() - upserts) / upserts));
            return written.units();
        }
    }
}
