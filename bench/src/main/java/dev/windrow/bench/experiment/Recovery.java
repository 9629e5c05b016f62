package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.page.Found;
import dev.windrow.bench.page.Target;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.ItemKey;
import dev.windrow.bench.server.QueuedBody;

/** Time from killing a writer until another one has applied everything that it had claimed. */
final class Recovery implements Experiment {

    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int LEASE_SECONDS = 20;
    /** Speed-up of the stream with the long journal. */
    private static final int SPEED = 5;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    /** Longer than a receive waits: pending receives of the killed writer would swallow redelivered messages. */
    private static final Duration REDELIVERED_AFTER = Duration.ofSeconds(6);

    @Override
    public Found run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        double failover = failover(lab, rows);
        double journal = journal(lab, rows);
        return new Found(List.of("case", "seconds until everything was in the buckets", "events"), rows,
                List.of(Target.atMost("recovery.failover", "seconds from the kill to everything applied, lease of 20 s",
                        failover, 1.5 * LEASE_SECONDS),
                        Target.atMost("recovery.journal", "seconds to recover 5 minutes of journal", journal, 10)));
    }

    private static double failover(Lab lab, List<List<Object>> rows) {
        try (MeasuredConsumer writers = MeasuredConsumer.writers(lab, "recovery", List.of("minute"),
                new DynamoDbServer(lab.vertx()), List.of("-Dwindrow.writer.journal.write-every.minute=2s"), 2)) {
            writers.dynamoDb().setLatency(lab.tableLatency());
            List<QueuedBody> bodies = bodies(lab, 10 * EVENTS_PER_SECOND);
            writers.feed(bodies, EVENTS_PER_SECOND / (double) Events.BATCHED);
            long start = System.nanoTime();
            writers.processes().get(0).kill();
            Lab.pause(REDELIVERED_AFTER);
            writers.queue().redeliver();
            return recovered(rows, "two writers, one killed", writers, "minute", bodies.size(), start);
        }
    }

    private static double journal(Lab lab, List<List<Object>> rows) {
        DynamoDbServer table = new DynamoDbServer(lab.vertx());
        List<String> settings = List.of("-Dwindrow.writer.aggregate.max-age=" + Duration.ofSeconds(1).dividedBy(SPEED),
                "-Dwindrow.writer.journal.write-every.minute=1s", "-Dwindrow.writer.journal.write-every.day=10m");
        List<QueuedBody> bodies = bodies(lab, 300 * EVENTS_PER_SECOND);
        List<String> granularities = List.of("minute", "day");
        try (MeasuredConsumer first = MeasuredConsumer.writers(lab, "journal", granularities, table, settings, 1)) {
            table.setLatency(lab.tableLatency());
            first.follow(bodies, EVENTS_PER_SECOND * SPEED / (double) Events.BATCHED);
            first.processes().get(0).kill();
            long epoch = epoch(table);
            try (MeasuredConsumer second = MeasuredConsumer.writers(lab, "heir", granularities, table, settings, 1)) {
                Lab.until("the lane is taken over", LIMIT, () -> epoch(table) > epoch);
                return recovered(rows, "5 minutes of journal", second, "day", bodies.size(), System.nanoTime());
            }
        }
    }

    private static long epoch(DynamoDbServer table) {
        return table.table().get(new ItemKey("~lane#0", "lane")).path("epoch").path("N").asLong();
    }

    private static double recovered(List<List<Object>> rows, String name, MeasuredConsumer writers, String granularity,
            int messages, long start) {
        long events = (long) messages * Events.BATCHED;
        Lab.until(name, LIMIT, () -> writers.events(granularity) >= events);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (writers.events(granularity) != events) {
            throw new IllegalStateException(name + ": expected " + events + " events, found " + writers.events(granularity));
        }
        rows.add(List.of(name, seconds, events));
        return seconds;
    }

    private static List<QueuedBody> bodies(Lab lab, int events) {
        return Events.clicks(lab.random("recovery"), Events.LABELS).messages(events / Events.BATCHED, Events.BATCHED);
    }
}
