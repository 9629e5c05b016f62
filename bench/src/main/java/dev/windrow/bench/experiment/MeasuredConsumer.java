package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.process.Child;
import dev.windrow.bench.process.ProcessorTime;
import dev.windrow.bench.server.Body;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.MemoryQueue;
import dev.windrow.bench.server.Meter;
import dev.windrow.bench.server.SqsServer;

/**
 * A consumer of messages under measurement, with a queue and a table of its own.
 *
 * @param name in the page
 * @param process the consumer
 * @param queue where its messages come from
 * @param sqs serves the queue
 * @param dynamoDb serves its table
 */
record MeasuredConsumer(String name, Child process, MemoryQueue queue, SqsServer sqs, DynamoDbServer dynamoDb)
        implements
            AutoCloseable {

    /** The rate at which backlogs were sent, as the sent times of their messages say. */
    static final double BACKLOG_EVENTS_PER_SECOND = 100_000;

    private static final String QUEUE = "windrow-events";
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int POLLERS = 4;
    private static final int CONCURRENCY = 64;

    /**
     * What one round used.
     *
     * @param processor of the consumer
     * @param wall until the last message was deleted
     * @param harness processor time of the harness meanwhile, servers included
     * @param table the requests to its table
     */
    record Round(Duration processor, Duration wall, Duration harness, Meter.Reading table) {
    }

    /** Windrow's writer, with a table that throttles nothing. */
    static MeasuredConsumer writer(Lab lab, Service service, String name, DatasetFile datasets) {
        return writer(lab, service, name, datasets, DynamoDbServer.start(lab.vertx()), List.of());
    }

    /** Windrow's writer. */
    static MeasuredConsumer writer(Lab lab, Service service, String name, DatasetFile datasets, DynamoDbServer dynamoDb,
            List<String> properties) {
        SqsServer sqs = SqsServer.start(lab.vertx());
        MemoryQueue queue = sqs.queue(QUEUE);
        sqs.queue(QUEUE + "-dlq");
        List<String> all = new ArrayList<>(properties);
        all.add(datasets.property(lab.work()));
        all.add("-Dquarkus.sqs.endpoint-override=" + sqs.endpoint());
        all.add("-Dquarkus.dynamodb.endpoint-override=" + dynamoDb.endpoint());
        return new MeasuredConsumer(name, lab.service(name, service, Lab.freePort(), all), queue, sqs, dynamoDb);
    }

    /** A baseline with the asynchronous SDK: idle, plain or unscattered. */
    static MeasuredConsumer baseline(Lab lab, String name, String kind, DynamoDbServer dynamoDb) {
        SqsServer sqs = SqsServer.start(lab.vertx());
        MemoryQueue queue = sqs.queue(QUEUE);
        Child child = lab.consumer(name, "Consumer", List.of(kind, sqs.endpoint().toString(), sqs.url(QUEUE),
                dynamoDb.endpoint().toString(), Integer.toString(POLLERS), Integer.toString(CONCURRENCY)));
        child.ask("ready");
        return new MeasuredConsumer(name, child, queue, sqs, dynamoDb);
    }

    /**
     * Lets it consume a backlog to the last message.
     *
     * @param eventsOfEach events of each message: the backlog was sent at {@link #BACKLOG_EVENTS_PER_SECOND}
     */
    Round consume(List<Body> bodies, int eventsOfEach) {
        long target = queue.deleted() + bodies.size();
        Meter.Reading before = table();
        Duration processor = processor();
        Duration harness = ProcessorTime.own();
        long start = System.nanoTime();
        queue.sendBacklog(bodies, BACKLOG_EVENTS_PER_SECOND / eventsOfEach);
        Wait.until(name + " consumes " + bodies.size() + " messages", LIMIT, () -> queue.deleted() >= target);
        Duration wall = Duration.ofNanos(System.nanoTime() - start);
        return new Round(processor().minus(processor), wall, ProcessorTime.own().minus(harness), table().since(before));
    }

    /**
     * Lets it consume backlogs until it has used so much processor time: a warm-up, as the compiler alone uses some ten
     * seconds.
     */
    void consumeFor(Duration processorTime, List<Body> bodies, int eventsOfEach) {
        Duration end = processor().plus(processorTime);
        while (processor().compareTo(end) < 0) {
            consume(bodies, eventsOfEach);
        }
    }

    /**
     * Lets it consume messages as they arrive.
     *
     * @param perSecond messages a second
     * @return what was written for them
     */
    Meter.Reading follow(List<Body> bodies, double perSecond) {
        long target = queue.deleted() + bodies.size();
        Meter.Reading before = table();
        long start = System.nanoTime();
        for (int i = 0; i < bodies.size(); i++) {
            long due = start + (long) (i * 1e9 / perSecond);
            Wait.pause(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
            queue.send(List.of(bodies.get(i)));
        }
        Wait.until(name + " follows " + bodies.size() + " messages", LIMIT, () -> queue.deleted() >= target);
        return table().since(before);
    }

    /** What its table has counted so far. */
    Meter.Reading table() {
        return dynamoDb.meter().read();
    }

    private Duration processor() {
        return ProcessorTime.of(process.pid());
    }

    @Override
    public void close() {
        process.close();
        sqs.close();
        dynamoDb.close();
    }
}
