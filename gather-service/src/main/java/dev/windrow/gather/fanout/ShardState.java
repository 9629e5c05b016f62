package dev.windrow.gather.fanout;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.query.ShardQuery;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/** One shard of a stage: where its reading stands. Used by one thread at a time; only the future is completed by others. */
final class ShardState {

    /** What became of a read: a page, or why there is none. Partial failure is a value. */
    sealed interface Outcome {
        record Read(ShardPage page) implements Outcome {
        }

        record Failed(Throwable failure) implements Outcome {
        }
    }

    private static final int DRY_PAGE_GROWTH = 4;

    private final ShardQuery query;
    private Optional<ShardPage.Position> position = Optional.empty();
    private int requested;
    private int dryPage;
    private @Nullable CompletableFuture<Outcome> inFlight;
    private @Nullable Cancellable subscription;

    ShardState(ShardQuery query) {
        this.query = query;
    }

    ShardQuery query() {
        return query;
    }

    Optional<ShardPage.Position> position() {
        return position;
    }

    boolean isAsked() {
        return inFlight != null;
    }

    /** The size of the next page: a page that a filter let nothing through of is followed by one several times as long. */
    int pageSize(int usual, int largest) {
        return dryPage == 0 ? usual : Math.max(usual, Math.min(largest, DRY_PAGE_GROWTH * dryPage));
    }

    /** @param limit the page's */
    void read(Uni<ShardPage> read, int limit) {
        requested = limit;
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        inFlight = outcome;
        subscription = read.subscribe().with(page -> outcome.complete(new Outcome.Read(page)),
                failure -> outcome.complete(new Outcome.Failed(failure)));
    }

    /** The read that is under way, if one is. */
    List<CompletableFuture<Outcome>> pending() {
        return inFlight == null ? List.of() : List.of(inFlight);
    }

    /** The outcome of the read, once it is there; each is given once. */
    Optional<Outcome> takeOutcome() {
        CompletableFuture<Outcome> future = inFlight;
        if (future == null || !future.isDone()) {
            return Optional.empty();
        }
        inFlight = null;
        Outcome outcome = future.join();
        if (outcome instanceof Outcome.Read read) {
            position = read.page().next();
            dryPage = read.page().items().isEmpty() ? requested : 0;
        }
        return Optional.of(outcome);
    }

    /** Gives up the read under way. Its future stays open: a failure would reach those who have left. */
    void cancel() {
        Cancellable read = subscription;
        inFlight = null;
        subscription = null;
        if (read != null) {
            read.cancel();
        }
    }
}
