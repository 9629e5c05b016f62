package dev.windrow.gather.operate;

import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.event.TenantNames;
import dev.windrow.gather.fanout.GatherOrder;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.label.LabelPartition;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.RegisteredDatasets;
import dev.windrow.time.Granularity;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

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
        return new GatherRequest(scope, plan, GatherOrder.ASCENDING, 1, options);
    }

    private static int shards(QueryPlan plan) {
        return plan.stages().stream().mapToInt(stage -> stage.shards().size()).max().orElse(0);
    }

}
