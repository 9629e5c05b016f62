package dev.windrow.gather.read;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.gather.read.GatherSession.Arrivals;
import dev.windrow.gather.read.GatherSession.PendingRead;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class ArrivalsTest {

    private static final ShardPage PAGE = new ShardPage(List.of(), Optional.empty(), 0, 0.5);

    private final UniAssertSubscriber<Boolean> waiter = UniAssertSubscriber.create();
    private final PendingRead first = new PendingRead();
    private final PendingRead second = new PendingRead();

    @Test
    void theWaitEndsWithTheLastRead() {
        Arrivals arrivals = arrivals(false);
        addBoth(arrivals);
        arrivals.allAdded();
        first.onFailure(new GatherException(Reason.THROTTLED, "slow down"));
        waiter.assertNotTerminated();

        second.onItem(PAGE);

        waiter.assertItem(true);
    }

    @Test
    void theFirstFailureEndsTheWaitWhereItIsFinal() {
        Arrivals arrivals = arrivals(true);
        addBoth(arrivals);
        arrivals.allAdded();

        first.onFailure(new GatherException(Reason.THROTTLED, "slow down"));

        waiter.assertItem(true);
    }

    @Test
    void theTimeEndsTheWaitOnlyOnceAllReadsWereAdded() {
        Arrivals arrivals = arrivals(false);
        addBoth(arrivals);
        arrivals.expire();
        first.onItem(PAGE);
        waiter.assertNotTerminated();

        arrivals.allAdded();

        waiter.assertItem(false);
    }

    @Test
    void theTimeIsOverTooLate() {
        Arrivals arrivals = arrivals(false);
        addBoth(arrivals);
        arrivals.allAdded();
        first.onItem(PAGE);
        second.onItem(PAGE);

        arrivals.expire();

        waiter.assertItem(true);
    }

    private void addBoth(Arrivals arrivals) {
        arrivals.add(first);
        arrivals.add(second);
    }

    private Arrivals arrivals(boolean failFast) {
        Arrivals[] made = new Arrivals[1];
        Uni.createFrom().<Boolean> emitter(emitter -> made[0] = new Arrivals(emitter, failFast))
                .subscribe().withSubscriber(waiter);
        return made[0];
    }
}
