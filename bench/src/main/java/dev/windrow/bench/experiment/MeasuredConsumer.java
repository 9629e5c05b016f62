package dev.windrow.bench.experiment;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
 * @param processes the consumer; several share queue and table
 * @param queue where its messages come from
 * @param sqs serves the queue
 * @param dynamoDb serves its table
 */
record MeasuredConsumer(String name, List<Child> processes, MemoryQueue queue, SqsServer sqs, DynamoDbServer dynamoDb)
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
     * @param kernel the part of it that is the kernel's
     * @param wall until the last message was deleted
     * @param harness processor time of the harness meanwhile, servers included
     * @param table the requests to its table
     */
    record Round(Duration processor, Duration kernel, Duration wall, Duration harness, Meter.Reading table) {
    }

    /** Windrow's writer, with a table that throttles nothing. */
    static MeasuredConsumer writer(Lab lab, Service service, String name, DatasetFile datasets) {
        return writers(lab, service, name, datasets, DynamoDbServer.start(lab.vertx()), List.of(), 1);
    }

    /** Windrow's writers. */
    static MeasuredConsumer writers(Lab lab, Service service, String name, DatasetFile datasets, DynamoDbServer dynamoDb,
            List<String> properties, int count) {
        SqsServer sqs = SqsServer.start(lab.vertx());
        MemoryQueue queue = sqs.queue(QUEUE);
        sqs.queue(QUEUE + "-dlq");
        List<String> all = new ArrayList<>(properties);
        all.add(datasets.property(lab.work()));
        all.add("-Dquarkus.sqs.endpoint-override=" + sqs.endpoint());
        all.add("-Dquarkus.dynamodb.endpoint-override=" + dynamoDb.endpoint());
        List<Child> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            processes.add(lab.service(name + (i == 0 ? "" : "-" + i), service, Lab.freePort(), all));
        }
        return new MeasuredConsumer(name, processes, queue, sqs, dynamoDb);
    }

    /** A baseline with the asynchronous SDK, which counts minutes in windows of a second if it has windows. */
    static MeasuredConsumer baseline(Lab lab, String name, String kind) {
        return baseline(lab, name, kind, DynamoDbServer.start(lab.vertx()), List.of("minute"), Duration.ofSeconds(1));
    }

    /** A baseline with the asynchronous SDK. */
    static MeasuredConsumer baseline(Lab lab, String name, String kind, DynamoDbServer dynamoDb, List<String> granularities,
            Duration window) {
        SqsServer sqs = SqsServer.start(lab.vertx());
        MemoryQueue queue = sqs.queue(QUEUE);
        Child child = lab.consumer(name, "Consumer", List.of(kind, sqs.endpoint().toString(), sqs.url(QUEUE),
                dynamoDb.endpoint().toString(), Integer.toString(POLLERS), Integer.toString(CONCURRENCY),
                String.join(",", granularities), Long.toString(window.toMillis())));
        child.ask("ready");
        return new MeasuredConsumer(name, List.of(child), queue, sqs, dynamoDb);
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
        Duration kernel = kernel();
        Duration harness = ProcessorTime.own();
        long start = System.nanoTime();
        queue.sendBacklog(bodies, BACKLOG_EVENTS_PER_SECOND / eventsOfEach);
        Wait.until(name + " consumes " + bodies.size() + " messages", LIMIT, () -> queue.deleted() >= target);
        Duration wall = Duration.ofNanos(System.nanoTime() - start);
        return new Round(processor().minus(processor), kernel().minus(kernel), wall, ProcessorTime.own().minus(harness),
                table().since(before));
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
     * Lets it consume messages as they arrive, one group of messages every few milliseconds.
     *
     * @param perSecond messages a second
     */
    void follow(List<Body> bodies, double perSecond) {
        long target = queue.deleted() + bodies.size();
        feed(bodies, perSecond);
        Wait.until(name + " follows " + bodies.size() + " messages", LIMIT, () -> queue.deleted() >= target);
    }

    /** Sends messages at a steady rate. */
    void feed(List<Body> bodies, double perSecond) {
        long start = System.nanoTime();
        for (int i = 0; i < bodies.size();) {
            int due = Math.min(bodies.size(), 1 + (int) ((System.nanoTime() - start) / 1e9 * perSecond));
            queue.send(bodies.subList(i, due));
            i = due;
            Wait.pause(Duration.ofMillis(2));
        }
    }

    /** Ends it as an orchestrator does, and waits until it has ended. */
    Meter.Reading stopped(Meter.Reading before) {
        processes.forEach(Child::close);
        return table().since(before);
    }

    /** The sum of a measure over all buckets of a granularity. */
    long sum(String granularity, String measure) {
        return dynamoDb.items().entrySet().stream().filter(item -> item.getKey().sort().startsWith(granularity + "#"))
                .mapToLong(item -> ((BigDecimal) Objects.requireNonNull(item.getValue().get("m_" + measure)).content())
                        .longValueExact())
                .sum();
    }

    /** What its table has counted so far. */
    Meter.Reading table() {
        return dynamoDb.meter().read();
    }

    /** Processor time that its processes have used so far. */
    Duration processor() {
        return processes.stream().map(process -> ProcessorTime.of(process.pid())).reduce(Duration.ZERO, Duration::plus);
    }

    private Duration kernel() {
        return processes.stream().map(process -> ProcessorTime.ofKernel(process.pid())).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        processes.forEach(Child::close);
        sqs.close();
        dynamoDb.close();
    }
}
