package dev.windrow.writer.flow;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import org.jboss.logging.Logger;

import dev.windrow.reason.Reason;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.acknowledge.GroupOrder;
import dev.windrow.writer.acknowledge.Held;
import dev.windrow.writer.aggregate.Aggregator;
import dev.windrow.writer.aggregate.Contributions;
import dev.windrow.writer.aggregate.Contributor;
import dev.windrow.writer.aggregate.PendingMessage;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.aggregate.ShareOutcome;
import dev.windrow.writer.deadletter.DeadLetter;
import dev.windrow.writer.deadletter.DeadLetters;
import dev.windrow.writer.decode.Decoded;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.EventText;
import dev.windrow.writer.decode.Rejection;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.Queue;
import dev.windrow.writer.source.MessageSource;
import dev.windrow.writer.source.Room;
import dev.windrow.writer.store.BucketStore;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * The writer, from the queue to the table and back: receive, decode, aggregate, store, acknowledge. Each step hands over
 * to the next; no thread waits.
 */
public final class WriterFlow {

    private static final Logger LOG = Logger.getLogger(WriterFlow.class);
    private static final Duration LONGEST_EXTENSION = Duration.ofSeconds(2);
    private static final Duration IDLE_CHECK = Duration.ofMillis(20);

    private final FlowParts parts;
    private final MessageSource source;
    private final Room room;
    private final EventDecoder decoder;
    private final Contributor contributor;
    private final Aggregator aggregator;
    private final BucketStore store;
    private final DeadLetters deadLetters;
    private final Acknowledger acknowledger;
    private final Held held;
    private final FlowMetrics metrics;
    private final LongSupplier nanoTime;
    private final GroupOrder order = new GroupOrder();
    private final LastErrors lastErrors = new LastErrors();
    private final AtomicInteger extensions = new AtomicInteger();
    private volatile boolean handingBack;
    private volatile boolean received;

    public WriterFlow(FlowParts parts) {
        this.parts = parts;
        this.source = parts.source();
        this.room = parts.room();
        this.decoder = parts.decoder();
        this.contributor = parts.contributor();
        this.aggregator = parts.aggregator();
        this.store = parts.store();
        this.deadLetters = parts.deadLetters();
        this.acknowledger = parts.acknowledger();
        this.held = parts.held();
        this.metrics = parts.metrics();
        this.nanoTime = parts.nanoTime();
    }

    /** Begins to receive. */
    public void start(List<Queue> queues, ScheduledExecutorService timer) {
        Multi.createFrom().ticks().onExecutor(timer).every(parts.tick()).onOverflow().drop()
                .subscribe().with(tick -> tick());
        source.batches(queues).subscribe().with(this::receive,
                failure -> LOG.error("the source failed", failure), () -> received = true);
    }

    // source

    private void receive(List<Message> batch) {
        batch.forEach(this::take);
    }

    private void take(Message message) {
        PendingMessage pending = new PendingMessage(message);
        held.add(pending);
        order.add(pending);
        try {
            decode(pending);
        } catch (RuntimeException e) {
            LOG.errorf(e, "message not understood: message=%s", message.id());
            pending.expect(1);
            settle(pending, new ShareOutcome.Failed(Reason.INTERNAL, e.toString()));
        }
    }

    // decode

    private void decode(PendingMessage pending) {
        Message message = pending.message();
        if (message.receiveCount() > parts.maxReceives()) {
            pending.reject(List.of(new Rejection(Rejection.WHOLE, Reason.REDELIVERED_TOO_OFTEN, "message",
                    "expected at most " + parts.maxReceives() + " receives, found " + message.receiveCount()
                            + ", last error: " + lastErrors.of(message.id()))));
            applied(pending);
            return;
        }
        Decoded decoded = decoder.decode(message);
        metrics.decoded(decoded);
        aggregate(pending, decoded);
    }

    // aggregate

    private void aggregate(PendingMessage pending, Decoded decoded) {
        Contributions contributions = contributor.contribute(pending, decoded.events());
        if (!decoded.rejections().isEmpty() || !contributions.rejections().isEmpty()) {
            pending.reject(decoded,
                    java.util.stream.Stream.concat(decoded.rejections().stream(), contributions.rejections().stream())
                            .toList());
        }
        if (contributions.shares().isEmpty()) {
            applied(pending);
            return;
        }
        pending.expect(contributions.shares().size());
        aggregator.add(contributions.shares(), nanoTime.getAsLong());
    }

    // store

    private void tick() {
        try {
            write();
            extend();
        } catch (RuntimeException e) {
            LOG.error("tick failed", e);
        }
    }

    private void extend() {
        if (handingBack) {
            return;
        }
        for (PendingMessage pending : held.takeDue()) {
            extensions.incrementAndGet();
            acknowledger.extend(pending.message()).subscribe().with(extended -> extensions.decrementAndGet());
        }
    }

    private void write() {
        boolean pressed = room.isFull() || room.bytes() >= parts.pressureBytes();
        for (SeriesBatch batch : aggregator.takeDue(nanoTime.getAsLong(), pressed)) {
            metrics.flushed(batch);
            store.apply(batch).subscribe().with(outcomes -> settle(batch, outcomes), failure -> {
                LOG.errorf(failure, "write failed: series=%s", batch.partitionKey());
                ShareOutcome failed = new ShareOutcome.Failed(Reason.INTERNAL, failure.toString());
                settle(batch, java.util.Collections.nCopies(batch.shares().size(), failed));
            });
        }
    }

    private void settle(SeriesBatch batch, List<ShareOutcome> outcomes) {
        aggregator.done(batch);
        metrics.settled(batch, outcomes);
        for (int i = 0; i < outcomes.size(); i++) {
            settle(batch.shares().get(i).message(), outcomes.get(i));
        }
        write();
    }

    private void settle(PendingMessage pending, ShareOutcome outcome) {
        if (!pending.settle(outcome) || pending.isAbandoned()) {
            return;
        }
        ShareOutcome.Failed failure = pending.failure();
        if (failure == null) {
            applied(pending);
        } else if (failure.isFinal()) {
            refused(pending, failure);
        } else {
            lastErrors.note(pending.message().id(), failure.reason().word() + ": " + failure.detail());
            LOG.warnf("message handed back: reason=%s message=%s detail=%s", failure.reason().word(),
                    pending.message().id(), failure.detail());
            handBack(pending);
        }
    }

    // acknowledge

    private void applied(PendingMessage pending) {
        List<DeadLetter> letters = pending.rejections().stream().map(rejection -> letter(pending, rejection)).toList();
        bury(pending, letters);
    }

    private void refused(PendingMessage pending, ShareOutcome.Failed failure) {
        bury(pending, List.of(DeadLetter.whole(pending.message(), failure.reason(), failure.detail())));
    }

    /** Dead letters first: a message is deleted once all of it is somewhere else. */
    private void bury(PendingMessage pending, List<DeadLetter> letters) {
        if (letters.isEmpty()) {
            acknowledge(pending);
            return;
        }
        letters.forEach(metrics::deadLetter);
        deadLetters.send(letters).subscribe().with(sent -> {
            if (sent) {
                acknowledge(pending);
            } else {
                handBack(pending);
            }
        });
    }

    private void acknowledge(PendingMessage pending) {
        for (PendingMessage ready : order.applied(pending)) {
            acknowledger.delete(ready.message()).subscribe().with(deleted -> {
                metrics.deleted(deleted);
                forget(ready);
            });
        }
    }

    private void handBack(PendingMessage pending) {
        for (PendingMessage back : order.failed(pending)) {
            back.abandon();
            acknowledger.handBack(back.message()).subscribe().with(done -> forget(back));
        }
    }

    private void forget(PendingMessage pending) {
        if (held.remove(pending)) {
            room.release(pending.message().body().length());
        }
    }

    private static DeadLetter letter(PendingMessage pending, Rejection rejection) {
        Message message = pending.message();
        Decoded decoded = pending.rejected();
        if (decoded == null || rejection.index() == Rejection.WHOLE) {
            return DeadLetter.whole(message, rejection.reason(), rejection.explanation());
        }
        return new DeadLetter(message, rejection.index(),
                EventText.of(decoded.text(), decoded.kind(), rejection.index()), decoded.attributes(), rejection.reason(),
                rejection.explanation());
    }

    // end

    /**
     * Receives no more, writes and acknowledges what is in memory, and hands back what is left when time is over.
     *
     * @return the number of messages that were handed back
     */
    public Uni<Integer> drain(Duration limit) {
        source.stop();
        aggregator.hurry();
        write();
        return until(() -> received && held.size() == 0).replaceWith(0)
                .ifNoItem().after(limit).recoverWithUni(this::handBackAll);
    }

    /** An extension that overtook the return of its message would hide it again, so those under way end first. */
    private Uni<Integer> handBackAll() {
        handingBack = true;
        return until(() -> extensions.get() == 0).ifNoItem().after(LONGEST_EXTENSION)
                .recoverWithUni(Uni.createFrom().voidItem())
                .chain(this::handBackHeld);
    }

    private static Uni<Void> until(BooleanSupplier condition) {
        return Multi.createFrom().ticks().onExecutor(Infrastructure.getDefaultWorkerPool()).every(IDLE_CHECK)
                .onOverflow().drop().select().where(tick -> condition.getAsBoolean()).toUni().replaceWithVoid();
    }

    private Uni<Integer> handBackHeld() {
        List<PendingMessage> left = held.all();
        left.forEach(PendingMessage::abandon);
        return left.isEmpty() ? Uni.createFrom().item(0)
                : Uni.join().all(left.stream().map(pending -> acknowledger.handBack(pending.message())).toList())
                        .andFailFast().invoke(done -> left.forEach(this::forget)).replaceWith(left.size());
    }
}
