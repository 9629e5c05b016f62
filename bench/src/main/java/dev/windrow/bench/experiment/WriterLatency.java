package dev.windrow.bench.experiment;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.table.Key;

/** How long it takes from sending an event until its bucket has it. */
final class WriterLatency implements Experiment {

    private static final int EVENTS_PER_SECOND = 2_000;
    /** One in so many events is watched. */
    private static final int WATCHED = 50;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private record Watched(Key bucket, long sentAt) {
    }

    @Override
    public String id() {
        return "latency";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        try (MeasuredConsumer writer = MeasuredConsumer.writers(lab, "writer", DatasetFile.clicks(),
                DynamoDbServer.start(lab.vertx()), List.of(), 1)) {
            rows.add(row(lab, writer, DatasetFile.name(10)));
        }
        try (MeasuredConsumer window = MeasuredConsumer.baseline(lab, "windows, at least once", "window",
                DynamoDbServer.start(lab.vertx()), List.of("minute"), Duration.ofSeconds(1))) {
            rows.add(row(lab, window, "clicks"));
        }
        return Section.of(id(), List.of(new Table("", List.of("consumer", "median ms", "p99 ms"), rows)), List.of());
    }

    private static List<Object> row(Lab lab, MeasuredConsumer consumer, String dataset) {
        consumer.dynamoDb().setLatency(lab.tableLatency());
        Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES);
        List<Body> pool = Events.clicks(lab.random("latency")).messages(10_000, 1);
        int events = (lab.quick() ? 10 : 40) * EVENTS_PER_SECOND;
        consumer.follow(pool, EVENTS_PER_SECOND);
        Deque<Watched> waiting = new ArrayDeque<>();
        List<Double> millis = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < events;) {
            int due = Math.min(events, 1 + (int) ((System.nanoTime() - start) / 1e9 * EVENTS_PER_SECOND));
            for (; i < due; i++) {
                if (i % WATCHED == 0) {
                    String label = "watched" + i;
                    waiting.add(new Watched(new Key("default#" + dataset + "#" + label + "#0", "minute#" + minute),
                            System.nanoTime()));
                    consumer.queue().send(new Events(lab.random(label), minute, () -> label).messages(1, 1));
                } else {
                    consumer.queue().send(List.of(pool.get(i % pool.size())));
                }
            }
            Wait.pause(Duration.ofMillis(1));
            look(consumer, waiting, millis);
        }
        Wait.until(consumer.name() + " has written everything", LIMIT, () -> look(consumer, waiting, millis));
        return List.of(consumer.name(), Numbers.median(millis), Numbers.percentile(millis, 99));
    }

    /** Whether nothing is waited for any more. */
    private static boolean look(MeasuredConsumer consumer, Deque<Watched> waiting, List<Double> millis) {
        waiting.removeIf(watched -> !consumer.dynamoDb().item(watched.bucket()).isEmpty()
                && millis.add((System.nanoTime() - watched.sentAt()) / 1e6));
        return waiting.isEmpty();
    }
}
