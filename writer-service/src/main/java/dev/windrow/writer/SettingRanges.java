package dev.windrow.writer;

import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.SettingRange;
import dev.windrow.dataset.Granularity;
import dev.windrow.table.TableSchema.AwsLimits;
import dev.windrow.writer.queue.MessageSource.SqsReceiver;
import dev.windrow.writer.queue.QueueConfig;
import dev.windrow.writer.queue.QueueConfig.AcknowledgeConfig;
import dev.windrow.writer.table.JournalConfig;
import dev.windrow.writer.table.JournalConfig.AggregateConfig;
import dev.windrow.writer.table.StoreConfig;

/** The documented ranges of the writer's settings, checked at start. */
@ApplicationScoped
class SettingRanges {

    private static final String MAX_BYTES = "windrow.writer.source.max-bytes";
    private static final String WAIT_TIME = "windrow.writer.source.wait-time";
    /** Longer polls are an error of SQS ("ReceiveMessage", WaitTimeSeconds). */
    private static final Duration MAX_WAIT_TIME = Duration.ofSeconds(20);

    private static final Duration MAX_WRITE_EVERY = Duration.ofHours(1);
    private static final Duration MAX_BACKLOG_DELAY = Duration.ofMinutes(1);
    private static final Duration MIN_LEASE = Duration.ofSeconds(1);

    private final WriterConfig writer;
    private final QueueConfig source;
    private final DecodeConfig decode;
    private final AggregateConfig aggregate;
    private final StoreConfig store;
    private final JournalConfig journal;
    private final AcknowledgeConfig acknowledge;

    SettingRanges(WriterConfig writer, QueueConfig source, DecodeConfig decode, AggregateConfig aggregate, StoreConfig store,
            JournalConfig journal, AcknowledgeConfig acknowledge) {
        this.writer = writer;
        this.source = source;
        this.decode = decode;
        this.aggregate = aggregate;
        this.store = store;
        this.journal = journal;
        this.acknowledge = acknowledge;
    }

    /** @throws InvalidInputException naming the key, its range and the value that is outside of it */
    void check() {
        checkLifecycle();
        checkSource();
        checkDecodeAndAggregate();
        checkStore();
        checkJournal();
        checkAcknowledge();
    }

    private void checkLifecycle() {
        SettingRange.tableName("windrow.table", writer.table());
        SettingRange.positive("windrow.writer.drain-timeout", writer.drainTimeout());
        checkLiveness();
    }

    /** Queue and table may be down without a sign that is missed: how far apart the ends of failing requests are. */
    private void checkLiveness() {
        String key = "windrow.writer.liveness-timeout";
        Duration timeout = writer.livenessTimeout();
        SettingRange.above(key, timeout, WAIT_TIME + " and " + SqsReceiver.PATIENCE.toSeconds() + "s",
                SqsReceiver.timeout(source.receiveWait()));
        SettingRange.above(key, timeout, "windrow.writer.source.error-backoff", source.errorBackoff());
        SettingRange.above(key, timeout, "windrow.writer.store.timeout, max-backoff and circuit-breaker-delay together",
                store.timeout().plus(store.maxBackoff()).plus(store.circuitBreakerDelay()));
    }

    private void checkSource() {
        SettingRange.atLeast("windrow.writer.source.pollers", source.pollers(), 1);
        SettingRange.atLeast(WAIT_TIME, source.receiveWait(), Duration.ZERO);
        SettingRange.atMost(WAIT_TIME, source.receiveWait(), MAX_WAIT_TIME, "SQS");
        SettingRange.wholeSeconds(WAIT_TIME, source.receiveWait());
        SettingRange.atLeast("windrow.writer.source.max-messages", source.maxMessages(), AwsLimits.QUEUE_BATCH);
        SettingRange.atLeast(MAX_BYTES, source.maxBytes().asLongValue(), 1);
        SettingRange.atLeast("windrow.writer.source.max-receive-count", source.maxReceiveCount(), 1);
        SettingRange.positive("windrow.writer.source.error-backoff", source.errorBackoff());
    }

    private void checkDecodeAndAggregate() {
        Long maxBytes = source.maxBytes().asLongValue();
        SettingRange.atLeast("windrow.writer.decode.concurrency", decode.concurrency(), 1);
        SettingRange.atLeast("windrow.writer.decode.max-message-bytes", decode.maxMessageBytes().asLongValue(), 1);
        SettingRange.atMost("windrow.writer.decode.max-message-bytes", decode.maxMessageBytes().asLongValue(), maxBytes,
                MAX_BYTES);
        SettingRange.positive("windrow.writer.decode.timeout", decode.timeout());
        SettingRange.atLeast("windrow.writer.aggregate.max-bytes", aggregate.maxBytes().asLongValue(), 1);
        SettingRange.below("windrow.writer.aggregate.max-bytes", aggregate.maxBytes().asLongValue(), MAX_BYTES, maxBytes);
        SettingRange.positive("windrow.writer.aggregate.max-age", aggregate.maxAge());
    }

    private void checkStore() {
        SettingRange.atLeast("windrow.writer.store.max-concurrency", store.maxConcurrency(), 1);
        store.maxWriteUnits().ifPresent(units -> SettingRange.positive("windrow.writer.store.max-write-units", units));
        SettingRange.positive("windrow.writer.store.timeout", store.timeout());
        SettingRange.positive("windrow.writer.store.initial-backoff", store.initialBackoff());
        SettingRange.atMost("windrow.writer.store.initial-backoff", store.initialBackoff(), store.maxBackoff(),
                "windrow.writer.store.max-backoff");
        SettingRange.atLeast("windrow.writer.store.circuit-breaker-requests", store.circuitBreakerRequests(), 1);
        SettingRange.positive("windrow.writer.store.circuit-breaker-delay", store.circuitBreakerDelay());
    }

    private void checkJournal() {
        SettingRange.atLeast("windrow.writer.journal.lease", journal.lease(), MIN_LEASE);
        SettingRange.positive("windrow.writer.journal.retention", journal.retention());
        SettingRange.positive("windrow.writer.journal.delete-after", journal.deleteAfter());
        SettingRange.positive("windrow.writer.journal.denied-for", journal.deniedFor());
        SettingRange.atLeast("windrow.writer.journal.backlog-delay", journal.backlogDelay(), Duration.ZERO);
        SettingRange.atMost("windrow.writer.journal.backlog-delay", journal.backlogDelay(), MAX_BACKLOG_DELAY,
                "buckets would be too late");
        journal.writeEvery().forEach((name, wait) -> {
            String key = "windrow.writer.journal.write-every." + name;
            if (Granularity.parse(name).isEmpty()) {
                throw new InvalidInputException(Reason.INVALID_SETTING, key,
                        "expected " + Granularity.EXPECTED + ", found " + name);
            }
            SettingRange.positive(key, wait);
            SettingRange.atMost(key, wait, MAX_WRITE_EVERY, "buckets would be too late");
        });
    }

    private void checkAcknowledge() {
        SettingRange.atLeast("windrow.writer.acknowledge.linger", acknowledge.linger(), Duration.ZERO);
        SettingRange.atLeast("windrow.writer.acknowledge.max-concurrency", acknowledge.maxConcurrency(), 1);
        SettingRange.atLeast("windrow.writer.acknowledge.max-attempts", acknowledge.maxAttempts(), 1);
        SettingRange.positive("windrow.writer.acknowledge.initial-backoff", acknowledge.initialBackoff());
        SettingRange.positive("windrow.writer.acknowledge.timeout", acknowledge.timeout());
    }
}
