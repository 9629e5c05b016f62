package dev.windrow.writer;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.writer.decode.Decompression;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.journal.JournalMessage;
import dev.windrow.writer.journal.ParkedLetter;
import dev.windrow.writer.queue.InFlightMessages;
import dev.windrow.writer.queue.MessageCompletion;
import dev.windrow.writer.queue.MessageFailure;
import dev.windrow.writer.queue.PendingMessage;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.table.JournalRun;

/** Hands messages to the journal, which claims each once with all its additions and applies them. Thread-safe. */
public final class JournalStage {

    /** Longer than finding another lane takes if one is free. */
    private static final long LANELESS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final JournalRun journal;
    private final Datasets datasets;
    private final JournalQueues queues;
    private final InFlightMessages messages;
    private final MessageCompletion completion;
    private final LongSupplier nanoTime;
    private volatile long heldAtNanos;

    JournalStage(JournalRun journal, Datasets datasets, JournalQueues queues, InFlightMessages messages,
            MessageCompletion completion,
            LongSupplier nanoTime) {
        this.journal = journal;
        this.datasets = datasets;
        this.queues = queues;
        this.messages = messages;
        this.completion = completion;
        this.nanoTime = nanoTime;
        this.heldAtNanos = nanoTime.getAsLong();
    }

    /** Sets the queues, before the first message. */
    void start(List<SourceQueue> found) {
        queues.start(found);
    }

    /** Adds a message with its claim units, at least one. */
    void add(PendingMessage pending, List<ClaimUnit> units) {
        journal.receive(new Received(pending, units));
    }

    /** Adds a replayed dead letter that holds additions instead of events. */
    void addParked(PendingMessage pending, MemoryBudget allowance) {
        Message message = pending.message();
        try {
            MessageBody text = Decompression.text(message.body(), message.attributes(), allowance);
            ClaimUnit unit = ParkedLetter.read(message, text, datasets);
            if (messages.hold(pending, 0, text.length(), allowance)) {
                add(pending, List.of(unit));
            }
        } catch (InvalidInputException e) {
            completion.rejected(pending, e.reason(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            completion.rejected(pending, Reason.INVALID_ENVELOPE, "body: " + e.getMessage());
        }
    }

    /** Whether this writer holds a lane, without which it claims nothing. */
    boolean hasLane() {
        return !journal.isBroken() && journal.status().lane() >= 0;
    }

    /**
     * Whether pending messages can be claimed now or soon: the writer holds a lane, or did within the last minute. Otherwise
     * other writers should get them.
     */
    boolean keepsMessages() {
        if (journal.isBroken()) {
            return false;
        }
        long now = nanoTime.getAsLong();
        if (hasLane()) {
            heldAtNanos = now;
        }
        return now - heldAtNanos < LANELESS_NANOS;
    }

    /** A message from its receipt to its end; it holds its units only until they are claimed. */
    final class Received implements JournalMessage {

        private final PendingMessage pending;
        private volatile List<ClaimUnit> units;

        Received(PendingMessage pending, List<ClaimUnit> units) {
            this.pending = pending;
            this.units = List.copyOf(units);
        }

        @Override
        public List<ClaimUnit> units() {
            return units;
        }

        @Override
        public Map<String, String> attributes() {
            return pending.message().attributes();
        }

        @Override
        public void claimed() {
            units = List.of();
            messages.claimed(pending);
        }

        @Override
        public void refused(String detail) {
            pending.fail(new MessageFailure(Reason.REFUSED, detail));
        }

        @Override
        public void delete() {
            if (pending.isAbandoned()) {
                return;
            }
            MessageFailure failure = pending.failure();
            if (failure == null) {
                completion.counted(pending);
            } else {
                completion.failed(pending, failure);
            }
        }
    }

}
