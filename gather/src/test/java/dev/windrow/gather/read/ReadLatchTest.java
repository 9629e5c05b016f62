package dev.windrow.gather.read;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.gather.read.GatherSession.ReadLatch;
import dev.windrow.gather.read.GatherSession.ShardState;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class ReadLatchTest {

    private static final ShardPage PAGE = new ShardPage(List.of(), Optional.empty(), 0, 0.5);

    private final UniAssertSubscriber<Boolean> waiter = UniAssertSubscriber.create();
    private final ShardState first = read();
    private final ShardState second = read();

    @Test
    void theWaitEndsWithTheLastRead() {
        ReadLatch arrivals = arrivals(false);
        addBoth(arrivals);
        arrivals.allAdded();
        first.onFailure(new GatherException(Reason.THROTTLED, "slow down"));
        waiter.assertNotTerminated();

        second.onItem(PAGE);

        waiter.assertItem(true);
    }

    @Test
    void theFirstFailureEndsTheWaitWhereItIsFinal() {
        ReadLatch arrivals = arrivals(true);
        addBoth(arrivals);
        arrivals.allAdded();

        first.onFailure(new GatherException(Reason.THROTTLED, "slow down"));

        waiter.assertItem(true);
    }

    @Test
    void theTimeEndsTheWaitOnlyOnceAllReadsWereAdded() {
        ReadLatch arrivals = arrivals(false);
        addBoth(arrivals);
        arrivals.expire();
        first.onItem(PAGE);
        waiter.assertNotTerminated();

        arrivals.allAdded();

        waiter.assertItem(false);
    }

    @Test
    void theTimeIsOverTooLate() {
        ReadLatch arrivals = arrivals(false);
        addBoth(arrivals);
        arrivals.allAdded();
        first.onItem(PAGE);
        second.onItem(PAGE);

        arrivals.expire();

        waiter.assertItem(true);
    }

    private void addBoth(ReadLatch arrivals) {
        first.await(arrivals);
        second.await(arrivals);
    }

    private static ShardState read() {
        ShardState shard = new ShardState(SimulatedReads.one().query());
        shard.read(Uni.createFrom().nothing(), 1);
        return shard;
    }

    private ReadLatch arrivals(boolean failFast) {
        ReadLatch[] made = new ReadLatch[1];
        Uni.createFrom().<Boolean> emitter(emitter -> made[0] = new ReadLatch(emitter, failFast))
                .subscribe().withSubscriber(waiter);
        return made[0];
    }
}
