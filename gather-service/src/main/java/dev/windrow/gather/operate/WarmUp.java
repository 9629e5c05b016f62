package dev.windrow.gather.operate;

import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.TenantNames;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.LabelSelection;
import dev.windrow.gather.plan.LabelSelection.LabelPartition;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.TimeRange;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.read.ReadConfig.GatherConfig;
import dev.windrow.gather.read.RegisteredDatasets;
import dev.windrow.table.TableSchema;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/**
 * Ready once a gather over the largest number of shards has been answered. The first gather resolves names and credentials,
 * connects to each shard and loads classes, which may take longer than a client waits. It is repeated until the table answers.
 * Not ready while the keys of every dataset differ from those in the table, as no query could be answered.
 */
@Readiness
@ApplicationScoped
class WarmUp implements AsyncHealthCheck {

    private static final StructuredLogger LOG = StructuredLogger.of(WarmUp.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

    /** Responses of the table: a rejection also shows that the connection works. */
    private static final Set<Reason> ANSWERED = EnumSet.of(Reason.REFUSED, Reason.THROTTLED);

    private final Gatherer gatherer;
    private final Datasets datasets;
    private final Clock clock;
    private final TableReadiness table;
    private final RegisteredDatasets registered;
    private volatile boolean warm;
    private volatile Cancellable running = () -> {
    };

    WarmUp(Gatherer gatherer, Datasets datasets, Clock clock, @Readiness TableReadiness table, RegisteredDatasets registered) {
        this.gatherer = gatherer;
        this.datasets = datasets;
        this.clock = clock;
        this.table = table;
        this.registered = registered;
    }

    void begin(@Observes StartupEvent start) {
        running = Uni.createFrom().deferred(this::gather)
                .onFailure()
                .invoke(failure -> LOG.warn("not ready yet, warming up again",
                        LogKey.REASON.of(GatherException.reasonOf(failure).word()), LogKey.ERROR.of(failure.getMessage())))
                .onFailure().retry().withBackOff(FIRST_PAUSE, MAX_PAUSE).indefinitely()
                .subscribe().with(done -> warm = true);
    }

    void end(@Observes ShutdownEvent end) {
        running.cancel();
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return Uni.createFrom().item(() -> HealthCheckResponse.named("warm-up").status(warm).build());
    }

    boolean isWarm() {
        return warm;
    }

    private Uni<Void> gather() {
        return Multi.createFrom().iterable(datasets.all())
                .select().when(dataset -> registered.isOtherwise(dataset).map(otherwise -> !otherwise))
                .collect().asList().chain(readable -> gather(readable));
    }

    private Uni<Void> gather(List<Dataset> readable) {
        return readable.stream().map(this::request)
                .max(Comparator.comparingInt(request -> shards(request.plan())))
                .map(request -> gatherer.list(request).onItem().invoke(gathered -> requireAnswers(
                        gathered.report().failures().keySet())).replaceWithVoid())
                .orElseGet(() -> Uni.createFrom().failure(new GatherException(Reason.SCHEMA_MISMATCH,
                        "the keys of every dataset differ from those in the table; start the gatherer with the writers' dataset file")))
                .onFailure(failure -> isAnswer(GatherException.reasonOf(failure))).recoverWithNull();
    }

    /** Access denied counts if the role may describe the table: then it only lacks access to the default tenant. */
    private boolean isAnswer(Reason reason) {
        return ANSWERED.contains(reason) || (reason == Reason.ACCESS_DENIED && table.isDescribed());
    }

    private void requireAnswers(Set<Reason> failures) {
        failures.stream().filter(reason -> !isAnswer(reason)).findFirst().ifPresent(reason -> {
            throw new GatherException(reason, "some shards did not answer");
        });
    }

    /** Requests one item of the latest bucket of the coarsest granularity, so that each shard reads few items. */
    private GatherRequest request(Dataset dataset) {
        DatasetScope scope = new DatasetScope(TenantNames.DEFAULT, dataset);
        List<Granularity> indexed = dataset.index();
        Granularity granularity = indexed.isEmpty() ? dataset.granularities().get(0) : indexed.get(indexed.size() - 1);
        TimeRange latest = new TimeRange(granularity.floor(clock.instant()), TimeRange.END);
        QueryOptions options = new QueryOptions(TIMEOUT, true, false, false);
        LabelPartition nobody = new LabelPartition(Collections.nCopies(dataset.partition(), ""), List.of());
        LabelSelection selection = indexed.isEmpty()
                ? new LabelSelection(List.of(), List.of(nobody), List.of(), List.of(), List.of())
                : LabelSelection.ALL;
        QueryPlan plan = new Planner(scope, selection, options).plan(granularity, latest, false, Optional.empty());
        return new GatherRequest(scope, plan, GatherRequest.Order.ASCENDING, 1, options);
    }

    private static int shards(QueryPlan plan) {
        return plan.stages().stream().mapToInt(stage -> stage.shards().size()).max().orElse(0);
    }

    /**
     * Ready unless the table or its index is missing. Queries need neither DynamoDB's control plane nor the permission to
     * describe the table: while it cannot be described, the last known state holds, and at first {@link WarmUp} alone decides.
     */
    @Readiness
    @ApplicationScoped
    static class TableReadiness implements AsyncHealthCheck {

        private static final String NAME = "table";
        private static final Duration PATIENCE = Duration.ofSeconds(2);

        private final DynamoDbAsyncClient client;
        private final String table;
        private volatile @Nullable Uni<HealthCheckResponse> running;
        private volatile boolean missing;
        private volatile boolean described;

        TableReadiness(DynamoDbAsyncClient client, GatherConfig config) {
            this.client = client;
            this.table = config.table();
        }

        @Override
        public Uni<HealthCheckResponse> call() {
            return description().ifNoItem().after(PATIENCE)
                    .recoverWithItem(() -> notDescribed(new TimeoutException("no answer in time")));
        }

        /** One for all probes, on a worker: the SDK may wait for credentials before it returns. */
        private synchronized Uni<HealthCheckResponse> description() {
            Uni<HealthCheckResponse> known = running;
            if (known != null) {
                return known;
            }
            Uni<HealthCheckResponse> begun = Uni.createFrom()
                    .completionStage(() -> client.describeTable(request -> request.tableName(table)))
                    .onItem().transform(this::described)
                    .onFailure().recoverWithItem(this::notDescribed)
                    .onTermination().invoke(() -> running = null)
                    .runSubscriptionOn(Infrastructure.getDefaultWorkerPool()).memoize().indefinitely();
            running = begun;
            begun.subscribe().with(ended -> {
            });
            return begun;
        }

        /** Whether the table or its index was missing when DynamoDB last answered. */
        boolean isMissing() {
            return missing;
        }

        /** Whether this role was ever allowed to describe the table. */
        boolean isDescribed() {
            return described;
        }

        private HealthCheckResponse described(DescribeTableResponse response) {
            described = true;
            boolean active = response.table().tableStatus() == TableStatus.ACTIVE
                    || response.table().tableStatus() == TableStatus.UPDATING;
            boolean indexed = response.table().globalSecondaryIndexes().stream()
                    .anyMatch(index -> index.indexName().equals(TableSchema.INDEX));
            missing = !active || !indexed;
            return HealthCheckResponse.named(NAME).status(!missing).withData("name", table)
                    .withData("status", response.table().tableStatusAsString()).withData("index", indexed).build();
        }

        private HealthCheckResponse notDescribed(Throwable failure) {
            if (AwsErrors.cause(failure) instanceof ResourceNotFoundException) {
                missing = true;
            }
            return HealthCheckResponse.named(NAME).status(!missing).withData("name", table)
                    .withData("reason", AwsErrors.reason(failure).word())
                    .withData("error", String.valueOf(failure.getMessage())).build();
        }
    }
}
