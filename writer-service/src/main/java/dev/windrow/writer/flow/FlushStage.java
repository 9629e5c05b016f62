package dev.windrow.writer.flow;

import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.event.Event;
import dev.windrow.log.LogKey;
import dev.windrow.log.StructuredLogger;
import dev.windrow.reason.Reason;
import dev.windrow.writer.aggregate.Aggregator;
import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.ContributionBuilder;
import dev.windrow.writer.aggregate.Contributor;
import dev.windrow.writer.aggregate.MessageContributions;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.inflight.MessageCompletion;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.message.Provenance;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.store.BucketStore;
import io.opentelemetry.api.trace.Span;

/** Aggregates contributions, writes what is due, and completes each message whose last contribution has ended. Thread-safe. */
public final class FlushStage implements WriteStage {

    private static final StructuredLogger LOG = StructuredLogger.of(FlushStage.class);

    private final Aggregator aggregator;
    private final BucketStore store;
    private final MessageCompletion completion;
    private final FlowMetrics metrics;
    private final FlushTracing tracing;
    private final LongSupplier nanoTime;
    private final Contributor contributor;

    /** @param nanoTime a clock that never goes back */
    public FlushStage(Aggregator aggregator, BucketStore store, MessageCompletion completion, FlowMetrics metrics,
            FlushTracing tracing, LongSupplier nanoTime, Contributor contributor) {
        this.aggregator = aggregator;
        this.store = store;
        this.completion = completion;
        this.metrics = metrics;
        this.tracing = tracing;
        this.nanoTime = nanoTime;
        this.contributor = contributor;
    }

    @Override
    public void start(List<SourceQueue> queues) {
        // Nothing to prepare.
    }

    @Override
    public MessageAdditions gather(PendingMessage pending, MemoryBudget allowance) {
        return new Shares(pending, contributor.start(pending, allowance));
    }

    @Override
    public void addParked(PendingMessage pending) {
        completion.rejected(pending, Reason.INVALID_ENVELOPE, Provenance.PARKED
                + ": expected events, as windrow.writer.journal.enabled is false, found parked additions of the journal");
    }

    private void add(PendingMessage pending, List<Contribution> contributions) {
        pending.expect(contributions.size());
        aggregator.add(contributions, nanoTime.getAsLong());
    }

    @Override
    public void drain() {
        aggregator.flushNow();
    }

    @Override
    public boolean isDrained() {
        return true;
    }

    @Override
    public void writeDue(boolean pressed, Runnable ended) {
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

    /** The contributions of one message. */
    private final class Shares implements MessageAdditions {

        private final PendingMessage pending;
        private final ContributionBuilder builder;
        private List<Contribution> contributions = List.of();

        Shares(PendingMessage pending, ContributionBuilder builder) {
            this.pending = pending;
            this.builder = builder;
        }

        @Override
        public @Nullable RejectedEvent take(int index, Event event) {
            return builder.take(index, event);
        }

        @Override
        public void restart() {
            builder.restart();
        }

        @Override
        public long build() {
            MessageContributions built = builder.build();
            contributions = built.shares();
            return built.heapBytes();
        }

        @Override
        public boolean isEmpty() {
            return contributions.isEmpty();
        }

        @Override
        public void submit() {
            add(pending, contributions);
        }
    }
}
