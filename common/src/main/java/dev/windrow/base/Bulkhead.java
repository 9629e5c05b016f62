package dev.windrow.base;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import dev.windrow.base.AdmissionQueue.Admissible;
import dev.windrow.base.AdmissionQueue.Gate;
import dev.windrow.base.SharedTimer.TimerDelays;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/** Limits how many asynchronous tasks run at once, and how many may wait, first come, first served. Thread-safe. */
public final class Bulkhead {

    private final String what;
    private final Refusal refusal;
    private final AtomicInteger running = new AtomicInteger();
    private final AdmissionQueue queue;

    /** Makes the failure of a task that is not admitted. */
    public interface Refusal {

        /**
         * @param reason {@link Reason#OVERLOADED} if too many tasks wait already, {@link Reason#TIMED_OUT} if one waited
         *        too long
         * @param detail human-readable explanation
         */
        RuntimeException of(Reason reason, String detail);
    }

    /** A bulkhead that refuses nothing: how much can wait must be bounded elsewhere. */
    public Bulkhead(int permits) {
        this(permits, Integer.MAX_VALUE, "works", (reason, detail) -> new IllegalStateException(detail));
    }

    /**
     * @param permits maximum number of running tasks, at least 1
     * @param maxWaiting maximum number of waiting tasks, 0 to let none wait; more are refused
     * @param what is limited, a plural, for the detail of a refusal
     */
    public Bulkhead(int permits, int maxWaiting, String what, Refusal refusal) {
        this(() -> permits, maxWaiting, what, refusal);
    }

    /** The same with a number of running tasks that changes; what is raised shows when a task ends. */
    public Bulkhead(IntSupplier permits, int maxWaiting, String what, Refusal refusal) {
        this.what = what;
        this.refusal = refusal;
        this.queue = new AdmissionQueue(new Permits(running, permits), maxWaiting, () -> refusal.of(Reason.OVERLOADED,
                permits.getAsInt() + " " + what + " are running and " + maxWaiting + " are waiting, the limit of this server"));
    }

    /** Runs a task once there is a permit. */
    public <T> Uni<T> run(Supplier<Uni<T>> work) {
        return queue.run(1, work);
    }

    /**
     * The same, but the task that gets its permit is started after the outcome has been delivered: the outcome does not wait
     * until it has been started, which may take long.
     */
    public <T> Uni<T> runAndDeliver(Supplier<Uni<T>> work) {
        return queue.runAndDeliver(1, work);
    }

    /** Starts a task of weight 1 once there is a permit. */
    public void submit(Admissible work) {
        queue.submit(work);
    }

    /** Removes a task that was cancelled while it waited. */
    public void withdraw(Admissible work) {
        queue.withdraw(work);
    }

    /** Releases the permit of a task that was started, once it has stopped. */
    public void giveBack(Admissible work) {
        queue.giveBack(work);
    }

    /**
     * Runs a stream likewise; it keeps its permit until it completes, fails or is cancelled.
     *
     * @param maxWait how long it waits for its permit before it fails with {@link Reason#TIMED_OUT}
     */
    public <T> Multi<T> stream(Supplier<Multi<T>> work, Duration maxWait) {
        return Multi.createFrom().deferred(() -> {
            CompletableFuture<Boolean> begun = new CompletableFuture<>();
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            Cancellable permit = run(() -> {
                begun.complete(true);
                return Uni.createFrom().completionStage(ended);
            }).subscribe().with(done -> {
            }, begun::completeExceptionally);
            return Uni.createFrom().completionStage(begun)
                    .onFailure(CompletionException.class).transform(Bulkhead::cause)
                    .ifNoItem().after(TimerDelays.atLeastShortest(maxWait)).failWith(() -> refusal.of(Reason.TIMED_OUT,
                            "this one of the " + what + " waited too long for its turn"))
                    .onItem().transformToMulti(turn -> Multi.createFrom().deferred(work::get))
                    .onTermination().invoke(() -> {
                        permit.cancel();
                        ended.complete(true);
                    });
        });
    }

    private static Throwable cause(Throwable failure) {
        return failure.getCause() == null ? failure : failure.getCause();
    }

    /** How many tasks run now. */
    public int running() {
        return running.get();
    }

    /** How many tasks wait now. */
    public int waiting() {
        return queue.waiting();
    }

    /** @param running changed by the queue alone, under its lock */
    private record Permits(AtomicInteger running, IntSupplier permits) implements Gate {

        @Override
        public boolean tryTake(long weight) {
            boolean free = running.get() < permits.getAsInt();
            if (free) {
                running.incrementAndGet();
            }
            return free;
        }

        @Override
        public void giveBack(long weight) {
            running.decrementAndGet();
        }
    }
}
