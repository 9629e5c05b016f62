package dev.windrow.base;

import java.util.concurrent.CompletableFuture;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * One run of an asynchronous task, whose outcome any number of subscribers share; those that cancel leave the run to the
 * others. Mutiny's {@code memoize()} does the same, but where a subscription races with the outcome, the subscriber may get
 * the item before the subscription (seen with Mutiny 3.1), and {@code chain} behind it fails. Thread-safe.
 */
public final class SharedOutcome<T> {

    private final CompletableFuture<T> outcome = new CompletableFuture<>();

    /** Starts the task. To be called once. */
    public void start(Uni<T> work) {
        Cancellable unused = work.subscribe().with(outcome::complete, outcome::completeExceptionally);
    }

    /** The task's item or failure, once there is one. */
    public Uni<T> uni() {
        // A copy, as cancelling cancels the future.
        return Uni.createFrom().completionStage(outcome::copy);
    }
}
