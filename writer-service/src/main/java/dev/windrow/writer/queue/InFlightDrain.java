package dev.windrow.writer.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Waits for the messages in memory to end, and returns those that do not to their queue.
 *
 * @param returnTimeout how long returning messages to SQS may take
 */
public record InFlightDrain(InFlightMessages messages, Visibility heartbeat, Acknowledger acknowledger,
        Duration returnTimeout) {

    /**
     * Completes once every message has ended. One that cannot be returned is redelivered after its visibility timeout.
     *
     * @param ended whether no further message will be received, and none in memory will end
     * @param timeout how long to wait for this before messages are returned to their queue
     * @return the number of messages that were returned
     */
    public Uni<Integer> drain(BooleanSupplier ended, Duration timeout) {
        return MessageCompletion.until(ended).ifNoItem().after(timeout).recoverWithItem(() -> null)
                .chain(() -> messages.isEmpty() ? Uni.createFrom().item(0) : returnAll());
    }

    /** Returns messages once extensions in flight have ended: one that overtook a return would hide its message again. */
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
