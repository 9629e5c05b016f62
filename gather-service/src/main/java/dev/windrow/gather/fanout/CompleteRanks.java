package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.admission.SharedOutcome;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.gather.fanout.ItemReader.ItemKey;
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
    private final LongSupplier nanoTime;
    private final long refreshNanos;
    private final Duration timeout;
    private Map<String, Set<String>> latest = Map.of();
    private long latestNanos;
    private boolean failing;
    private @Nullable SharedOutcome<Map<String, Set<String>>> underWay;

    /**
     * @param refresh how long the answer is used before the table is read again
     * @param timeout of a read; no leaderboard is complete where it takes longer
     */
    public CompleteRanks(ItemReader items, Datasets datasets, LongSupplier nanoTime, Duration refresh, Duration timeout) {
        this.items = items;
        this.names = datasets.all().stream().filter(dataset -> !dataset.ranks().isEmpty()).map(Dataset::name).toList();
        this.attributes = names.stream().map(TableSchema::rankedAttribute).toList();
        this.nanoTime = nanoTime;
        this.refreshNanos = refresh.toNanos();
        this.timeout = timeout;
        this.latestNanos = nanoTime.getAsLong() - refreshNanos;
    }

    private Uni<Map<String, Set<String>>> current() {
        SharedOutcome<Map<String, Set<String>>> begun = new SharedOutcome<>();
        synchronized (this) {
            if (underWay != null) {
                return underWay.uni();
            }
            if (nanoTime.getAsLong() - latestNanos < refreshNanos) {
                return Uni.createFrom().item(latest);
            }
            underWay = begun;
        }
        begun.start(read(nanoTime.getAsLong()));
        return begun.uni();
    }

    private Uni<Map<String, Set<String>>> read(long readNanos) {
        return Uni.createFrom().deferred(() -> items.read(
                List.of(new ItemKey(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK)), attributes, true))
                .ifNoItem().after(timeout)
                .failWith(() -> new GatherException(Reason.TIMED_OUT, "the registered datasets were not read in time"))
                .map(found -> keep(ranks(found), readNanos))
                .onFailure().recoverWithItem(failure -> keep(failure, readNanos));
    }

    private Map<String, Set<String>> ranks(ItemReader.Items found) {
        Map<String, Set<String>> ranks = new HashMap<>();
        found.texts().forEach(texts -> names.forEach(name -> ranks.put(name,
                Rank.parseLines(texts.getOrDefault(TableSchema.rankedAttribute(name), "")))));
        return ranks;
    }

    private synchronized Map<String, Set<String>> keep(Map<String, Set<String>> ranks, long readNanos) {
        if (failing) {
            LOG.info("the registered datasets can be read again: complete leaderboards are used");
        }
        failing = false;
        return use(ranks, readNanos);
    }

    private synchronized Map<String, Set<String>> keep(Throwable failure, long readNanos) {
        // Logged once until a read succeeds, because it is read again every second.
        if (!failing) {
            LOG.warn("the registered datasets could not be read: no leaderboard is used meanwhile",
                    LogKey.REASON.of(GatherException.reasonOf(failure).word()), LogKey.ERROR.of(failure.getMessage()));
        }
        failing = true;
        return use(Map.of(), readNanos);
    }

    private Map<String, Set<String>> use(Map<String, Set<String>> ranks, long readNanos) {
        latest = ranks;
        latestNanos = readNanos;
        underWay = null;
        return ranks;
    }

    /** Whether all items of a dataset are in a leaderboard of it; never fails. */
    public Uni<Boolean> contains(Dataset dataset, Rank rank) {
        return Uni.createFrom().deferred(this::current)
                .map(ranks -> ranks.getOrDefault(dataset.name(), Set.of()).contains(rank.text()));
    }
}
