package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.gather.fanout.ItemReader.ItemKey;
import dev.windrow.gather.lane.RefreshedValue;
import dev.windrow.log.LogKey;
import dev.windrow.log.StructuredLogger;
import dev.windrow.reason.Reason;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/**
 * Knows which leaderboards are complete: the table says it of those that were declared with their dataset, or that the writer's
 * command has completed. Any other is not read, as it lacks items. One read of the table is under way at a time. Thread-safe.
 */
public final class CompleteRanks {

    private static final StructuredLogger LOG = StructuredLogger.of(CompleteRanks.class);

    private final ItemReader items;
    private final List<String> names;
    private final List<String> attributes;
    private final Duration timeout;
    private final RefreshedValue<Map<String, Set<String>>> ranks;
    private volatile boolean failing;

    /**
     * @param refresh how long the answer is used before the table is read again
     * @param timeout of a read; no leaderboard is complete where it takes longer
     */
    public CompleteRanks(ItemReader items, Datasets datasets, LongSupplier nanoTime, Duration refresh, Duration timeout) {
        this.items = items;
        this.names = datasets.all().stream().filter(dataset -> !dataset.ranks().isEmpty()).map(Dataset::name).toList();
        this.attributes = names.stream().map(TableSchema::rankedAttribute).toList();
        this.timeout = timeout;
        this.ranks = new RefreshedValue<>(Map.of(), nanoTime, refresh, this::read);
    }

    private Uni<Map<String, Set<String>>> read() {
        return Uni.createFrom().deferred(() -> items.read(
                List.of(new ItemKey(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK)), attributes, true))
                .ifNoItem().after(timeout)
                .failWith(() -> new GatherException(Reason.TIMED_OUT, "the registered datasets were not read in time"))
                .map(this::found)
                .onFailure().recoverWithItem(this::failed);
    }

    private Map<String, Set<String>> found(ItemReader.Items found) {
        if (failing) {
            LOG.info("the registered datasets can be read again: complete leaderboards are used");
        }
        failing = false;
        Map<String, Set<String>> complete = new HashMap<>();
        found.texts().forEach(texts -> names.forEach(name -> complete.put(name,
                Rank.parseLines(texts.getOrDefault(TableSchema.rankedAttribute(name), "")))));
        return complete;
    }

    private Map<String, Set<String>> failed(Throwable failure) {
        // Logged once until a read succeeds, because it is read again every second.
        if (!failing) {
            LOG.warn("the registered datasets could not be read: no leaderboard is used meanwhile",
                    LogKey.REASON.of(GatherException.reasonOf(failure).word()), LogKey.ERROR.of(failure.getMessage()));
        }
        failing = true;
        return Map.of();
    }

    /** Whether all items of a dataset are in a leaderboard of it; never fails. */
    public Uni<Boolean> contains(Dataset dataset, Rank rank) {
        return ranks.current().map(complete -> complete.getOrDefault(dataset.name(), Set.of()).contains(rank.text()));
    }
}
