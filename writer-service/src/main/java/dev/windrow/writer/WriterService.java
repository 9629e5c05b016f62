package dev.windrow.writer;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.RequestFailedException;
import dev.windrow.base.Durations;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.SettingRanges;
import dev.windrow.base.StructuredLogger;
import dev.windrow.base.UndeliveredFailures;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.InvalidDatasetsException;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.WaiterPolicy;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.queue.DeadLetterOperations;
import dev.windrow.writer.queue.QueueDepths;
import dev.windrow.writer.queue.QueueResolver;
import dev.windrow.writer.queue.ReplayResult;
import dev.windrow.writer.table.DatasetRegistry;
import dev.windrow.writer.table.DynamoTable;
import dev.windrow.writer.table.JournalConfig;
import dev.windrow.writer.table.StoreConfig;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * The writer's lifecycle: reads the datasets or refuses to start, waits for queues and table, runs the flow, and drains it on
 * shutdown.
 */
@ApplicationScoped
public class WriterService {

    private static final StructuredLogger LOG = StructuredLogger.of(WriterService.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
    /** SQS updates its counts about once a minute. */
    private static final Duration DEPTHS_EVERY = Duration.ofSeconds(30);

    /** Static, because it is printed after the application, and its beans, are gone. */
    private static volatile @Nullable String refusal;

    private final WriterWiring wiring;
    private final WriterConfig config;
    private final WriterState state;
    private final StartupChecks checks;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(WriterService::thread);
    private volatile @Nullable WriterFlow flow;
    private volatile @Nullable Cancellable starting;
    private volatile List<SourceQueue> found = List.of();

    WriterService(WriterWiring wiring, StartupChecks checks) {
        this.wiring = wiring;
        this.config = wiring.config();
        this.state = wiring.state();
        this.checks = checks;
    }

    void start(@Observes StartupEvent event) {
        UndeliveredFailures.log(StartupChecks::reason);
        checkSettings(ConfigProvider.getConfig().unwrap(SmallRyeConfig.class));
        Datasets datasets = withoutStackTrace(() -> DatasetsYaml.read(config.datasetsFile()));
        RandomGenerator random = new Random();
        WriterFlow assembled = wiring.assemble(datasets, timer, random);
        flow = assembled;
        starting = checks.pass(datasets)
                .onFailure(WriterService::mayRecover).invoke(this::waitFor)
                .onFailure(WriterService::mayRecover).retry().withBackOff(FIRST_PAUSE, MAX_PAUSE).indefinitely()
                .invoke(queues -> begin(assembled, datasets, queues))
                .subscribe().with(queues -> {
                }, this::refuse);
    }

    private static boolean mayRecover(Throwable failure) {
        return !(failure instanceof InvalidInputException);
    }

    void waitFor(Throwable failure) {
        if (isStopping()) {
            return;
        }
        LOG.warn("not started yet, checking again", LogKey.REASON.of(StartupChecks.reason(failure).word()),
                LogKey.TABLE.of(config.table()), LogKey.QUEUES.of(config.queueNames()),
                LogKey.DEAD_LETTER_QUEUE.of(config.deadLetterQueue()), LogKey.ERROR.of(failure.getMessage()));
        state.waiting(String.valueOf(failure.getMessage()));
    }

    static void checkSettings(SmallRyeConfig config) {
        withoutStackTrace(() -> {
            SettingRanges.check(config, WriterConfig.class, QueueConfig.class, StoreConfig.class, JournalConfig.class);
            return config.getConfigMapping(JournalConfig.class).writeEveryGranularity();
        });
    }

    /** Rethrows errors of settings as a {@link ConfigurationException}: a stack trace does not help to correct a setting. */
    static <T> T withoutStackTrace(Supplier<T> settings) {
        try {
            return settings.get();
        } catch (InvalidInputException | InvalidDatasetsException e) {
            throw new ConfigurationException(e.getMessage());
        }
    }

    private void begin(WriterFlow assembled, Datasets datasets, List<SourceQueue> queues) {
        found = queues;
        if (!state.running()) {
            return;
        }
        assembled.start(queues, timer);
        new QueueDepths(wiring.sqs(), wiring.registry()).start(queues, timer, DEPTHS_EVERY);
        LOG.info("receiving", LogKey.DATASETS.of(datasets.all().size()), LogKey.TABLE.of(config.table()),
                LogKey.QUEUES.of(queues.stream().map(SourceQueue::name).toList()),
                LogKey.DEAD_LETTER_QUEUE.of(config.deadLetterQueue()));
    }

    public void pause(boolean pausing) {
        state.pause(pausing);
        WriterFlow running = flow;
        if (running != null) {
            running.pause(pausing);
        }
        LOG.info(pausing ? "receiving paused" : "receiving resumed");
    }

    /** Returns operations on the dead-letter queue; fails until the queues have been found. */
    public DeadLetterOperations deadLetters() {
        return new DeadLetterOperations(wiring.sqs(), Objects.requireNonNull(firstQueue().deadLetterUrl()),
                wiring.journal().retention(), Clock.systemUTC());
    }

    /** Sends dead letters back to the first queue. */
    public Uni<ReplayResult> replayDeadLetters(int maximum, boolean force) {
        return deadLetters().replay(firstQueue().url(), maximum, force);
    }

    private SourceQueue firstQueue() {
        if (found.isEmpty()) {
            throw new IllegalStateException("the queues were not found yet");
        }
        return found.get(0);
    }

    /** Whether the process is ending. Failures are then ignored, as closed connections cause them. */
    private boolean isStopping() {
        return state.phase() == WriterState.Phase.DRAINING;
    }

    /** Ends the process: retrying would not help. */
    private void refuse(Throwable problem) {
        if (isStopping()) {
            return;
        }
        String reason = problem instanceof InvalidInputException reasoned ? reasoned.reason().word() : Reason.INTERNAL.word();
        LOG.error("not started; the process exits", LogKey.REASON.of(reason), LogKey.PROBLEM.of(problem.getMessage()));
        refusal = "not started: " + reason + ": " + problem.getMessage();
        Quarkus.asyncExit(1);
    }

    /** Returns why the writer did not start although the application did; empty if it started. */
    public static Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }

    void stop(@Observes ShutdownEvent event) {
        WriterFlow running = flow;
        boolean ran = state.draining();
        Cancellable begun = starting;
        if (begun != null) {
            begun.cancel();
        }
        if (running != null && ran) {
            LOG.info("draining: claiming and applying what is in memory");
            // The drain has its own timeout.
            int left = running.drain(config.drainTimeout()).await().indefinitely();
            LOG.info("drained; SQS will redeliver returned messages", LogKey.MESSAGES.of(left));
        }
        timer.shutdownNow();
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "windrow-flow");
        thread.setDaemon(true);
        // The executor creates it on demand, perhaps on an HTTP client thread, whose class loader lacks the application.
        thread.setContextClassLoader(WriterService.class.getClassLoader());
        return thread;
    }

    /** Checks before the first receive that queues and table exist and match the datasets. */
    @Singleton
    record StartupChecks(WriterConfig config, QueueConfig source, JournalConfig journal, SqsAsyncClient sqs,
            DynamoDbAsyncClient dynamoDb, DynamoTable table) {

        private static final StructuredLogger LOG = StructuredLogger.of(StartupChecks.class);

        /**
         * Finds the queues and runs all checks.
         *
         * @return the queues; fails with an {@link InvalidInputException} if only other settings can help, and with another
         *         failure, for which {@link #reason(Throwable)} gives a reason, if a retry may help
         */
        Uni<List<SourceQueue>> pass(Datasets datasets) {
            return new QueueResolver(sqs).find(config.queueNames(), config.deadLetterQueue())
                    .invoke(queues -> queues.forEach(this::requireShorterRetention))
                    .call(this::verifyTable)
                    .call(this::verifyJournal)
                    .call(() -> enter(datasets))
                    // Last, so that repeated checks warn only once.
                    .invoke(queues -> queues.forEach(this::warnIfMovedWithoutReason));
        }

        /** A role restricted to some tenants by leading keys often lacks access to this item. */
        private Uni<Void> enter(Datasets datasets) {
            return new DatasetRegistry(table).enter(datasets, config.acceptDatasets())
                    .onFailure(StartupChecks::isDenied).transform(denied -> new RequestFailedException(
                            "the role may not update item " + TableSchema.DATASETS_PK + " of table " + config.table(),
                            denied));
        }

        /** A role set up for an earlier release may not allow reading the journal, the only part of the table that is read. */
        private Uni<Void> verifyJournal() {
            return table.read(TableSchema.lanePartitionKey(0), TableSchema.LANE_SK)
                    .onFailure(StartupChecks::isDenied).transform(denied -> new RequestFailedException(
                            "the role may not read the journal in table " + config.table(), denied))
                    .replaceWithVoid();
        }

        private void requireShorterRetention(SourceQueue queue) {
            if (queue.retention().compareTo(journal.retention()) >= 0) {
                throw new InvalidInputException(Reason.INVALID_SETTING, "windrow.writer.journal.retention",
                        "must be longer than the "
                                + Durations.text(queue.retention()) + " that queue " + queue.name() + " keeps messages, found "
                                + Durations.text(journal.retention()));
            }
        }

        /** Only a warning, as no message is lost either way. */
        private void warnIfMovedWithoutReason(SourceQueue queue) {
            if (queue.movesWithin(source.maxReceiveCount())) {
                LOG.warn(
                        "SQS will move messages to the dead-letter queue before the writer can send them with a reason; starting"
                                + " anyway",
                        LogKey.QUEUE.of(queue.name()),
                        LogKey.DETAIL.of("windrow.writer.source.max-receive-count: must be less than maxReceiveCount of the"
                                + " queue's redrive policy, " + queue.maxReceives() + ", found " + source.maxReceiveCount()
                                + "; raise maxReceiveCount or lower the setting"));
            }
        }

        /** A role set up for an earlier release may not describe the table. Then the first write shows whether its keys fit. */
        private Uni<Void> verifyTable() {
            return Uni.createFrom()
                    .completionStage(() -> new TableProvisioner(dynamoDb, WaiterPolicy.defaults()).verify(config.table()))
                    .onFailure(StartupChecks::isDenied).recoverWithUni(denied -> {
                        LOG.warn("table not checked, for lack of permission; starting anyway", LogKey.TABLE.of(config.table()),
                                LogKey.ERROR.of(denied.getMessage()));
                        return Uni.createFrom().voidItem();
                    });
        }

        /** Returns why the checks failed. */
        static Reason reason(Throwable failure) {
            Throwable cause = AwsErrors.cause(failure);
            return cause instanceof InvalidInputException invalid ? invalid.reason() : AwsErrors.reason(cause);
        }

        private static boolean isDenied(Throwable failure) {
            return AwsErrors.reason(failure) == Reason.ACCESS_DENIED;
        }
    }
}
