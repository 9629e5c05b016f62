package dev.windrow.base;

import java.util.List;

import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Uni;

/** Joins several asynchronous tasks. */
public final class Joined {

    private Joined() {
    }

    /** Runs all tasks concurrently: their number must be bounded elsewhere. */
    public static <T> Uni<List<T>> all(List<Uni<T>> tasks) {
        return all(tasks, Integer.MAX_VALUE);
    }

    /**
     * Returns the items of all tasks, at least one, in the order of the tasks. If any fail, it fails with the first failure
     * once all have ended. A join that failed immediately would cancel the others, and if several failed together, as at a
     * shared deadline, Mutiny would drop the failures it could no longer deliver and print their stack traces.
     *
     * @param concurrency maximum number of concurrent tasks
     */
    public static <T> Uni<List<T>> all(List<Uni<T>> tasks, int concurrency) {
        return Uni.join().all(tasks).usingConcurrencyOf(Math.min(concurrency, tasks.size())).andCollectFailures()
                .onFailure(CompositeException.class).transform(failures -> failures.getCauses().get(0));
    }
}
