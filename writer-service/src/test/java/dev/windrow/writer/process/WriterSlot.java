package dev.windrow.writer.process;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.windrow.local.LocalAws;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;

/** The place of one writer process, which may die and be followed by another; all that it sends passes two proxies. */
final class WriterSlot implements AutoCloseable {

    private static final Duration DEATH_LIMIT = Duration.ofSeconds(30);

    private final FaultProxy dynamoDb;
    private final FaultProxy sqs;
    private WriterOptions options;
    private @Nullable WriterProcess process;

    WriterSlot(LocalAws aws, WriterOptions options) {
        this.dynamoDb = FaultProxy.start(aws.dynamoDbEndpoint(), FaultPlan.none());
        this.sqs = FaultProxy.start(aws.sqsEndpoint(), FaultPlan.none());
        this.options = options.with("quarkus.dynamodb.endpoint-override", dynamoDb.endpoint())
                .with("quarkus.sqs.endpoint-override", sqs.endpoint());
    }

    /** Between it and the table. */
    FaultProxy dynamoDb() {
        return dynamoDb;
    }

    /** Between it and the queues. */
    FaultProxy sqs() {
        return sqs;
    }

    /** How the next process is started. */
    WriterOptions options() {
        return options;
    }

    /** From the next start on. */
    WriterSlot use(WriterOptions other) {
        options = other;
        return this;
    }

    /** Starts a process, after the end of the one before, and does not wait for it. */
    WriterProcess start() {
        if (process != null) {
            process.awaitExit(DEATH_LIMIT);
        }
        process = WriterProcess.start(options);
        return process;
    }

    /** The latest process. */
    WriterProcess process() {
        if (process == null) {
            throw new IllegalStateException("expected a started writer");
        }
        return process;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
        dynamoDb.close();
        sqs.close();
    }
}
