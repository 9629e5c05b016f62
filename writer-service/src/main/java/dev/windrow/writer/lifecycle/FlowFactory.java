package dev.windrow.writer.lifecycle;

import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.dataset.Datasets;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.aggregate.AggregateLimits;
import dev.windrow.writer.aggregate.Aggregator;
import dev.windrow.writer.aggregate.Contributor;
import dev.windrow.writer.deadletter.DeadLetterSender;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.flow.AggregateConfig;
import dev.windrow.writer.flow.DecodeConfig;
import dev.windrow.writer.flow.DecodeQueue;
import dev.windrow.writer.flow.DecodeStage;
import dev.windrow.writer.flow.FlowMetrics;
import dev.windrow.writer.flow.FlushStage;
import dev.windrow.writer.flow.FlushTracing;
import dev.windrow.writer.flow.JournalMessages;
import dev.windrow.writer.flow.JournalMetrics;
import dev.windrow.writer.flow.JournalStage;
import dev.windrow.writer.flow.MemoryPressure;
import dev.windrow.writer.flow.WriteStage;
import dev.windrow.writer.flow.WriterFlow;
import dev.windrow.writer.inflight.AccessDeniedPolicy;
import dev.windrow.writer.inflight.InFlightDrain;
import dev.windrow.writer.inflight.InFlightLimiter;
import dev.windrow.writer.inflight.InFlightMessages;
import dev.windrow.writer.inflight.InFlightMetrics;
import dev.windrow.writer.inflight.MessageCompletion;
import dev.windrow.writer.inflight.VisibilityHeartbeat;
import dev.windrow.writer.inflight.pending.FifoGroupTracker;
import dev.windrow.writer.inflight.pending.VisibilityDeadlines;
import dev.windrow.writer.source.MessageSource;
import dev.windrow.writer.source.SourceConfig;
import dev.windrow.writer.store.AtLeastOnceStore;
import dev.windrow.writer.store.BisectingStore;
import dev.windrow.writer.store.BucketStore;
import dev.windrow.writer.store.BucketUpdates;
import dev.windrow.writer.store.DeliveryStore;
import dev.windrow.writer.store.ExactlyOnceStore;
import dev.windrow.writer.store.ExtremesCache;
import dev.windrow.writer.store.FailureContextWrites;
import dev.windrow.writer.store.HealthTrackingReads;
import dev.windrow.writer.store.HealthTrackingWrites;
import dev.windrow.writer.store.Ledger;
import dev.windrow.writer.store.StoreConfig;
import dev.windrow.writer.store.TableHealth;
import dev.windrow.writer.store.TableWrites;
import dev.windrow.writer.store.TableWritesStack;
import dev.windrow.writer.store.journal.JournalConfig;
import dev.windrow.writer.store.journal.JournalRun;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Puts the parts of the flow together. */
@ApplicationScoped
class FlowFactory {

    private static final Duration MAX_TICK = Duration.ofMillis(50);
    private static final int TICKS_PER_AGE = 10;

    private final WriterConfig config;
    private final SourceConfig source;
    private final DecodeConfig decode;
    private final AggregateConfig aggregate;
    private final StoreConfig store;
    private final JournalConfig journal;
    private final SqsAsyncClient sqs;
    private final Transport transport;
    private final MeterRegistry registry;
    private final WriterState state;
    private final TableHealth health;
    private final FlushTracing tracing;

    FlowFactory(WriterConfig config, SourceConfig source, DecodeConfig decode, AggregateConfig aggregate, StoreConfig store,
            JournalConfig journal, SqsAsyncClient sqs,
            Transport transport, MeterRegistry registry,
            WriterState state, TableHealth health, FlushTracing tracing) {
        this.config = config;
        this.source = source;
        this.decode = decode;
        this.aggregate = aggregate;
        this.store = store;
        this.journal = journal;
        this.sqs = sqs;
        this.transport = transport;
        this.registry = registry;
        this.state = state;
        this.health = health;
        this.tracing = tracing;
    }

    WriterFlow assemble(Datasets datasets, ScheduledExecutorService timer, RandomGenerator random) {
        AtomicReference<LongSupplier> pendingBytes = new AtomicReference<>(() -> 0);
        InFlightLimiter limiter = new InFlightLimiter(source.maxMessages(), source.maxBytes().asLongValue(),
                () -> Objects.requireNonNull(pendingBytes.get()).getAsLong());
        FlowMetrics metrics = new FlowMetrics(registry, Clock.systemUTC());
        InFlightMetrics inFlight = new InFlightMetrics(registry, limiter);
        VisibilityDeadlines deadlines = new VisibilityDeadlines(System::nanoTime);
        FifoGroupTracker groups = new FifoGroupTracker();
        Acknowledger acknowledger = transport.acknowledger(timer);
        InFlightMessages messages = new InFlightMessages(limiter, deadlines, groups, inFlight);
        MessageCompletion completion = new MessageCompletion(messages, deadlines, groups, acknowledger,
                new DeadLetterSender(sqs), new AccessDeniedPolicy(store.maxDeniedReceives(), health::takesWrites), inFlight);
        VisibilityHeartbeat heartbeat = new VisibilityHeartbeat(deadlines, limiter, acknowledger);
        Contributor contributor = new Contributor(datasets, decode.maxMessageBytes().asLongValue());
        WriteStage writes = journal.enabled()
                ? journalStage(datasets, timer, random, contributor, messages, completion, metrics, pendingBytes)
                : flushStage(timer, random, contributor, completion, metrics, pendingBytes);
        DecodeStage decoding = new DecodeStage(new EventDecoder(datasets, decode.timeout(), System::nanoTime),
                source.maxReceiveCount(), messages, completion, writes, metrics);
        return new WriterFlow(new MessageSource(transport.receives(), limiter, source, new ReceiveMonitor(metrics, state)),
                messages, heartbeat, new InFlightDrain(messages, heartbeat, acknowledger), queue(limiter, decoding), writes,
                new MemoryPressure(limiter, aggregate.maxBytes().asLongValue()), tick());
    }

    private WriteStage flushStage(ScheduledExecutorService timer, RandomGenerator random, Contributor contributor,
            MessageCompletion completion, FlowMetrics metrics, AtomicReference<LongSupplier> pendingBytes) {
        Aggregator aggregator = aggregator();
        pendingBytes.set(aggregator::heapBytes);
        return new FlushStage(aggregator, store(timer, random), completion, metrics, tracing, System::nanoTime, contributor);
    }

    private WriteStage journalStage(Datasets datasets, ScheduledExecutorService timer, RandomGenerator random,
            Contributor contributor, InFlightMessages messages, MessageCompletion completion, FlowMetrics metrics,
            AtomicReference<LongSupplier> pendingBytes) {
        JournalMetrics journalMetrics = new JournalMetrics(registry);
        JournalMessages queues = new JournalMessages(completion, new DeadLetterSender(sqs), journalMetrics,
                Clock.systemUTC());
        TableWrites table = table();
        JournalRun run = new JournalAssembly(journal, store, aggregate).assemble(datasets,
                TableWritesStack.around(table, store, registry, timer, random, System::nanoTime),
                TableWritesStack.unleveled(table, Transport.LANE_REQUESTS, store, registry, random),
                new HealthTrackingReads(transport.table(config.table()), health), queues, random,
                aggregate.maxBytes().asLongValue());
        journalMetrics.show(run);
        pendingBytes.set(() -> run.status().heapBytes());
        return new JournalStage(run, queues, contributor, random, messages, completion, metrics, state::broken);
    }

    /** How often the flow checks what is due. */
    private Duration tick() {
        Duration tick = aggregate.maxAge().dividedBy(TICKS_PER_AGE);
        return tick.compareTo(MAX_TICK) < 0 ? tick : MAX_TICK;
    }

    private Aggregator aggregator() {
        Aggregator aggregator = new Aggregator(new AggregateLimits(aggregate.maxEvents(), aggregate.maxSeriesMessages(),
                aggregate.maxAge().toNanos(), store.maxConcurrency()));
        Gauge.builder("windrow.writer.events.pending", aggregator, Aggregator::pendingEvents)
                .description("Events gathered and not yet being written").register(registry);
        Gauge.builder("windrow.writer.series.in.flight", aggregator, Aggregator::writing)
                .description("Series being written").register(registry);
        return aggregator;
    }

    private DecodeQueue queue(InFlightLimiter limiter, DecodeStage decoding) {
        return new DecodeQueue(limiter, Infrastructure.getDefaultWorkerPool(), decode.concurrency(),
                decode.maxMessageBytes().asLongValue() + EventDecoder.MAX_UNPACKED_BYTES, System::nanoTime, decoding);
    }

    private TableWrites table() {
        TableWrites table = new HealthTrackingWrites(new FailureContextWrites(transport.table(config.table())), health);
        return write -> table.write(write).onTermination().invoke(state::moved);
    }

    private BucketStore store(ScheduledExecutorService timer, RandomGenerator random) {
        TableWrites writes = TableWritesStack.around(table(), store, registry, timer, random, System::nanoTime);
        BucketUpdates updates = new BucketUpdates(random);
        ExtremesCache known = new ExtremesCache(store.extremesCacheSize());
        Ledger ledger = new Ledger(store.ledgerRetention(), Clock.systemUTC());
        return new BisectingStore(new DeliveryStore(new ExactlyOnceStore(writes, updates, ledger, known),
                new AtLeastOnceStore(writes, updates, known)));
    }
}
