package dev.windrow.writer.testing;

import java.util.function.Function;

import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.Now;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.TableRequest;
import dev.windrow.writer.table.JournalRequests;
import io.smallrye.mutiny.Uni;

/** Answers requests of any kind by answers that fit, as the caller knows. */
public final class Answering {

    private Answering() {
    }

    @SuppressWarnings("unchecked")
    public static void answer(JournalWriter journal, Request request, Answer answer, Now now) {
        if (request instanceof Request.SendParked letter) {
            journal.sent(letter);
        } else {
            journal.answer((TableRequest<Answer>) request, answer, now);
        }
    }

    /** A table that answers as a function says. */
    public static JournalRequests table(Function<Request, Uni<? extends Answer>> answers) {
        return new JournalRequests() {

            @Override
            @SuppressWarnings("unchecked")
            public <A extends Answer> Uni<A> send(TableRequest<A> request) {
                return (Uni<A>) answers.apply(request);
            }
        };
    }
}
