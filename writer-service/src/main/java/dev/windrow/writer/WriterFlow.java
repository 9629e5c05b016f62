package dev.windrow.writer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.queue.InFlightDrain;
import dev.windrow.writer.queue.InFlightMessages;
import dev.windrow.writer.queue.MessageSource;
import dev.windrow.writer.queue.PendingMessage;
import dev.windrow.writer.queue.Visibility;
import dev.windrow.writer.table.JournalRun;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * The writer's pipeline: receive, decode, aggregate, claim, apply, acknowledge. Each stage hands over to the next without
 * blocking a thread.
 *
 * @param tick interval between checks for due work
 * @param broken run when the flow is no longer reliable and only a restart can help
 */
record WriterFlow(MessageSource source, InFlightMessages messages, Visibility heartbeat, InFlightDrain drain,
        DecodeQueue waiting, JournalStage journal, JournalRun run, MemoryPressure pressure, Duration tick, Runnable broken) {

    private static final StructuredLogger LOG = StructuredLogger.of(WriterFlow.class);

    WriterFlow {
        messages.onEnded(waiting::ended);
    }

    public void start(List<SourceQueue> queues, ScheduledExecutorService timer) {
        journal.start(queues);
        Multi.createFrom().ticks().onExecutor(timer).every(tick).onOverflow().drop().subscribe().with(number -> doDue());
        source.batches(queues).subscribe().with(this::take, failure -> breakDown(failure, "receiving ended; liveness fails"));
    }

    private void take(List<Message> batch) {
        attemptToTake(() -> pressure.lag().received(batch));
        batch.forEach(message -> attemptToTake(() -> take(message)));
    }

    /** Never throws: an exception would silently end receiving. */
    private void attemptToTake(Runnable taking) {
        try {
            taking.run();
        } catch (Throwable thrown) {
            breakDown(thrown, "message not taken; liveness fails, as what it holds is never released");
        }
    }

    private void take(Message message) {
        PendingMessage pending = messages.receive(message);
        if (pending != null) {
            waiting.add(pending);
        }
    }

    private void doDue() {
        attempt(waiting::next);
        attempt(this::writeDue);
        attempt(this::keepHidden);
    }

    private void keepHidden() {
        if (journal.keepsMessages()) {
            heartbeat.beat();
        }
    }

    /** Never throws: an exception would silently end the ticks. An error may have left the work half done. */
    private void attempt(Runnable periodic) {
        try {
            periodic.run();
        } catch (RuntimeException e) {
            LOG.error(e, "periodic work failed; it runs again shortly", LogKey.REASON.of(Reason.INTERNAL.word()));
        } catch (Throwable thrown) {
            breakDown(thrown, "periodic work ended in an error; liveness fails");
        }
    }

    private void breakDown(Throwable cause, String event) {
        // First, so that liveness fails even if logging does.
        broken.run();
        LOG.error(cause, event, LogKey.REASON.of(Reason.INTERNAL.word()));
    }

    private void writeDue() {
        if (run.isBroken()) {
            broken.run();
        }
        run.tick(pressure.urgency(waiting.isWaitingForWrites(), waiting.isSuspectWaiting()));
    }

    /** Pauses or resumes receiving. Messages in memory are written either way. */
    public void pause(boolean paused) {
        source.pause(paused);
    }

    /**
     * Stops receiving, writes and deletes the messages in memory, returns the rest after the timeout and emits how many. A
     * journal that has stopped ends none, so they are returned once no receive is in flight.
     */
    public Uni<Integer> drain(Duration timeout) {
        source.stop();
        run.drain();
        writeDue();
        return drain.drain(() -> source.hasEnded() && run.isDrained() && (run.isBroken() || messages.isEmpty()), timeout)
                .onTermination().invoke(run::stop);
    }

}
