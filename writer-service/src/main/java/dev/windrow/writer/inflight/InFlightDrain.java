package dev.windrow.writer.inflight;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.inflight.pending.PendingMessage;
import io.smallrye.mutiny.Uni;

/** Waits for the messages in memory to end, and returns those that do not to their queue. */
public final class InFlightDrain {

    private final InFlightMessages messages;
    private final VisibilityHeartbeat heartbeat;
    private final Acknowledger acknowledger;

    public InFlightDrain(InFlightMessages messages, VisibilityHeartbeat heartbeat, Acknowledger acknowledger) {
        this.messages = messages;
        this.heartbeat = heartbeat;
        this.acknowledger = acknowledger;
    }

    /**
     * Completes once every message has ended.
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
            return left.isEmpty() ? Uni.createFrom().item(0)
                    : Uni.join().all(left.stream().map(pending -> acknowledger.returnToQueue(pending.message())).toList())
                            .andFailFast().invoke(done -> left.forEach(messages::end)).replaceWith(left.size());
        });
    }
}
