package dev.windrow.writer.flow;

import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

import dev.windrow.log.LogKey;
import dev.windrow.log.StructuredLogger;
import dev.windrow.reason.Reason;
import dev.windrow.writer.aggregate.Aggregator;
import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.MessageCompletion;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.store.BucketStore;
import io.opentelemetry.api.trace.Span;

/** Aggregates contributions, writes what is due, and completes each message whose last contribution has ended. Thread-safe. */
public final class FlushStage {

    private static final StructuredLogger LOG = StructuredLogger.of(FlushStage.class);

    private final Aggregator aggregator;
    private final BucketStore store;
    private final MessageCompletion completion;
    private final FlowMetrics metrics;
    private final FlushTracing tracing;
    private final LongSupplier nanoTime;

    /** @param nanoTime a clock that never goes back */
    public FlushStage(Aggregator aggregator, BucketStore store, MessageCompletion completion, FlowMetrics metrics,
            FlushTracing tracing, LongSupplier nanoTime) {
        this.aggregator = aggregator;
        this.store = store;
        this.completion = completion;
        this.metrics = metrics;
        this.tracing = tracing;
        this.nanoTime = nanoTime;
    }

    /** Takes all that a message adds. */
    void add(PendingMessage pending, List<Contribution> contributions) {
        pending.expect(contributions.size());
        aggregator.add(contributions, nanoTime.getAsLong());
    }

    /** From now on everything is due at once. */
    void flushNow() {
        aggregator.flushNow();
    }

    /**
     * Starts the writes that are due.
     *
     * @param pressed whether memory is short, so that waiting for more gains nothing
     * @param ended is run after each write that has ended, as more may be due then
     */
    void writeDue(boolean pressed, Runnable ended) {
        for (SeriesBatch batch : aggregator.takeDue(nanoTime.getAsLong(), pressed)) {
            metrics.flushed(batch);
            Span span = tracing.begin(batch);
            store.apply(batch).subscribe().with(outcomes -> settle(batch, span, outcomes, ended), failure -> {
                LOG.error(failure, "flush failed; its messages return to their queue", LogKey.REASON.of(Reason.INTERNAL.word()),
                        LogKey.SERIES.of(batch.partitionKey()));
                ContributionOutcome failed = new ContributionOutcome.Failed(Reason.INTERNAL, failure.toString());
                settle(batch, span, Collections.nCopies(batch.shares().size(), failed), ended);
            });
        }
    }

    private void settle(SeriesBatch batch, Span span, List<ContributionOutcome> outcomes, Runnable ended) {
        tracing.end(span, outcomes);
        aggregator.done(batch);
        metrics.settled(outcomes);
        for (int i = 0; i < outcomes.size(); i++) {
            settle(batch.shares().get(i).message(), outcomes.get(i));
        }
        ended.run();
    }

    private void settle(PendingMessage pending, ContributionOutcome outcome) {
        if (!pending.settle(outcome) || pending.isAbandoned()) {
            return;
        }
        ContributionOutcome.Failed failure = pending.failure();
        if (failure == null) {
            completion.applied(pending);
        } else {
            completion.failed(pending, failure);
        }
    }
}
