package dev.windrow.writer.table;

import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.TableRequest;
import io.smallrye.mutiny.Uni;

/** Carries out the journal's requests to the table. */
public interface JournalRequests {

    /** Carries out a request, and completes with its definite answer. */
    <A extends Answer> Uni<A> send(TableRequest<A> request);
}
