package dev.windrow.writer.process;

import java.time.Duration;
import java.util.Random;

import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Exchange.Cancellation;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultPlan.FaultMix;
import dev.windrow.local.fault.SqsFaults;

/** All that can go wrong between a writer and its servers, by chance; about a third of the requests meet a fault. */
final class UnreliableNetwork {

    private static final Duration LATE = Duration.ofMillis(300);

    private UnreliableNetwork() {
    }

    /** For writes: applied and lost, lost and not applied, late, throttled whole and by item, refused with 500. */
    static FaultPlan ofTheTable(Random random) {
        return new FaultMix(random).share(0.06, new Fault.CutAfter()).share(0.03, new Fault.CutBefore())
                .share(0.04, new Fault.DelayAfter(LATE))
                .share(0.03, new Fault.DelayBefore(LATE, new Fault.CutAfter()))
                .share(0.04, DynamoDbFaults.throughputExceeded()).share(0.02, DynamoDbFaults.throttled())
                .share(0.04, DynamoDbFaults.internalServerError())
                .share(0.03, DynamoDbFaults.transactionCanceled(Cancellation.THROTTLED, random))
                .share(0.03, DynamoDbFaults.transactionCanceled(Cancellation.THROUGHPUT_EXCEEDED, random))
                .share(0.03, DynamoDbFaults.transactionCanceled(Cancellation.CONFLICT, random))
                .onlyFor("TransactWriteItems", "UpdateItem", "PutItem");
    }

    /** For receives: messages that nobody gets, and that come again later. */
    static FaultPlan ofReceives(Random random) {
        return new FaultMix(random).share(0.05, new Fault.CutAfter()).share(0.05, new Fault.CutBefore())
                .share(0.05, SqsFaults.internalError()).onlyFor("ReceiveMessage");
    }

    /** For deletes: whole and partial failures, done and lost, throttled. */
    static FaultPlan ofDeletes(Random random) {
        return new FaultMix(random).share(0.3, SqsFaults.entriesFail(random, 0.5))
                .share(0.1, SqsFaults.entriesFail(random, 1)).share(0.1, SqsFaults.internalError())
                .share(0.1, new Fault.CutAfter()).share(0.05, new Fault.CutBefore())
                .share(0.05, SqsFaults.throttled()).onlyFor("DeleteMessageBatch");
    }
}
