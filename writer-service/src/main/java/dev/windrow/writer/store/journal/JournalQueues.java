package dev.windrow.writer.store.journal;

import dev.windrow.writer.journal.request.Request;
import io.smallrye.mutiny.Uni;

/** The journal's requests to the queues; each completes once it is done, after any number of retries. */
public interface JournalQueues {

    /** Sends a message that can never be claimed to the dead-letter queue. */
    Uni<Void> send(Request.SendUnclaimable message);

    /** Sends parked additions to the dead-letter queue. */
    Uni<Void> send(Request.SendParked letter);

    /** Releases the memory of what a message adds, as the journal has it. */
    void claimed(Request.ReportClaimed message);

    /**
     * Sends the rejected part of a message to the dead-letter queue and deletes the message, or leaves it to be
     * redelivered.
     */
    Uni<Void> delete(Request.DeleteMessage delete);

    /** Shows an operator what happened. */
    void report(Request.Report report);
}
