package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.gather.fanout.ItemReader.ItemKey;
import dev.windrow.log.LogKey;
import dev.windrow.log.StructuredLogger;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/**
 * Knows which leaderboards are complete: the table says it of those that were declared with their dataset, or that the writer's
 * command has completed. Any other is not read, as it lacks items. Thread-safe.
 */
public final class CompleteRanks {

    private static final StructuredLogger LOG = StructuredLogger.of(CompleteRanks.class);

    private final ItemReader items;
    private final List<String> names;
    private final List<String> attributes;
    private final LongSupplier nanoTime;
    private final long refreshNanos;
    private @Nullable Uni<Map<String, Set<String>>> latest;
    private long latestNanos;

    /** @param refresh how long the answer is used before the table is read again */
    public CompleteRanks(ItemReader items, Datasets datasets, LongSupplier nanoTime, Duration refresh) {
        this.items = items;
        this.names = datasets.all().stream().filter(dataset -> !dataset.ranks().isEmpty()).map(Dataset::name).toList();
        this.attributes = names.stream().map(TableSchema::rankedAttribute).toList();
        this.nanoTime = nanoTime;
        this.refreshNanos = refresh.toNanos();
    }

    private synchronized Uni<Map<String, Set<String>>> current() {
        Uni<Map<String, Set<String>>> known = latest;
        if (known == null || nanoTime.getAsLong() - latestNanos >= refreshNanos) {
            known = read().memoize().indefinitely();
            latest = known;
            latestNanos = nanoTime.getAsLong();
        }
        return known;
    }

    private Uni<Map<String, Set<String>>> read() {
        return Uni.createFrom().deferred(() -> items.read(
                List.of(new ItemKey(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK)), attributes, true))
                .map(found -> {
                    Map<String, Set<String>> ranks = new HashMap<>();
                    found.texts().forEach(texts -> names.forEach(name -> ranks.put(name,
                            Rank.parseLines(texts.getOrDefault(TableSchema.rankedAttribute(name), "")))));
                    return ranks;
                })
                .onFailure().recoverWithItem(failure -> {
                    LOG.warn("the registered datasets could not be read: no leaderboard is used meanwhile",
                            LogKey.REASON.of(GatherException.reasonOf(failure).word()), LogKey.ERROR.of(failure.getMessage()));
                    return new HashMap<>();
                });
    }

    /** Whether all items of a dataset are in a leaderboard of it; never fails. */
    public Uni<Boolean> contains(Dataset dataset, Rank rank) {
        return Uni.createFrom().deferred(this::current)
                .map(ranks -> ranks.getOrDefault(dataset.name(), Set.of()).contains(rank.text()));
    }
}
