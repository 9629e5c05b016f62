package dev.windrow.writer.store.journal;

import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;
import io.smallrye.mutiny.Uni;

/** Carries out the journal's requests on the table. */
public interface JournalRequests {

    /**
     * Carries out a request, until it has a definite answer.
     *
     * @throws IllegalArgumentException if the request is not about the table
     */
    Uni<Answer> send(Request request);
}
