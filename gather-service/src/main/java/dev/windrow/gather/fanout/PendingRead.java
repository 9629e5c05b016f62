package dev.windrow.gather.fanout;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;

/** A read under way and then its outcome: a page or a failure, which is a value here. Thread-safe. */
final class PendingRead implements UniSubscriber<ShardPage> {

    private @Nullable UniSubscription subscription;
    private @Nullable ShardPage page;
    private @Nullable Throwable failure;
    private @Nullable Arrivals waiting;
    private boolean ended;

    @Override
    public void onSubscribe(UniSubscription read) {
        boolean late;
        synchronized (this) {
            subscription = read;
            late = ended;
        }
        if (late) {
            read.cancel();
        }
    }

    @Override
    public void onItem(ShardPage item) {
        end(item, null);
    }

    @Override
    public void onFailure(Throwable thrown) {
        end(null, thrown);
    }

    private void end(@Nullable ShardPage item, @Nullable Throwable thrown) {
        Arrivals notified;
        synchronized (this) {
            page = item;
            failure = thrown;
            ended = true;
            subscription = null;
            notified = waiting;
        }
        if (notified != null) {
            notified.arrived(thrown != null);
        }
    }

    /** Notifies of the outcome, also if it is there already. */
    void onOutcome(Arrivals arrivals) {
        boolean late;
        boolean failed;
        synchronized (this) {
            waiting = arrivals;
            late = ended;
            failed = failure != null;
        }
        if (late) {
            arrivals.arrived(failed);
        }
    }

    synchronized boolean isEnded() {
        return ended;
    }

    /** The page, once the read has ended; null if it failed. */
    synchronized @Nullable ShardPage page() {
        return page;
    }

    /** Why there is no page, once the read has ended; null if there is one. */
    synchronized @Nullable Throwable failure() {
        return failure;
    }

    /** Gives up the read. Who waits for it is not notified: a failure would reach those who have left. */
    void cancel() {
        UniSubscription running;
        synchronized (this) {
            running = subscription;
            ended = true;
            waiting = null;
        }
        if (running != null) {
            running.cancel();
        }
    }
}
