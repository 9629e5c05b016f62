package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.MemoryQueue;
import dev.windrow.bench.server.Meter;
import dev.windrow.bench.server.QueuedBody;
import dev.windrow.bench.server.SqsServer;

/** A consumer of messages under measurement: one or more processes that share a queue and a table of their own. */
record MeasuredConsumer(String name, List<Child> processes, MemoryQueue queue, SqsServer sqs, DynamoDbServer dynamoDb)
        implements
            AutoCloseable {

    /** Rates of backlogs, by the sent times of their messages. */
    private static final double BACKLOG_SINGLES_PER_SECOND = 10_000;
    private static final double BACKLOG_BATCHES_PER_SECOND = 1_000;

    private static final String QUEUE = "windrow-events";
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int WIDTH = 10;
    private static final int POLLERS = 4;
    private static final int CONCURRENCY = 64;

    /** Starts Windrow's writers. */
    static MeasuredConsumer writers(Lab lab, String name, List<String> granularities, DynamoDbServer dynamoDb,
            List<String> properties, int count) {
        SqsServer sqs = sqs(lab);
        List<String> all = new ArrayList<>(List.of(lab.datasets(Events.dataset(WIDTH, granularities)),
                "-Dquarkus.sqs.endpoint-override=" + sqs.endpoint(),
                "-Dquarkus.dynamodb.endpoint-override=" + dynamoDb.endpoint()));
        all.addAll(properties);
        return new MeasuredConsumer(name, IntStream.range(0, count)
                .mapToObj(i -> lab.service(name + (i == 0 ? "" : "-" + i), Lab.WRITER, all)).toList(),
                sqs.queue(QUEUE), sqs, dynamoDb);
    }

    private static SqsServer sqs(Lab lab) {
        SqsServer sqs = new SqsServer(lab.vertx());
        sqs.queue(QUEUE);
        sqs.queue(QUEUE + "-dlq");
        return sqs;
    }

    /** Starts a baseline with the asynchronous SDK; {@code window} matters only to the kind that has one. */
    static MeasuredConsumer baseline(Lab lab, String name, String kind, DynamoDbServer dynamoDb, List<String> granularities,
            Duration window) {
        SqsServer sqs = sqs(lab);
        Child child = lab.baseline(name, "Consumer", List.of(kind, sqs.endpoint().toString(), sqs.url(QUEUE),
                dynamoDb.endpoint().toString(), Integer.toString(POLLERS), Integer.toString(CONCURRENCY),
                String.join(",", granularities), Long.toString(window.toMillis())));
        child.ask("ready");
        return new MeasuredConsumer(name, List.of(child), sqs.queue(QUEUE), sqs, dynamoDb);
    }

    /** Runs one round: sends a backlog and waits until it is consumed to the last message. */
    Round consume(List<QueuedBody> bodies, int eventsOfEach) {
        Meter.Reading before = table();
        Usage usage = Usage.of(processes, () -> awaitDeleted(bodies.size(),
                () -> queue.sendBacklog(bodies, eventsOfEach == 1 ? BACKLOG_SINGLES_PER_SECOND : BACKLOG_BATCHES_PER_SECOND)));
        return new Round(usage, table().since(before));
    }

    /** Sends backlogs until this much processor time has been used, as a warm-up for the compiler. */
    void consumeFor(Duration processorTime, List<QueuedBody> bodies, int eventsOfEach) {
        Duration end = Usage.processor(processes).plus(processorTime);
        while (Usage.processor(processes).compareTo(end) < 0) {
            consume(bodies, eventsOfEach);
        }
    }

    /** Sends messages at a steady rate and waits until they are consumed. */
    void follow(List<QueuedBody> bodies, double perSecond) {
        awaitDeleted(bodies.size(), () -> feed(bodies, perSecond));
    }

    private void awaitDeleted(int messages, Runnable send) {
        long target = queue.deleted() + messages;
        send.run();
        Lab.until(name + " consumes " + messages + " messages", LIMIT, () -> queue.deleted() >= target);
    }

    /** Sends messages at a steady rate, a group every few milliseconds. */
    void feed(List<QueuedBody> bodies, double perSecond) {
        long start = System.nanoTime();
        for (int i = 0; i < bodies.size();) {
            int due = Math.min(bodies.size(), 1 + (int) ((System.nanoTime() - start) / 1e9 * perSecond));
            queue.send(bodies.subList(i, due));
            i = due;
            Lab.pause(Duration.ofMillis(2));
        }
    }

    /** Terminates the processes like an orchestrator and waits for their end; returns the table's counts since a reading. */
    Meter.Reading stopped(Meter.Reading before) {
        processes.forEach(Child::close);
        return table().since(before);
    }

    long events(String granularity) {
        return dynamoDb.table().items().entrySet().stream().filter(item -> item.getKey().sort().startsWith(granularity + "#"))
                .mapToLong(item -> item.getValue().path("m_events").path("N").asLong()).sum();
    }

    /** Returns the table's counts so far. */
    Meter.Reading table() {
        return dynamoDb.table().meter().read();
    }

    @Override
    public void close() {
        processes.forEach(Child::close);
        sqs.close();
        dynamoDb.close();
    }
}
