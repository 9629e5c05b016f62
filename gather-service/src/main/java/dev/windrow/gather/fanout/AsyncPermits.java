package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.reason.Reason;
import dev.windrow.time.TimerDelays;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Lets a bounded number of asynchronous works run at once and a bounded number wait, first come first served. Every permit
 * taken is given back when its work ends, fails or is cancelled; waiting work that is cancelled gives up its place.
 */
public final class AsyncPermits {

    private final int permits;
    private final int maxWaiting;
    private final String what;
    private final Deque<Work<?>> waiting = new ArrayDeque<>();
    private final AtomicInteger wakeUps = new AtomicInteger();
    private int running;

    /**
     * @param permits how many may run, at least 1
     * @param maxWaiting how many may wait before more are refused
     * @param what is bounded, for the message of a refusal
     */
    public AsyncPermits(int permits, int maxWaiting, String what) {
        this.permits = permits;
        this.maxWaiting = maxWaiting;
        this.what = what;
    }

    /** Runs work once there is a permit; fails with {@link Reason#OVERLOADED} if too many wait already. */
    public <T> Uni<T> run(Supplier<Uni<T>> work) {
        return Uni.createFrom().emitter(emitter -> {
            Work<T> asked = new Work<>(work, emitter);
            emitter.onTermination(asked::cancel);
            if (enqueue(asked)) {
                startWaiting();
            } else {
                emitter.fail(new GatherException(Reason.OVERLOADED, permits + " " + what + " are running and "
                        + maxWaiting + " wait, the most this server takes on"));
            }
        });
    }

    /**
     * Runs a stream likewise; it holds its permit until it ends, fails or is cancelled.
     *
     * @param patience how long it waits for its permit; then it fails with {@link Reason#TIMED_OUT}
     */
    public <T> Multi<T> stream(Supplier<Multi<T>> work, Duration patience) {
        return Multi.createFrom().deferred(() -> {
            CompletableFuture<Boolean> begun = new CompletableFuture<>();
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            Cancellable permit = run(() -> {
                begun.complete(true);
                return Uni.createFrom().completionStage(ended);
            }).subscribe().with(done -> {
            }, begun::completeExceptionally);
            return Uni.createFrom().completionStage(begun)
                    .onFailure(CompletionException.class).transform(AsyncPermits::cause)
                    .ifNoItem().after(TimerDelays.atLeastShortest(patience)).failWith(() -> new GatherException(
                            Reason.TIMED_OUT, "the turn of this one of the " + what + " did not come in time"))
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

    /** How many run now. */
    public synchronized int running() {
        return running;
    }

    /** How many wait now. */
    public synchronized int waiting() {
        return waiting.size();
    }

    private synchronized boolean enqueue(Work<?> work) {
        if (running >= permits && waiting.size() >= maxWaiting) {
            return false;
        }
        waiting.add(work);
        return true;
    }

    private synchronized @Nullable Work<?> takeStartable() {
        if (running >= permits || waiting.isEmpty()) {
            return null;
        }
        running++;
        return waiting.remove();
    }

    private synchronized void giveBack() {
        running--;
    }

    private synchronized boolean leaveQueue(Work<?> work) {
        return waiting.remove(work);
    }

    /** One caller at a time starts work, so that work which ends at once makes a loop here and not a deep stack. */
    private void startWaiting() {
        if (wakeUps.getAndIncrement() != 0) {
            return;
        }
        int missed = 1;
        while (missed != 0) {
            Work<?> next = takeStartable();
            while (next != null) {
                start(next);
                next = takeStartable();
            }
            missed = wakeUps.addAndGet(-missed);
        }
    }

    /** Whatever a work throws is its own failure: thrown from here it would end the loop, and with it all work to come. */
    private static void start(Work<?> work) {
        try {
            work.start();
        } catch (Throwable thrown) {
            work.fail(thrown);
        }
    }

    private final class Work<T> {
        private final Supplier<Uni<T>> work;
        private final UniEmitter<? super T> emitter;
        private @Nullable Cancellable subscription;
        private boolean started;
        private boolean ended;

        Work(Supplier<Uni<T>> work, UniEmitter<? super T> emitter) {
            this.work = work;
            this.emitter = emitter;
        }

        void start() {
            synchronized (this) {
                started = true;
                if (ended) {
                    giveBack();
                    return;
                }
            }
            Cancellable begun = Uni.createFrom().<T> deferred(work::get).subscribe().with(item -> {
                end();
                emitter.complete(item);
            }, this::fail);
            boolean cancelledMeanwhile;
            synchronized (this) {
                subscription = begun;
                cancelledMeanwhile = ended;
            }
            if (cancelledMeanwhile) {
                begun.cancel();
            }
        }

        void fail(Throwable failure) {
            end();
            try {
                emitter.fail(failure);
            } catch (Throwable thrown) {
                Infrastructure.handleDroppedException(thrown);
            }
        }

        void cancel() {
            if (leaveQueue(this)) {
                return;
            }
            Cancellable running;
            synchronized (this) {
                running = subscription;
            }
            end();
            if (running != null) {
                running.cancel();
            }
        }

        private void end() {
            synchronized (this) {
                if (ended) {
                    return;
                }
                ended = true;
                if (!started) {
                    // Taken from the queue, but not started yet: start() gives the permit back.
                    return;
                }
            }
            giveBack();
            startWaiting();
        }
    }
}
