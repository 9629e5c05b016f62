package dev.windrow.writer;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.CredentialsHttp;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.base.TimerDelays;
import dev.windrow.dataset.Datasets;
import dev.windrow.time.Granularity;
import dev.windrow.writer.aggregate.Aggregation;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.journal.Cells;
import dev.windrow.writer.journal.ClaimLimits;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.Now;
import dev.windrow.writer.journal.WriteEvery;
import dev.windrow.writer.queue.AcknowledgeSettings;
import dev.windrow.writer.queue.Acknowledger;
import dev.windrow.writer.queue.DeadLetters;
import dev.windrow.writer.queue.FifoGroupTracker;
import dev.windrow.writer.queue.InFlightDrain;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.queue.InFlightMessages;
import dev.windrow.writer.queue.MessageCompletion;
import dev.windrow.writer.queue.MessageSource;
import dev.windrow.writer.queue.QueueMetrics;
import dev.windrow.writer.queue.SqsReceiver;
import dev.windrow.writer.queue.Visibility;
import dev.windrow.writer.queue.VisibilityDeadlines;
import dev.windrow.writer.table.DeclaredAttributes;
import dev.windrow.writer.table.DynamoTable;
import dev.windrow.writer.table.JournalConfig;
import dev.windrow.writer.table.JournalRequests;
import dev.windrow.writer.table.JournalRun;
import dev.windrow.writer.table.JournalTable;
import dev.windrow.writer.table.StoreConfig;
import dev.windrow.writer.table.TableHealth;
import dev.windrow.writer.table.TableWriter;
import dev.windrow.writer.table.WriteTarget;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.netty.MainEventLoopGroup;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClientBuilder;

/** Assembles the flow. */
@Singleton
public record WriterWiring(WriterConfig config, QueueConfig source, StoreConfig store, JournalConfig journal,
        FlowSettings settings, SqsAsyncClient sqs, Transport transport, MeterRegistry registry, WriterState state,
        TableHealth health, ClaimTracing tracing) {

    private static final Duration MAX_TICK = Duration.ofMillis(50);
    private static final int TICKS_PER_AGE = 10;
    /** How long a drain waits for messages to be returned to their queue. */
    private static final Duration RETURN_TIMEOUT = Duration.ofSeconds(10);
    /** Limit of unapplied records. A lane advances past its oldest one first: a higher limit saves nothing, slows recovery. */
    private static final int MAX_RECORDS = 1_000;

    WriterFlow assemble(Datasets datasets, ScheduledExecutorService timer, RandomGenerator random) {
        DeadLetters deadLetters = new DeadLetters(sqs, state::releasing);
        JournalMetrics journalMetrics = new JournalMetrics(registry);
        JournalQueues queues = new JournalQueues(deadLetters, journalMetrics, Clock.systemUTC());
        JournalRun run = journalRun(datasets, timer, random, queues);
        journalMetrics.show(run);
        InFlightLimiter limiter = new InFlightLimiter(InFlightLimiter.MAX_MESSAGES, source.maxBytes().asLongValue(),
                () -> run.status().heapBytes());
        state.heldBackWhile(limiter::isFull);
        FlowMetrics metrics = new FlowMetrics(registry, Clock.systemUTC(), datasets, limiter::isFull);
        QueueMetrics inFlight = new QueueMetrics(registry, limiter);
        VisibilityDeadlines deadlines = new VisibilityDeadlines(System::nanoTime);
        FifoGroupTracker groups = new FifoGroupTracker();
        Acknowledger acknowledger = transport.acknowledger(timer, state::releasing);
        InFlightMessages messages = new InFlightMessages(limiter, deadlines, groups, inFlight);
        MessageCompletion completion = new MessageCompletion(messages, deadlines, groups, acknowledger, deadLetters, inFlight);
        Visibility heartbeat = new Visibility(deadlines, limiter, acknowledger);
        JournalStage stage = new JournalStage(run, datasets, queues, messages, completion, System::nanoTime);
        state.lanelessIf(() -> !stage.hasLane());
        Aggregation aggregation = new Aggregation(datasets, halfOfMemory(source), random);
        DecodeStage decoding = new DecodeStage(new EventDecoder(datasets, EventDecoder.TIME_LIMIT, System::nanoTime),
                source.maxReceiveCount(), journal.retention(), Clock.systemUTC(), messages, completion,
                aggregation, stage, metrics);
        return new WriterFlow(new MessageSource(transport.receiver(), limiter, source.pollers(), settings.errorBackoff(),
                new ReceiveMonitor(metrics, state), stage::hasLane),
                messages, heartbeat, new InFlightDrain(messages, heartbeat, acknowledger, RETURN_TIMEOUT),
                queue(limiter, decoding), stage, run, new MemoryPressure(limiter, halfOfMemory(source),
                        new QueueLag(Clock.systemUTC()), JournalSettings.BACKLOG_DELAY),
                tick(), state::broken);
    }

    private JournalRun journalRun(Datasets datasets, ScheduledExecutorService timer, RandomGenerator random,
            JournalQueues queues) {
        DynamoTable dynamo = transport.table(config);
        JournalRequests table = new JournalTable(
                TableWriter.ofBuckets(new WriteTarget(dynamo, health, (write, failure) -> state.releasing()), store, registry,
                        timer,
                        System::nanoTime),
                TableWriter.ofLanes(new WriteTarget(dynamo, health, state::laneWritten), Transport.LANE_REQUESTS, registry,
                        System::nanoTime),
                state.reads(health.watching(dynamo)), DeclaredAttributes.of(datasets),
                transport.eventLoop(), random);
        return new JournalRun(new JournalWriter(journalSettings(datasets, random)), tracing.around(table), queues,
                queues, () -> new Now(System.nanoTime(), System.currentTimeMillis()), Infrastructure.getDefaultWorkerPool());
    }

    private JournalSettings journalSettings(Datasets datasets, RandomGenerator random) {
        long cells = Math.max(1, halfOfMemory(source) / Cells.USUAL_CELL_BYTES);
        int maxCells = (int) Math.min(cells, Integer.MAX_VALUE);
        return new JournalSettings(holder(random), config.maxAge(), journal.lease(), journal.retention(),
                settings.deleteAfter(), store.maxConcurrency(), maxCells, MAX_RECORDS, ClaimLimits.DEFAULTS,
                settings.deniedFor(), writeEvery(datasets), JournalSettings.BACKLOG_DELAY, JournalSettings.DEFER_AFTER);
    }

    private WriteEvery writeEvery(Datasets datasets) {
        Map<Granularity, Duration> waits = new HashMap<>();
        // Queries cannot fall back on a finer granularity.
        datasets.all().forEach(dataset -> waits.put(dataset.granularities().get(0), WriteEvery.FINE));
        waits.putAll(journal.writeEveryGranularity());
        return new WriteEvery(waits);
    }

    /** Returns a readable and unique name for the holder of a lane. */
    private static String holder(RandomGenerator random) {
        String host = System.getenv("HOSTNAME");
        return (host == null || host.isBlank() ? "writer" : host) + "-" + Long.toHexString(random.nextLong());
    }

    /** Interval between the flow's checks for due work. */
    private Duration tick() {
        Duration tick = TimerDelays.atLeastShortest(config.maxAge().dividedBy(TICKS_PER_AGE));
        return tick.compareTo(MAX_TICK) < 0 ? tick : MAX_TICK;
    }

    private DecodeQueue queue(InFlightLimiter limiter, DecodeStage decoding) {
        return new DecodeQueue(limiter, Infrastructure.getDefaultWorkerPool(), decoders(),
                System::nanoTime, decoding);
    }

    /** More decoders than processors gain nothing; with only one, a large message would delay all others. */
    private static int decoders() {
        return Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Returns the memory limit of unclaimed additions, at which everything is claimed at once, and of one message: half of the
     * memory, so that as much again fits meanwhile.
     */
    private static long halfOfMemory(QueueConfig source) {
        return Math.max(1, source.maxBytes().asLongValue() / 2);
    }

    /**
     * Settings that operators need not choose and tests shorten.
     *
     * @param receiveWait how long a receive waits for the first message (long polling)
     * @param errorBackoff pause after a failed receive
     * @param acknowledge how messages are deleted and returned
     * @param deleteAfter how long after its claim a message is deleted at the latest
     * @param deniedFor how long an update that the table denies is retried before it goes to the dead-letter queue
     */
    record FlowSettings(Duration receiveWait, Duration errorBackoff, AcknowledgeSettings acknowledge, Duration deleteAfter,
            Duration deniedFor) {

        /**
         * A drain waits this long for pending receives, as messages of an aborted receive would stay hidden. A longer wait
         * would save few requests and use up more of the pod's grace period.
         */
        private static final Duration RECEIVE_WAIT = Duration.ofSeconds(5);

        /** Short enough not to matter, yet sends few requests to a missing queue. */
        private static final Duration ERROR_BACKOFF = Duration.ofSeconds(1);

        static final FlowSettings DEFAULTS = new FlowSettings(RECEIVE_WAIT, ERROR_BACKOFF, AcknowledgeSettings.DEFAULTS,
                JournalSettings.DELETE_AFTER, JournalSettings.DENIED_FOR);
    }

    /** The flow's clients for frequent requests to queue and table; rare requests use the SDK. */
    @ApplicationScoped
    static class Transport {

        /** Spare connections, to open a new one while an old one closes. */
        private static final int SPARE_CONNECTIONS = 8;

        /** Maximum writes of the journal's lanes and cuts in flight, in addition to writes of buckets. */
        static final int LANE_REQUESTS = 8;

        /** Maximum concurrent reads of lanes or records. */
        private static final int LANE_READS = 16;

        private final AwsJsonClient queue;
        private final AwsJsonClient table;
        private final FlowSettings settings;
        private final Executor workers;
        private final Executor eventLoop;

        @Inject
        Transport(Vertx vertx, NetworkSettings network, WriterConfig config, SqsAsyncClient sqs, DynamoDbAsyncClient dynamoDb,
                QueueConfig source, StoreConfig store, FlowSettings settings) {
            this.workers = Infrastructure.getDefaultWorkerPool();
            AwsJsonClientFactory clients = new AwsJsonClientFactory(vertx, network, workers, Clock.systemUTC());
            int queues = config.queueNames().size();
            this.queue = clients.sqs(sqs,
                    queues * source.pollers() + Acknowledger.maxRequests(settings.acknowledge()) + SPARE_CONNECTIONS);
            this.table = clients.dynamoDb(dynamoDb, store.maxConcurrency() + LANE_REQUESTS + LANE_READS + SPARE_CONNECTIONS);
            this.settings = settings;
            Context context = vertx.getOrCreateContext();
            this.eventLoop = task -> context.runOnContext(started -> task.run());
        }

        /** Runs tasks in one context. */
        Executor eventLoop() {
            return eventLoop;
        }

        SqsReceiver receiver() {
            return new SqsReceiver(queue, settings.receiveWait(), workers);
        }

        @Produces
        @Singleton
        DynamoTable table(WriterConfig config) {
            return new DynamoTable(table, config.table(), DynamoTable.TIMEOUT);
        }

        /** @param attempted run at the end of each attempt to delete or return messages */
        Acknowledger acknowledger(ScheduledExecutorService timer, Runnable attempted) {
            return new Acknowledger(queue, settings.acknowledge(), timer, attempted);
        }
    }

    /**
     * Adjusts the SDK clients that the extension configures: they serve rare requests, on the existing event loops. A
     * connection that receives no byte for as long as a response may take is closed. The SDK instantiates the HTTP client of
     * credential providers by name when it exchanges a web identity for credentials (IRSA), and the factory for profiles that
     * assume a role, which the token service's jar does not register itself.
     */
    @RegisterForReflection(targets = CredentialsHttp.class, classNames = "software.amazon.awssdk.services.sts.internal.StsProfileCredentialsProviderFactory")
    @ApplicationScoped
    public static class AwsClients {

        /** For rare requests: dead letters and operations on them, and a new connection while an old one closes. */
        private static final int SPARE_CONNECTIONS = 16;

        private final SdkEventLoopGroup eventLoops;

        AwsClients(@MainEventLoopGroup EventLoopGroup eventLoops) {
            this.eventLoops = SdkEventLoopGroup.create(eventLoops);
        }

        @Produces
        @Singleton
        NetworkSettings network(WriterConfig config) {
            return config.network();
        }

        /** A client that does not retry: the JSON client takes its endpoint, region and credentials from it. */
        @Produces
        @ApplicationScoped
        DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder, NetworkSettings network,
                @ConfigProperty(name = "quarkus.dynamodb.endpoint-override") Optional<URI> endpoint) {
            ClientOverrideConfiguration configured = builder.overrideConfiguration();
            return builder.overrideConfiguration(configured.toBuilder()
                    .retryStrategy(DefaultRetryStrategy.doNotRetry()).apiCallTimeout(DynamoTable.TIMEOUT).build())
                    .httpClientBuilder(http(network, endpoint, SPARE_CONNECTIONS, DynamoTable.TIMEOUT)).build();
        }

        /** A client for dead letters: the JSON client takes its endpoint, region and credentials from it. */
        @Produces
        @ApplicationScoped
        SqsAsyncClient sqs(SqsAsyncClientBuilder builder, FlowSettings settings, NetworkSettings network,
                @ConfigProperty(name = "quarkus.sqs.endpoint-override") Optional<URI> endpoint) {
            return builder.httpClientBuilder(http(network, endpoint, SPARE_CONNECTIONS, settings.acknowledge().timeout()))
                    .build();
        }

        private NettyNioAsyncHttpClient.Builder http(NetworkSettings network, Optional<URI> endpoint, int connections,
                Duration silence) {
            return SdkHttp.async(network, endpoint).eventLoopGroup(eventLoops).maxConcurrency(connections).readTimeout(silence);
        }
    }

    /** Produces beans that flow and readiness share or that tests replace. */
    @ApplicationScoped
    static class Producers {

        @Produces
        @Singleton
        FlowSettings settings() {
            return FlowSettings.DEFAULTS;
        }

        @Produces
        @Singleton
        TableHealth health() {
            return new TableHealth(System::nanoTime);
        }

        /** Enables tracing if OpenTelemetry is on. */
        @Produces
        @Singleton
        ClaimTracing tracing(OpenTelemetry telemetry,
                @ConfigProperty(name = "quarkus.otel.sdk.disabled", defaultValue = "false") boolean disabled) {
            return disabled ? ClaimTracing.off() : ClaimTracing.with(telemetry);
        }
    }
}
