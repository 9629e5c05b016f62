package dev.windrow.gather.read;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetShape;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/**
 * The datasets as registered in the table: the keys they were written with, and their complete leaderboards. A leaderboard is
 * complete if it was declared with its dataset or the writer's command has completed it; any other lacks items and is not read.
 * One read of the table is in flight at a time. Thread-safe.
 */
public final class RegisteredDatasets {

    private static final StructuredLogger LOG = StructuredLogger.of(RegisteredDatasets.class);

    private final ItemReader items;
    private final List<Dataset> datasets;
    private final Duration timeout;
    private final ScheduledExecutorService timer;
    private final RefreshedValue<Registry> registry;
    private volatile boolean failing;

    /**
     * The registry as it was read last.
     *
     * @param ranks the complete leaderboards, by dataset
     * @param differences how the declaration of a dataset differs from the keys it was written with, by dataset; none if equal
     */
    private record Registry(Map<String, Set<String>> ranks, Map<String, String> differences) {
    }

    /**
     * @param refresh how long the answer is used before the table is read again
     * @param timeout of a read; if it takes longer, no leaderboard counts as complete
     * @param timer ends waits for reads
     */
    public RegisteredDatasets(ItemReader items, Datasets datasets, LongSupplier nanoTime, Duration refresh, Duration timeout,
            ScheduledExecutorService timer) {
        this.items = items;
        this.datasets = datasets.all();
        this.timeout = timeout;
        this.timer = timer;
        this.registry = new RefreshedValue<>(new Registry(Map.of(), Map.of()), nanoTime, refresh, this::read);
    }

    private Uni<Registry> read() {
        return Uni.createFrom().deferred(() -> items.read(
                List.of(new ItemKey(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK)), List.of(), true))
                .ifNoItem().after(timeout).on(timer)
                .failWith(() -> new GatherException(Reason.TIMED_OUT, "the registered datasets were not read in time"))
                .map(this::found)
                .onFailure().recoverWithItem(this::failed);
    }

    private Registry found(ItemReader.Items found) {
        if (failing) {
            LOG.info("the registered datasets can be read again: complete leaderboards are used");
        }
        failing = false;
        Map<String, String> texts = found.texts().stream().findFirst().orElse(Map.of());
        Map<String, Set<String>> ranks = datasets.stream().collect(Collectors.toMap(Dataset::name,
                dataset -> Rank.parseLines(texts.getOrDefault(TableSchema.rankedAttribute(dataset.name()), ""))));
        Map<String, String> differences = new HashMap<>();
        datasets.forEach(dataset -> difference(dataset, texts)
                .ifPresent(difference -> differences.put(dataset.name(), difference)));
        if (!differences.equals(registry.latest().differences())) {
            differences.forEach((name, difference) -> LOG.error("queries of dataset " + name + " fail",
                    LogKey.ERROR.of(difference), LogKey.REASON.of(Reason.SCHEMA_MISMATCH.word())));
        }
        return new Registry(ranks, differences);
    }

    /** Compares the declared keys with the registered ones; a dataset that is not registered has no items with other keys. */
    private static Optional<String> difference(Dataset dataset, Map<String, String> texts) {
        return Optional.ofNullable(texts.get(TableSchema.datasetAttribute(dataset.name())))
                .map(text -> DatasetShape.of(dataset, List.of()).keyDifferences(DatasetShape.parse(text)))
                .filter(differences -> !differences.isEmpty())
                .map(differences -> "the table was written with another declaration of dataset " + dataset.name() + ", "
                        + String.join(", ", differences) + "; start the gatherer with the writers' dataset file");
    }

    private Registry failed(Throwable failure) {
        // Logged once until a read succeeds, because it is read again every second.
        if (!failing) {
            LOG.warn("the registered datasets could not be read: no leaderboard is used meanwhile",
                    LogKey.REASON.of(GatherException.reasonOf(failure).word()), LogKey.ERROR.of(failure.getMessage()));
        }
        failing = true;
        return new Registry(Map.of(), registry.latest().differences());
    }

    /**
     * Whether a leaderboard holds all items of its dataset; never fails.
     *
     * @param patience how long to wait for a read of the table; then it counts as incomplete
     */
    public Uni<Boolean> contains(Dataset dataset, Rank rank, Duration patience) {
        return registry.current().map(read -> read.ranks().getOrDefault(dataset.name(), Set.of()).contains(rank.text()))
                .ifNoItem().after(patience).on(timer).recoverWithItem(false);
    }

    /** Whether the table was written with other keys of a dataset than declared here; never fails. */
    public Uni<Boolean> isOtherwise(Dataset dataset) {
        return registry.current().map(read -> read.differences().containsKey(dataset.name()));
    }

    /**
     * Fails with {@link Reason#SCHEMA_MISMATCH} if the table was written with other keys of a dataset than declared here.
     *
     * @param patience how long to wait for a read of the table before the result of the last one is used
     */
    public Uni<Void> requireSameKeys(Dataset dataset, Duration patience) {
        return registry.current().ifNoItem().after(patience).on(timer).recoverWithItem(registry::latest).invoke(read -> {
            String difference = read.differences().get(dataset.name());
            if (difference != null) {
                throw new GatherException(Reason.SCHEMA_MISMATCH, difference);
            }
        }).replaceWithVoid();
    }
}
