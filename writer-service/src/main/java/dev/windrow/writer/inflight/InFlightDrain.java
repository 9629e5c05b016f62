package dev.windrow.writer.inflight;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.inflight.pending.PendingMessage;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Waits for the messages in memory to end, and returns those that do not to their queue. */
public final class InFlightDrain {

    private final InFlightMessages messages;
    private final VisibilityHeartbeat heartbeat;
    private final Acknowledger acknowledger;
    private final Duration returnTimeout;

    /** @param returnTimeout how long SQS may take to have messages returned */
    public InFlightDrain(InFlightMessages messages, VisibilityHeartbeat heartbeat, Acknowledger acknowledger,
            Duration returnTimeout) {
        this.messages = messages;
        this.heartbeat = heartbeat;
        this.acknowledger = acknowledger;
        this.returnTimeout = returnTimeout;
    }

    /**
     * Completes once every message has ended. One that cannot even be returned is redelivered after its visibility timeout.
     *
     * @param received whether no further message will be received
     * @param timeout how long messages are waited for before they are returned to their queue
     * @return the number of messages that were returned
     */
    public Uni<Integer> drain(BooleanSupplier received, Duration timeout) {
        return Polling.until(() -> received.getAsBoolean() && messages.isEmpty()).replaceWith(0)
                .ifNoItem().after(timeout).recoverWithUni(this::returnAll);
    }

    /** An extension that overtook the return of its message would hide it again, so those under way end first. */
    private Uni<Integer> returnAll() {
        return heartbeat.stop().chain(() -> {
            List<PendingMessage> left = messages.all();
            left.forEach(PendingMessage::abandon);
            AtomicInteger returned = new AtomicInteger();
            return Multi.createFrom().iterable(left).onItem()
                    .transformToUni(pending -> acknowledger.returnToQueue(pending.message())
                            .invoke(done -> returned.addAndGet(done ? 1 : 0)))
                    .merge(Integer.MAX_VALUE).collect().last().replaceWithVoid()
                    .ifNoItem().after(returnTimeout).recoverWithUni(Uni.createFrom().voidItem())
                    .invoke(() -> left.forEach(messages::end)).replaceWith(returned::get);
        });
    }
}
