package dev.windrow.writer.lifecycle;

import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.dataset.Datasets;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.aggregate.Aggregation;
import dev.windrow.writer.deadletter.DeadLetterSender;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.flow.AggregateConfig;
import dev.windrow.writer.flow.ClaimRetention;
import dev.windrow.writer.flow.ClaimTracing;
import dev.windrow.writer.flow.DecodeConfig;
import dev.windrow.writer.flow.DecodeQueue;
import dev.windrow.writer.flow.DecodeStage;
import dev.windrow.writer.flow.FlowMetrics;
import dev.windrow.writer.flow.JournalMessages;
import dev.windrow.writer.flow.JournalMetrics;
import dev.windrow.writer.flow.JournalStage;
import dev.windrow.writer.flow.MemoryPressure;
import dev.windrow.writer.flow.QueueLag;
import dev.windrow.writer.flow.WriterFlow;
import dev.windrow.writer.inflight.InFlightDrain;
import dev.windrow.writer.inflight.InFlightLimiter;
import dev.windrow.writer.inflight.InFlightMessages;
import dev.windrow.writer.inflight.InFlightMetrics;
import dev.windrow.writer.inflight.MessageCompletion;
import dev.windrow.writer.inflight.VisibilityHeartbeat;
import dev.windrow.writer.inflight.pending.FifoGroupTracker;
import dev.windrow.writer.inflight.pending.VisibilityDeadlines;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.source.MessageSource;
import dev.windrow.writer.source.SourceConfig;
import dev.windrow.writer.store.FailureContextWrites;
import dev.windrow.writer.store.HealthTrackingReads;
import dev.windrow.writer.store.HealthTrackingWrites;
import dev.windrow.writer.store.RankKeys;
import dev.windrow.writer.store.StoreConfig;
import dev.windrow.writer.store.TableHealth;
import dev.windrow.writer.store.TableWrites;
import dev.windrow.writer.store.TableWritesStack;
import dev.windrow.writer.store.journal.JournalConfig;
import dev.windrow.writer.store.journal.JournalRequests;
import dev.windrow.writer.store.journal.JournalRun;
import dev.windrow.writer.store.journal.JournalTable;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Puts the parts of the flow together. */
@ApplicationScoped
class FlowFactory {

    private static final Duration MAX_TICK = Duration.ofMillis(50);
    private static final int TICKS_PER_AGE = 10;
    /** How long a drain waits for messages to be returned to their queue. */
    private static final Duration RETURN_TIMEOUT = Duration.ofSeconds(10);

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
    private final ClaimTracing tracing;

    FlowFactory(WriterConfig config, SourceConfig source, DecodeConfig decode, AggregateConfig aggregate, StoreConfig store,
            JournalConfig journal, SqsAsyncClient sqs,
            Transport transport, MeterRegistry registry,
            WriterState state, TableHealth health, ClaimTracing tracing) {
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
        state.progress().heldBackWhile(limiter::isFull);
        FlowMetrics metrics = new FlowMetrics(registry, Clock.systemUTC(), datasets, limiter::isFull);
        InFlightMetrics inFlight = new InFlightMetrics(registry, limiter);
        VisibilityDeadlines deadlines = new VisibilityDeadlines(System::nanoTime);
        FifoGroupTracker groups = new FifoGroupTracker();
        Acknowledger acknowledger = transport.acknowledger(timer, state.progress()::releasing);
        InFlightMessages messages = new InFlightMessages(limiter, deadlines, groups, inFlight);
        MessageCompletion completion = new MessageCompletion(messages, deadlines, groups, acknowledger,
                new DeadLetterSender(sqs, state.progress()::releasing), inFlight);
        VisibilityHeartbeat heartbeat = new VisibilityHeartbeat(deadlines, limiter, acknowledger);
        JournalStage stage = journalStage(datasets, timer, random, messages, completion, pendingBytes);
        Aggregation aggregation = new Aggregation(datasets, decode.maxMessageBytes().asLongValue(), random);
        DecodeStage decoding = new DecodeStage(new EventDecoder(datasets, decode.timeout(), System::nanoTime),
                source.maxReceiveCount(), new ClaimRetention(journal.retention(), Clock.systemUTC()), messages, completion,
                aggregation, stage, metrics);
        return new WriterFlow(new MessageSource(transport.receiver(), limiter, source, new ReceiveMonitor(metrics, state),
                stage::hasLane),
                messages, heartbeat, new InFlightDrain(messages, heartbeat, acknowledger, RETURN_TIMEOUT),
                queue(limiter, decoding), stage, new MemoryPressure(limiter, aggregate.maxBytes().asLongValue(),
                        new QueueLag(Clock.systemUTC()), journal.backlogDelay()),
                tick(), state::broken);
    }

    private JournalStage journalStage(Datasets datasets, ScheduledExecutorService timer, RandomGenerator random,
            InFlightMessages messages, MessageCompletion completion, AtomicReference<LongSupplier> pendingBytes) {
        JournalMetrics metrics = new JournalMetrics(registry);
        JournalMessages queues = new JournalMessages(messages, completion,
                new DeadLetterSender(sqs, state.progress()::releasing), metrics, Clock.systemUTC());
        JournalProgress progress = new JournalProgress(state.progress(), state::isLaneless);
        TableWrites writes = new HealthTrackingWrites(new FailureContextWrites(transport.table(config.table())), health);
        JournalRequests table = new JournalTable(
                TableWritesStack.around(progress.updates(writes), store, registry, timer, System::nanoTime),
                TableWritesStack.unleveled(progress.lanes(writes), Transport.LANE_REQUESTS, store, registry, random,
                        System::nanoTime),
                progress.reads(new HealthTrackingReads(transport.table(config.table()), health)), RankKeys.of(datasets));
        JournalRun run = new JournalRun(new JournalWriter(new JournalSettingsFactory(journal, store, aggregate)
                .settings(datasets, random)), tracing.around(table), queues, Clock.systemUTC(), System::nanoTime,
                Infrastructure.getDefaultWorkerPool());
        metrics.show(run);
        pendingBytes.set(() -> run.status().heapBytes());
        JournalStage stage = new JournalStage(run, queues, messages, completion, state::broken, System::nanoTime);
        state.lanelessIf(() -> !stage.hasLane());
        return stage;
    }

    /** How often the flow checks what is due. */
    private Duration tick() {
        Duration tick = TimerDelays.atLeastShortest(aggregate.maxAge().dividedBy(TICKS_PER_AGE));
        return tick.compareTo(MAX_TICK) < 0 ? tick : MAX_TICK;
    }

    private DecodeQueue queue(InFlightLimiter limiter, DecodeStage decoding) {
        return new DecodeQueue(limiter, Infrastructure.getDefaultWorkerPool(), decode.concurrency(),
                decode.maxMessageBytes().asLongValue() + EventDecoder.MAX_UNPACKED_BYTES, System::nanoTime, decoding);
    }
}
