package dev.windrow.writer.flow;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.windrow.event.Event;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.aggregate.Contributor;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.inflight.InFlightMessages;
import dev.windrow.writer.inflight.MessageCompletion;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.journal.JournalStatus;
import dev.windrow.writer.journal.claim.ClaimUnit;
import dev.windrow.writer.journal.claim.JournalMessage;
import dev.windrow.writer.journal.parked.ParkedLetter;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.store.journal.JournalRun;

/**
 * Claims messages once, with everything they add, and has the journal apply it. A message's part in the journal is one open
 * contribution, which its delete settles. Thread-safe.
 */
public final class JournalStage implements WriteStage {

    private final JournalRun journal;
    private final JournalMessages queues;
    private final Contributor contributor;
    private final RandomGenerator random;
    private final InFlightMessages messages;
    private final MessageCompletion completion;
    private final FlowMetrics metrics;
    private final Runnable broken;
    private final AtomicLong duplicates = new AtomicLong();

    /**
     * @param random drawn from for datasets that scatter at random; thread-safe
     * @param broken is run when the journal has stopped, so that only a restart can help
     */
    public JournalStage(JournalRun journal, JournalMessages queues, Contributor contributor, RandomGenerator random,
            InFlightMessages messages, MessageCompletion completion, FlowMetrics metrics,
            Runnable broken) {
        this.journal = journal;
        this.queues = queues;
        this.contributor = contributor;
        this.random = random;
        this.messages = messages;
        this.completion = completion;
        this.metrics = metrics;
        this.broken = broken;
    }

    @Override
    public void start(List<SourceQueue> found) {
        queues.start(found);
    }

    @Override
    public MessageAdditions gather(PendingMessage pending, MemoryBudget allowance) {
        return new Units(pending, contributor.startUnits(pending.message(), allowance, random));
    }

    @Override
    public void addParked(PendingMessage pending) {
        try {
            ClaimUnit unit = ParkedLetter.read(pending.message());
            if (messages.hold(pending, pending.receivedBytes())) {
                submit(pending, List.of(unit));
            }
        } catch (InvalidInputException e) {
            completion.rejected(pending, e.reason(), String.valueOf(e.getMessage()));
        }
    }

    private void submit(PendingMessage pending, List<ClaimUnit> units) {
        pending.expect(1);
        // What of a message was rejected is sent by its completion, before the delete.
        journal.receive(new JournalMessage(pending, units, false));
    }

    @Override
    public void writeDue(boolean pressed, Runnable ended) {
        JournalStatus status = journal.status();
        metrics.duplicates(status.duplicates() - duplicates.getAndSet(status.duplicates()));
        if (journal.isStopped()) {
            broken.run();
        }
        journal.tick(pressed);
    }

    @Override
    public void drain() {
        journal.drain();
    }

    @Override
    public boolean isDrained() {
        return journal.isDrained();
    }

    /** The claim units of one message. */
    private final class Units implements MessageAdditions {

        private final PendingMessage pending;
        private final ClaimUnitBuilder builder;
        private List<ClaimUnit> units = List.of();

        Units(PendingMessage pending, ClaimUnitBuilder builder) {
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
            units = builder.build();
            return builder.heapBytes();
        }

        @Override
        public boolean isEmpty() {
            return units.isEmpty();
        }

        @Override
        public void submit() {
            JournalStage.this.submit(pending, units);
        }
    }
}
