package dev.windrow.writer.flow;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

import org.jboss.logging.Logger;

import dev.windrow.admission.DrainLoop;
import dev.windrow.reason.LoggedFailure;
import dev.windrow.reason.Reason;
import dev.windrow.reason.Sanitized;
import dev.windrow.writer.aggregate.ContributionBuilder;
import dev.windrow.writer.aggregate.ContributionOutcome;
import dev.windrow.writer.aggregate.MessageContributions;
import dev.windrow.writer.aggregate.PendingMessage;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MemoryBudgetExceededException;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.opentelemetry.api.trace.Span;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * The writer, from the queue to the table and back: receive, decode, aggregate, store, acknowledge. Each step hands over
 * to the next; no thread waits.
 */
public final class WriterFlow {

    private static final Logger LOG = Logger.getLogger(WriterFlow.class);

    private final FlowParts parts;
    private final FlowMetrics metrics;
    private final MessageCompletion endings;
    private final DecodeQueue waiting;
    private final DrainLoop writes = new DrainLoop(this::writeDue);
    private volatile boolean received;

    public WriterFlow(FlowParts parts) {
        this.parts = parts;
        this.metrics = parts.metrics();
        this.waiting = new DecodeQueue(parts.room(), parts.workers(), parts.concurrentDecodings(), parts.maxDecodingBytes(),
                parts.nanoTime(), this::decode);
        this.endings = new MessageCompletion(parts, waiting::ended);
    }

    /** Begins to receive. */
    public void start(List<SourceQueue> queues, ScheduledExecutorService timer) {
        Multi.createFrom().ticks().onExecutor(timer).every(parts.tick()).onOverflow().drop()
                .subscribe().with(tick -> tick());
        parts.source().batches(queues).subscribe().with(batch -> batch.forEach(this::take),
                failure -> LOG.error("the source failed", LoggedFailure.of(failure)), () -> received = true);
    }

    // source

    private void take(Message message) {
        PendingMessage pending = endings.await(message);
        if (pending != null) {
            waiting.add(pending);
        }
    }

    // decode

    private void decode(PendingMessage pending, MemoryBudget allowance) {
        try {
            read(pending, allowance);
        } catch (MemoryBudgetExceededException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.errorf(LoggedFailure.of(e), "message not understood: message=%s", pending.message().id());
            endings.failed(pending, new ContributionOutcome.Failed(Reason.INTERNAL, e.toString()));
        }
    }

    private void read(PendingMessage pending, MemoryBudget allowance) {
        Message message = pending.message();
        if (message.receiveCount() > parts.maxReceives()) {
            endings.rejected(pending, Reason.REDELIVERED_TOO_OFTEN, "message: expected at most " + parts.maxReceives()
                    + " receives, found " + message.receiveCount() + ", last error: " + endings.lastError(message));
            return;
        }
        ContributionBuilder contributions = parts.contributor().start(pending, allowance);
        DecodeResult decoded = parts.decoder().decode(message, contributions, allowance);
        if (isLate(decoded) && message.receiveCount() <= DecodeQueue.MAX_USUAL_RECEIVES) {
            endings.failed(pending,
                    new ContributionOutcome.Failed(Reason.TIMED_OUT, decoded.rejections().get(0).explanation()));
            return;
        }
        metrics.decoded(decoded);
        aggregate(pending, decoded, contributions.build());
    }

    private static boolean isLate(DecodeResult decoded) {
        return decoded.rejections().size() == 1 && decoded.rejections().get(0).reason() == Reason.TIMED_OUT;
    }

    // aggregate

    private void aggregate(PendingMessage pending, DecodeResult decoded, MessageContributions contributions) {
        if (!decoded.rejections().isEmpty()) {
            pending.reject(decoded);
        }
        if (!endings.hold(pending, contributions.heapBytes() + decoded.heapBytes())) {
            return;
        }
        if (contributions.shares().isEmpty()) {
            endings.applied(pending);
            return;
        }
        pending.expect(contributions.shares().size());
        parts.aggregator().add(contributions.shares(), parts.nanoTime().getAsLong());
    }

    // store

    private void tick() {
        try {
            waiting.next();
            writes.run();
            endings.extendVisibility();
        } catch (RuntimeException e) {
            LOG.error("tick failed", LoggedFailure.of(e));
        }
    }

    private void writeDue() {
        boolean pressed = parts.room().isFull() || waiting.isWaitingForWrites()
                || parts.room().bytes() >= parts.pressureBytes();
        for (SeriesBatch batch : parts.aggregator().takeDue(parts.nanoTime().getAsLong(), pressed)) {
            metrics.flushed(batch);
            Span span = parts.tracing().begin(batch);
            parts.store().apply(batch).subscribe().with(outcomes -> settle(batch, span, outcomes), failure -> {
                LOG.errorf(LoggedFailure.of(failure), "write failed: series=%s", Sanitized.of(batch.partitionKey()));
                ContributionOutcome failed = new ContributionOutcome.Failed(Reason.INTERNAL, failure.toString());
                settle(batch, span, Collections.nCopies(batch.shares().size(), failed));
            });
        }
    }

    // acknowledge

    private void settle(SeriesBatch batch, Span span, List<ContributionOutcome> outcomes) {
        parts.tracing().end(span, outcomes);
        parts.aggregator().done(batch);
        metrics.settled(outcomes);
        for (int i = 0; i < outcomes.size(); i++) {
            settle(batch.shares().get(i).message(), outcomes.get(i));
        }
        writes.run();
    }

    private void settle(PendingMessage pending, ContributionOutcome outcome) {
        if (!pending.settle(outcome) || pending.isAbandoned()) {
            return;
        }
        ContributionOutcome.Failed failure = pending.failure();
        if (failure == null) {
            endings.applied(pending);
        } else {
            endings.failed(pending, failure);
        }
    }

    // end

    /** Receives no more, or again. What is in memory is written either way. */
    public void pause(boolean paused) {
        parts.source().pause(paused);
    }

    /**
     * Receives no more, writes and acknowledges what is in memory, and hands back what is left when time is over.
     *
     * @return the number of messages that were handed back
     */
    public Uni<Integer> drain(Duration limit) {
        parts.source().stop();
        parts.aggregator().flushNow();
        writes.run();
        return endings.allEnded(() -> received).replaceWith(0)
                .ifNoItem().after(limit).recoverWithUni(endings::returnAllToQueue);
    }
}
