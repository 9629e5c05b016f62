package dev.windrow.writer.flow;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.windrow.admission.Bulkhead;
import dev.windrow.reason.Reason;
import dev.windrow.reason.Sanitized;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.acknowledge.FifoGroupTracker;
import dev.windrow.writer.acknowledge.InFlightMessages;
import dev.windrow.writer.aggregate.ContributionOutcome;
import dev.windrow.writer.aggregate.PendingMessage;
import dev.windrow.writer.deadletter.DeadLetter;
import dev.windrow.writer.deadletter.DeadLetterSender;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.message.HeapSize;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.source.InFlightLimiter;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * How messages end: deleted once all of them is somewhere else, or handed back to their queue. Either way their room is
 * given back, once.
 */
final class MessageCompletion {

    private static final Logger LOG = Logger.getLogger(MessageCompletion.class);
    private static final Duration CHECK = Duration.ofMillis(20);
    /**
     * Messages whose dead letters are sent at a time, several each: together no more than the spare connections. Letters are
     * copies of their messages, so they are made no earlier. How many wait is bounded by the messages in memory.
     */
    private static final int MAX_MESSAGES_WITH_LETTERS = 4;
    private static final Duration MAX_EXTENSION = Duration.ofSeconds(2);

    private final InFlightMessages held;
    private final InFlightLimiter room;
    private final Acknowledger acknowledger;
    private final DeadLetterSender deadLetters;
    private final Bulkhead letters = new Bulkhead(MAX_MESSAGES_WITH_LETTERS);
    private final FlowMetrics metrics;
    private final AccessDeniedPolicy denials;
    private final FifoGroupTracker order = new FifoGroupTracker();
    private final LastErrors lastErrors = new LastErrors();
    private final AtomicInteger extensions = new AtomicInteger();
    private final Consumer<PendingMessage> ended;
    private volatile boolean closing;

    /** @param ended is given each message that has ended */
    MessageCompletion(FlowParts parts, Consumer<PendingMessage> ended) {
        this.held = parts.held();
        this.room = parts.room();
        this.acknowledger = parts.acknowledger();
        this.deadLetters = parts.deadLetters();
        this.metrics = parts.metrics();
        this.denials = parts.denials();
        this.ended = ended;
    }

    /**
     * Notes a message that was received.
     *
     * @return null if it waits here already, and goes on under its new receipt
     */
    @Nullable
    PendingMessage await(Message message) {
        if (held.renew(message)) {
            metrics.renewed();
            room.decoding(HeapSize.of(message));
            room.release(HeapSize.of(message));
            return null;
        }
        PendingMessage pending = new PendingMessage(message);
        held.add(pending);
        order.add(pending);
        return pending;
    }

    /** Why a message was handed back the last time, for people. */
    String lastError(Message message) {
        String error = lastErrors.of(message.id());
        return error == null ? "unknown here" : error;
    }

    /** Notes memory that a message holds from now on. @return false if it has ended meanwhile */
    boolean hold(PendingMessage pending, long bytes) {
        boolean held = pending.hold(bytes);
        if (held) {
            room.grow(bytes);
        }
        return held;
    }

    /** Nothing of a message can be counted. */
    void rejected(PendingMessage pending, Reason reason, String detail) {
        sendToDeadLetterQueue(pending, () -> List.of(DeadLetter.whole(pending.message(), reason, detail)));
    }

    /** All shares of a message are in the table; what of it was rejected becomes dead letters. */
    void applied(PendingMessage pending) {
        DecodeResult decoded = pending.rejected();
        if (decoded == null) {
            acknowledge(pending);
            return;
        }
        sendToDeadLetterQueue(pending,
                () -> decoded.rejections().stream().map(rejection -> letter(pending, decoded, rejection)).toList());
    }

    /** Some share of a message is not in the table. */
    void failed(PendingMessage pending, ContributionOutcome.Failed failure) {
        if (failure.isFinal() || denials.givesUp(pending.message(), failure)) {
            rejected(pending, failure.reason(), failure.detail());
            return;
        }
        lastErrors.note(pending.message().id(), failure.reason().word() + ": " + failure.detail());
        LOG.warnf("message handed back: reason=%s message=%s detail=%s", failure.reason().word(), pending.message().id(),
                Sanitized.line(failure.detail()));
        returnToQueue(pending, failure.reason());
    }

    /** Dead letters first: a message is deleted once all of it is somewhere else. */
    private void sendToDeadLetterQueue(PendingMessage pending, Supplier<List<DeadLetter>> made) {
        letters.run(() -> deadLetters.send(counted(made.get()))).onFailure().recoverWithItem(false).subscribe().with(sent -> {
            if (sent) {
                acknowledge(pending);
            } else {
                returnToQueue(pending, Reason.UNAVAILABLE);
            }
        });
    }

    private List<DeadLetter> counted(List<DeadLetter> some) {
        some.forEach(metrics::deadLetter);
        return some;
    }

    private void acknowledge(PendingMessage pending) {
        for (PendingMessage ready : order.applied(pending)) {
            held.ending(ready);
            acknowledger.delete(ready.message()).subscribe().with(deleted -> {
                metrics.deleted(deleted);
                forget(ready);
            });
        }
    }

    /** Not at once: what failed now would fail again, in a loop as fast as the queue. */
    private void returnToQueue(PendingMessage pending, Reason reason) {
        metrics.returnedToQueue(reason);
        for (PendingMessage back : order.failed(pending)) {
            back.abandon();
            held.ending(back);
            acknowledger.returnToQueueLater(back.message()).subscribe().with(done -> forget(back));
        }
    }

    private void forget(PendingMessage pending) {
        if (held.remove(pending)) {
            room.decoding(pending.beginDecoding());
            room.release(pending.release());
            ended.accept(pending);
        }
    }

    private static DeadLetter letter(PendingMessage pending, DecodeResult decoded, RejectedEvent rejection) {
        return rejection.index() == RejectedEvent.WHOLE
                ? DeadLetter.whole(pending.message(), rejection.reason(), rejection.explanation())
                : DeadLetter.event(pending.message(), rejection.index(), rejection.text(), decoded.attributes(),
                        rejection.reason(), rejection.explanation());
    }

    /**
     * Hides messages anew that are about to become visible while they wait; takes no more while that does not succeed in time.
     */
    void extendVisibility() {
        if (closing) {
            return;
        }
        List<PendingMessage> due = held.takeDue();
        room.close(held.isLate());
        room.look();
        for (PendingMessage pending : due) {
            extensions.incrementAndGet();
            acknowledger.extend(pending.message(), () -> !closing && held.needsExtension(pending)).subscribe()
                    .with(extended -> {
                        held.extended(pending);
                        extensions.decrementAndGet();
                    });
        }
    }

    /** Completes once a condition holds and every message has ended. */
    Uni<Void> allEnded(BooleanSupplier condition) {
        return until(() -> condition.getAsBoolean() && held.size() == 0);
    }

    /**
     * Hands back what is left. An extension that overtook the return of its message would hide it again, so those under
     * way end first.
     *
     * @return how many messages were handed back
     */
    Uni<Integer> returnAllToQueue() {
        closing = true;
        return until(() -> extensions.get() == 0)
                .ifNoItem().after(MAX_EXTENSION).recoverWithUni(Uni.createFrom().voidItem())
                .chain(this::returnInFlight);
    }

    private Uni<Integer> returnInFlight() {
        List<PendingMessage> left = held.all();
        left.forEach(PendingMessage::abandon);
        return left.isEmpty() ? Uni.createFrom().item(0)
                : Uni.join().all(left.stream().map(pending -> acknowledger.returnToQueue(pending.message())).toList())
                        .andFailFast().invoke(done -> left.forEach(this::forget)).replaceWith(left.size());
    }

    private static Uni<Void> until(BooleanSupplier condition) {
        return Multi.createFrom().ticks().onExecutor(Infrastructure.getDefaultWorkerPool()).every(CHECK)
                .onOverflow().drop().select().where(tick -> condition.getAsBoolean()).toUni().replaceWithVoid();
    }
}
