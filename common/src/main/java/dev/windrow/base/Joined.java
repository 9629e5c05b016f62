package dev.windrow.base;

import java.util.List;

import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Uni;

/** Several asynchronous tasks together. */
public final class Joined {

    private Joined() {
    }

    /** The same with all tasks at a time: how many there are must be bounded elsewhere. */
    public static <T> Uni<List<T>> all(List<Uni<T>> tasks) {
        return all(tasks, Integer.MAX_VALUE);
    }

    /**
     * The items of all, in the order of the tasks, of which there is one at least. If any fails, this fails with the first
     * failure once all have ended: a join that fails at once cancels the others, and where several fail together, as at one
     * deadline, Mutiny drops what cannot be delivered any more, and prints it with its stack trace.
     *
     * @param concurrency maximum number of tasks at a time
     */
    public static <T> Uni<List<T>> all(List<Uni<T>> tasks, int concurrency) {
        return Uni.join().all(tasks).usingConcurrencyOf(Math.min(concurrency, tasks.size())).andCollectFailures()
                .onFailure(CompositeException.class).transform(failures -> failures.getCauses().get(0));
    }
}
