package dev.windrow.bench.experiment;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.table.Key;
import dev.windrow.bench.table.Value;

/** How long after a writer was killed another one has applied all that it had claimed. */
final class Recovery implements Experiment {

    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int LEASE_SECONDS = 20;
    /** The stream with the long journal runs that much faster than its own time. */
    private static final int SPEED = 5;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration REDELIVERED_AFTER = Duration.ofSeconds(1);

    @Override
    public String id() {
        return "recovery";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        double failover = failover(lab, rows);
        double journal = journal(lab, rows);
        return new Section(id(), "Writer: recovery",
                """
                        Killed with SIGKILL; the lease is %d s, the default: another writer takes a lane over when it has seen no sign of
                        life for that long. First: two writers at 2,000 events a second, one of them killed within the stream; the
                        messages that it held are delivered again a second later. Second: a writer whose day buckets lack 5 minutes
                        of journal (300 records of 2,000 events each, written at five times the speed), killed; counted from the
                        moment that another writer has taken its lane over. A table that answers after 4 to 10 ms.
                        """
                        .formatted(LEASE_SECONDS),
                List.of(new Table("", List.of("case", "seconds until everything was in the buckets", "events"), rows)),
                List.of(Target.atMost("recovery.failover", "seconds from the kill to everything applied, lease of 20 s",
                        failover,
                        1.5 * LEASE_SECONDS),
                        Target.atMost("recovery.journal", "seconds to recover 5 minutes of journal", journal, 10)));
    }

    private static double failover(Lab lab, List<List<Object>> rows) {
        DynamoDbServer table = DynamoDbServer.start(lab.vertx());
        try (MeasuredConsumer writers = MeasuredConsumer.writers(lab, Service.WRITER, "recovery", DatasetFile.clicks(), table,
                List.of(), 2)) {
            table.setLatency(ManyWriters.tableLatency(lab));
            List<Body> bodies = bodies(lab, 10 * EVENTS_PER_SECOND);
            writers.feed(bodies, EVENTS_PER_SECOND / (double) WriterCost.BATCHED);
            long start = System.nanoTime();
            writers.processes().get(0).kill();
            Wait.pause(REDELIVERED_AFTER);
            writers.queue().redeliver();
            return recovered(rows, "two writers, one killed", writers, "minute", bodies.size(), start);
        }
    }

    private static double journal(Lab lab, List<List<Object>> rows) {
        DynamoDbServer table = DynamoDbServer.start(lab.vertx());
        List<String> settings = List.of("-Dwindrow.writer.aggregate.max-age=" + Duration.ofSeconds(1).dividedBy(SPEED),
                "-Dwindrow.writer.journal.write-every.minute=1s", "-Dwindrow.writer.journal.write-every.day=10m");
        List<Body> bodies = bodies(lab, 300 * EVENTS_PER_SECOND);
        DatasetFile datasets = DatasetFile.clicks(List.of("minute", "day"));
        try (MeasuredConsumer first = MeasuredConsumer.writers(lab, Service.WRITER, "journal", datasets, table, settings, 1)) {
            table.setLatency(ManyWriters.tableLatency(lab));
            first.follow(bodies, EVENTS_PER_SECOND * SPEED / (double) WriterCost.BATCHED);
            first.processes().get(0).kill();
            long epoch = epoch(table.items());
            try (MeasuredConsumer second = MeasuredConsumer.writers(lab, Service.WRITER, "heir", datasets, table, settings,
                    1)) {
                Wait.until("the lane is taken over", LIMIT, () -> epoch(table.items()) > epoch);
                return recovered(rows, "5 minutes of journal", second, "day", bodies.size(), System.nanoTime());
            }
        }
    }

    private static long epoch(Map<Key, Map<String, Value>> items) {
        Value epoch = items.getOrDefault(new Key("~lane#0", "lane"), Map.of()).get("epoch");
        return epoch == null ? 0 : ((BigDecimal) epoch.content()).longValueExact();
    }

    private static double recovered(List<List<Object>> rows, String name, MeasuredConsumer writers, String granularity,
            int messages, long start) {
        long events = (long) messages * WriterCost.BATCHED;
        Wait.until(name, LIMIT, () -> writers.sum(granularity, "events") >= events);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (writers.sum(granularity, "events") != events) {
            throw new IllegalStateException(name + ": expected " + events + " events, found "
                    + writers.sum(granularity, "events"));
        }
        rows.add(List.of(name, seconds, events));
        return seconds;
    }

    private static List<Body> bodies(Lab lab, int events) {
        return Events.clicks(lab.random("recovery"), WriterCost.LABELS).messages(events / WriterCost.BATCHED,
                WriterCost.BATCHED);
    }
}
