package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.process.Child;
import dev.windrow.bench.process.ProcessorTime;
import dev.windrow.bench.queue.Body;
import dev.windrow.bench.queue.MemoryQueue;
import dev.windrow.bench.table.Meter;
import dev.windrow.bench.wire.DynamoDbServer;
import dev.windrow.bench.wire.SqsServer;

/**
 * A consumer of messages under measurement: processes that share a queue and a table of their own.
 *
 * @param name what the page calls it
 * @param children its processes
 * @param queue where its messages come from
 * @param sqs serves the queue
 * @param dynamoDb serves its table
 */
record Consumer(String name, List<Child> children, MemoryQueue queue, SqsServer sqs, DynamoDbServer dynamoDb)
        implements
            AutoCloseable {

    /** At which rate backlogs were sent: their sent times tell. */
    static final double BACKLOG_EVENTS_PER_SECOND = 100_000;

    private static final String QUEUE = "windrow-events";
    private static final long VISIBILITY_MILLIS = 300_000;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int POLLERS = 4;
    private static final int CONCURRENCY = 64;

    /**
     * What one round used.
     *
     * @param processor of its processes
     * @param wall until the last message was deleted
     * @param harness processor time of the harness meanwhile, servers included
     * @param table what its table was asked
     */
    record Round(Duration processor, Duration wall, Duration harness, Meter.Reading table) {
    }

    /** Windrow's writer. */
    static Consumer writer(Lab lab, Service service, String name, DatasetFile datasets, DynamoDbServer.Options options,
            int processes, List<String> properties) {
        SqsServer sqs = SqsServer.start(lab.vertx());
        MemoryQueue queue = sqs.queue(QUEUE, VISIBILITY_MILLIS);
        sqs.queue(QUEUE + "-dlq", VISIBILITY_MILLIS);
        DynamoDbServer dynamoDb = DynamoDbServer.start(lab.vertx(), options);
        List<String> all = new ArrayList<>(properties);
        all.add(datasets.property(lab.work()));
        all.add("-Dquarkus.sqs.endpoint-override=" + sqs.endpoint());
        all.add("-Dquarkus.dynamodb.endpoint-override=" + dynamoDb.endpoint());
        List<Child> children = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            int port = Ports.free();
            Child child = lab.service(name + "-" + i, service, port, all);
            children.add(child);
            child.awaitOk(Lab.ready(port), Duration.ofMillis(100));
        }
        return new Consumer(name, children, queue, sqs, dynamoDb);
    }

    /** A baseline with the asynchronous SDK: idle, plain or unscattered. */
    static Consumer baseline(Lab lab, String name, String kind, DynamoDbServer.Options options) {
        SqsServer sqs = SqsServer.start(lab.vertx());
        MemoryQueue queue = sqs.queue(QUEUE, VISIBILITY_MILLIS);
        DynamoDbServer dynamoDb = DynamoDbServer.start(lab.vertx(), options);
        String mainClass = kind.equals("sequential") ? "SequentialConsumer" : "Consumer";
        List<String> arguments = kind.equals("sequential")
                ? List.of(sqs.endpoint().toString(), sqs.queueUrl(QUEUE), dynamoDb.endpoint().toString())
                : List.of(kind, sqs.endpoint().toString(), sqs.queueUrl(QUEUE), dynamoDb.endpoint().toString(),
                        Integer.toString(POLLERS), Integer.toString(CONCURRENCY));
        Child child = lab.consumer(name, mainClass, arguments);
        child.ask("ready");
        return new Consumer(name, List.of(child), queue, sqs, dynamoDb);
    }

    /**
     * Lets it consume a backlog to the last message.
     *
     * @param eventsOfEach events of each message: the backlog was sent at {@link #BACKLOG_EVENTS_PER_SECOND}
     */
    Round consume(List<Body> bodies, int eventsOfEach) {
        long target = queue.deleted() + bodies.size();
        Meter.Reading before = dynamoDb.meter().read();
        Duration processor = processor();
        Duration harness = ProcessorTime.of(ProcessHandle.current().pid());
        long begin = System.nanoTime();
        queue.sendBacklog(bodies, BACKLOG_EVENTS_PER_SECOND / eventsOfEach);
        Wait.until(name + " consumes " + bodies.size() + " messages", LIMIT, () -> queue.deleted() >= target);
        Duration wall = Duration.ofNanos(System.nanoTime() - begin);
        return new Round(processor().minus(processor), wall,
                ProcessorTime.of(ProcessHandle.current().pid()).minus(harness), dynamoDb.meter().read().since(before));
    }

    /**
     * Lets it consume backlogs until it has used so much processor time: enough to compile what it runs, as the compiler
     * alone uses some ten seconds.
     *
     * @return how much processor time an event took, in microseconds
     */
    double consumeFor(Duration enough, List<Body> bodies, int eventsOfEach) {
        Duration begin = processor();
        long events = 0;
        Duration used;
        do {
            consume(bodies, eventsOfEach);
            events += (long) bodies.size() * eventsOfEach;
            used = processor().minus(begin);
        } while (used.compareTo(enough) < 0);
        return used.toNanos() / 1e3 / events;
    }

    /**
     * Lets it consume messages as they are sent.
     *
     * @param perSecond messages a second
     * @return what was written for them
     */
    Meter.Reading follow(List<Body> bodies, double perSecond) {
        long target = queue.deleted() + bodies.size();
        Meter.Reading before = dynamoDb.meter().read();
        long begin = System.nanoTime();
        for (int i = 0; i < bodies.size(); i++) {
            long due = begin + (long) (i * 1e9 / perSecond);
            Wait.pause(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
            queue.send(List.of(bodies.get(i)));
        }
        Wait.until(name + " follows " + bodies.size() + " messages", LIMIT, () -> queue.deleted() >= target);
        return dynamoDb.meter().read().since(before);
    }

    /** Processor time of all its processes. */
    Duration processor() {
        return children.stream().map(child -> ProcessorTime.of(child.pid())).reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        children.forEach(Child::close);
        sqs.close();
        dynamoDb.close();
    }
}
