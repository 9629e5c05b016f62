package dev.windrow.writer.deadletter;

import java.util.List;
import java.util.function.Supplier;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.operators.multi.processors.UnicastProcessor;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Sends the dead letters of a few messages at a time, and makes them no earlier: letters are copies of their messages. How
 * many wait is bounded by the messages in memory.
 */
public final class BoundedDeadLetterSender {

    /** Messages whose letters are sent at a time, several each: together no more than the spare connections. */
    private static final int CONCURRENCY = 4;

    private final DeadLetterSender deadLetters;
    private final UnicastProcessor<Job> jobs = UnicastProcessor.create();

    private record Job(Supplier<List<DeadLetter>> letters, UniEmitter<? super Boolean> sent) {
    }

    public BoundedDeadLetterSender(DeadLetterSender deadLetters) {
        this.deadLetters = deadLetters;
        jobs.onItem().transformToUni(this::send).merge(CONCURRENCY).subscribe().with(done -> {
        });
    }

    /** Sends all letters of a message. @return whether every one was taken, see {@link DeadLetterSender#send} */
    public Uni<Boolean> send(Supplier<List<DeadLetter>> letters) {
        return Uni.createFrom().emitter(sent -> add(new Job(letters, sent)));
    }

    /** One at a time, as streams demand. */
    private synchronized void add(Job job) {
        jobs.onNext(job);
    }

    private Uni<Boolean> send(Job job) {
        return Uni.createFrom().deferred(() -> deadLetters.send(job.letters.get()))
                .onFailure().recoverWithItem(false).invoke(job.sent::complete);
    }
}
