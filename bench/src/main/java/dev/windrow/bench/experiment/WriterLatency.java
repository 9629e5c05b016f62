package dev.windrow.bench.experiment;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.table.Key;

/** How long it takes from sending an event until its bucket has it, and until the gatherer answers with it. */
final class WriterLatency implements Experiment {

    private static final int EVENTS_PER_SECOND = 2_000;
    /** One in so many events is watched in the table, and one in ten of those is queried. */
    private static final int WATCHED = 50;
    private static final int QUERIED = 10 * WATCHED;
    private static final Duration QUERY_EVERY = Duration.ofMillis(10);
    /** Some ten wait at a time; a client that has to wait for a thread would make the answer later, not earlier. */
    private static final int MAX_CLIENTS = 16;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** As the baseline names it. */
    private static final String NAME = "clicks";
    private static final DatasetFile DATASET = new DatasetFile(
            DatasetFile.dataset(NAME, List.of("referrer"), List.of("minute"), 10, ""));

    private record Watched(Key bucket, long sentAt) {

        double millis() {
            return (System.nanoTime() - sentAt) / 1e6;
        }
    }

    @Override
    public Found run(Lab lab) {
        List<Object> writer = row(lab,
                MeasuredConsumer.writers(lab, "writer", DATASET, DynamoDbServer.start(lab.vertx()), List.of(), 1));
        List<Object> windows = row(lab, MeasuredConsumer.baseline(lab, "windows, at least once", "window",
                DynamoDbServer.start(lab.vertx()), List.of("minute"), Duration.ofSeconds(1)));
        return Found.of(List.of("consumer", "in the table: median ms", "in the table: p99 ms", "answered: median ms",
                "answered: p99 ms"), List.of(writer, windows), List.of());
    }

    private static List<Object> row(Lab lab, MeasuredConsumer consumer) {
        // The consumer is closed before the table.
        try (GatherStage stage = new GatherStage(lab, consumer.dynamoDb(), DATASET, List.of()); consumer) {
            consumer.dynamoDb().setLatency(lab.tableLatency());
            Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES);
            List<Body> pool = Events.clicks(lab.random("latency")).messages(10_000, 1);
            stage.way("warm-up", query("none", minute), 100).warmUp(lab.seconds(30));
            consumer.follow(pool, EVENTS_PER_SECOND);
            int events = (lab.quick() ? 10 : 60) * EVENTS_PER_SECOND;
            ExecutorService clients = Executors.newFixedThreadPool(MAX_CLIENTS);
            List<CompletableFuture<Double>> answers = new ArrayList<>();
            Deque<Watched> waiting = new ArrayDeque<>();
            List<Double> millis = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < events;) {
                int due = Math.min(events, 1 + (int) ((System.nanoTime() - start) / 1e9 * EVENTS_PER_SECOND));
                for (; i < due; i++) {
                    if (i % WATCHED == 0) {
                        String label = "watched" + i;
                        List<Body> message = new Events(lab.random(label), minute, () -> label).messages(1, 1);
                        Watched watched = new Watched(new Key("default#" + NAME + "#" + label + "#0", "minute#" + minute),
                                System.nanoTime());
                        waiting.add(watched);
                        consumer.queue().send(message);
                        if (i % QUERIED == 0) {
                            URI address = stage.uri(query(label, minute));
                            answers.add(CompletableFuture.supplyAsync(() -> answered(address, watched), clients));
                        }
                    } else {
                        consumer.queue().send(List.of(pool.get(i % pool.size())));
                    }
                }
                Wait.pause(Duration.ofMillis(1));
                look(consumer, waiting, millis);
            }
            clients.shutdown();
            Wait.until(consumer.name() + " has written everything", LIMIT, () -> look(consumer, waiting, millis));
            List<Double> answered = answers.stream().map(CompletableFuture::join).toList();
            return List.of(consumer.name(), Numbers.median(millis), Numbers.percentile(millis, 99), Numbers.median(answered),
                    Numbers.percentile(answered, 99));
        }
    }

    private static String query(String label, Instant minute) {
        return GatherStage.question(NAME, "buckets?granularity=minute&label=" + label + "&from=" + minute + "&to="
                + minute.plus(Duration.ofMinutes(1)));
    }

    /** Whether nothing is waited for any more. */
    private static boolean look(MeasuredConsumer consumer, Deque<Watched> waiting, List<Double> millis) {
        waiting.removeIf(watched -> !consumer.dynamoDb().item(watched.bucket()).isEmpty() && millis.add(watched.millis()));
        return waiting.isEmpty();
    }

    /** Queries until the bucket is in the answer; returns how long that took from sending its event. */
    private static double answered(URI address, Watched watched) {
        while (!Http.get(address).contains("\"items\":[{")) {
            if (watched.millis() > LIMIT.toMillis()) {
                throw new IllegalStateException(address + ": not answered within " + LIMIT.toSeconds() + " s");
            }
            Wait.pause(QUERY_EVERY);
        }
        return watched.millis();
    }
}
