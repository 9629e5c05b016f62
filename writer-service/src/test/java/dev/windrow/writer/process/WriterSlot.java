package dev.windrow.writer.process;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.windrow.local.LocalAws;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;

/** The place of one writer process, which may die and be followed by another; all that it sends passes two proxies. */
final class WriterSlot implements AutoCloseable {

    private static final Duration DEATH_LIMIT = Duration.ofMinutes(3);

    private final FaultProxy dynamoDb;
    private final FaultProxy sqs;
    private WriterOptions options;
    private volatile @Nullable WriterProcess process;

    WriterSlot(LocalAws aws, WriterOptions options) {
        this.dynamoDb = FaultProxy.start(aws.dynamoDbEndpoint(), FaultPlan.none());
        this.sqs = FaultProxy.start(aws.sqsEndpoint(), FaultPlan.none());
        this.options = options.with("quarkus.dynamodb.endpoint-override", dynamoDb.endpoint())
                .with("quarkus.sqs.endpoint-override", sqs.endpoint());
    }

    FaultProxy dynamoDb() {
        return dynamoDb;
    }

    FaultProxy sqs() {
        return sqs;
    }

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
        WriterProcess before = process;
        if (before != null) {
            before.awaitExit(DEATH_LIMIT);
        }
        WriterProcess started = WriterProcess.start(options);
        process = started;
        return started;
    }

    WriterProcess process() {
        return Objects.requireNonNull(process, "expected a started writer");
    }

    @Override
    public void close() {
        WriterProcess last = process;
        if (last != null) {
            last.close();
        }
        dynamoDb.close();
        sqs.close();
    }
}
