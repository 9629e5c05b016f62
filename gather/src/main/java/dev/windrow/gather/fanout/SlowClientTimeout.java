package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Durations;
import dev.windrow.base.Reason;
import dev.windrow.base.TimerDelays;
import dev.windrow.gather.read.GatherException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.operators.multi.AbstractMultiOperator;
import io.smallrye.mutiny.operators.multi.MultiOperatorProcessor;
import io.smallrye.mutiny.subscription.MultiSubscriber;

/**
 * Ends a stream whose client requests nothing for some time. Mutiny's timeouts run from item to item, and so cannot
 * distinguish a slow client from a slow source.
 */
public final class SlowClientTimeout<T> extends AbstractMultiOperator<T, T> {

    private final Duration timeout;
    private final ScheduledExecutorService timer;

    /** @param timeout how long the client may request nothing once it has received all that it requested */
    public SlowClientTimeout(Multi<T> upstream, Duration timeout, ScheduledExecutorService timer) {
        super(upstream);
        this.timeout = TimerDelays.atLeastShortest(timeout);
        this.timer = timer;
    }

    @Override
    public void subscribe(MultiSubscriber<? super T> downstream) {
        upstream().subscribe().withSubscriber(new Processor(downstream));
    }

    private final class Processor extends MultiOperatorProcessor<T, T> {

        private long wanted;
        private boolean ended;
        private @Nullable ScheduledFuture<?> deadline;

        Processor(MultiSubscriber<? super T> downstream) {
            super(downstream);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            super.onSubscribe(subscription);
            startIfNothingIsWanted();
        }

        @Override
        public void request(long more) {
            synchronized (this) {
                wanted = wanted + more < 0 ? Long.MAX_VALUE : wanted + more;
                stop();
            }
            super.request(more);
        }

        @Override
        public void onItem(T item) {
            synchronized (this) {
                wanted--;
            }
            super.onItem(item);
            startIfNothingIsWanted();
        }

        @Override
        public void onFailure(Throwable failure) {
            end();
            super.onFailure(failure);
        }

        @Override
        public void onCompletion() {
            end();
            super.onCompletion();
        }

        @Override
        public void cancel() {
            end();
            super.cancel();
        }

        private synchronized void startIfNothingIsWanted() {
            if (wanted == 0 && !ended && deadline == null) {
                deadline = timer.schedule(this::expire, timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
        }

        private synchronized void stop() {
            ScheduledFuture<?> started = deadline;
            deadline = null;
            if (started != null) {
                started.cancel(false);
            }
        }

        private synchronized void end() {
            ended = true;
            stop();
        }

        private void expire() {
            synchronized (this) {
                if (wanted > 0 || ended) {
                    return;
                }
                ended = true;
            }
            Subscription source = getUpstreamSubscription();
            if (source != null) {
                source.cancel();
            }
            super.onFailure(
                    new GatherException(Reason.TIMED_OUT, "the client read nothing for " + Durations.text(timeout)));
        }
    }
}
