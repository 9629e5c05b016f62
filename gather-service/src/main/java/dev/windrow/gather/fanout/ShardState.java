package dev.windrow.gather.fanout;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.query.ShardQuery;
import io.smallrye.mutiny.Uni;

/** One shard of a stage: where its reading stands. Used by one thread at a time; only the future is completed by others. */
final class ShardState {

    /** What became of a read: a page, or why there is none. Partial failure is a value. */
    sealed interface Outcome {
        record Read(ShardPage page) implements Outcome {
        }

        record Failed(Throwable failure) implements Outcome {
        }
    }

    private final ShardQuery query;
    private Optional<ShardPage.Position> position = Optional.empty();
    private @Nullable CompletableFuture<Outcome> inFlight;

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

    void ask(Uni<ShardPage> read) {
        inFlight = read.onItem().<Outcome> transform(Outcome.Read::new)
                .onFailure().recoverWithItem(Outcome.Failed::new)
                .subscribeAsCompletionStage();
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
        }
        return Optional.of(outcome);
    }

    /** Gives up the read under way. */
    void cancel() {
        CompletableFuture<Outcome> future = inFlight;
        inFlight = null;
        if (future != null) {
            future.cancel(false);
        }
    }
}
