package dev.windrow.writer.process;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;

/**
 * When a writer is killed: while one of its requests is on its way. That is exact to the request, and needs no clock.
 *
 * @param operation its request at that moment
 * @param number of its requests of that kind, from 1
 * @param applied whether the request is still carried out
 */
record KillMoment(String operation, int number, boolean applied) {

    /** Claims are few; each of the others comes for each batch of messages or each bucket. */
    private static final List<String> OPERATIONS = List.of("ReceiveMessage", "UpdateItem", "DeleteMessageBatch");
    private static final int LATEST = 6;

    static KillMoment random(RandomGenerator random) {
        if (random.nextInt(4) == 0) {
            return new KillMoment("TransactWriteItems", 1, random.nextBoolean());
        }
        return new KillMoment(OPERATIONS.get(random.nextInt(OPERATIONS.size())), 1 + random.nextInt(LATEST),
                random.nextBoolean());
    }

    /** All is written, nothing deleted: every message of that batch comes again. */
    static KillMoment beforeDelete() {
        return new KillMoment("DeleteMessageBatch", 1, false);
    }

    /** Kills the first of several writers that gets there, and returns which it was. */
    CompletableFuture<WriterSlot> arm(List<WriterSlot> slots) {
        CompletableFuture<WriterSlot> victim = new CompletableFuture<>();
        for (WriterSlot slot : slots) {
            FaultPlan plan = plan(slot, victim);
            slot.dynamoDb().use(plan);
            slot.sqs().use(plan);
        }
        return victim;
    }

    private FaultPlan plan(WriterSlot slot, CompletableFuture<WriterSlot> victim) {
        AtomicInteger seen = new AtomicInteger();
        FaultPlan kill = request -> {
            if (seen.incrementAndGet() < number || !victim.complete(slot)) {
                return new Fault.Pass();
            }
            slot.process().kill();
            return applied ? new Fault.Pass() : new Fault.CutBefore();
        };
        return kill.onlyFor(operation);
    }
}
