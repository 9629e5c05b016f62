package dev.windrow.writer.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.base.TimerDelays;
import dev.windrow.table.AwsLimits;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Receives messages with several pollers per queue, as the in-flight limiter admits them (backpressure). */
public final class MessageSource {

    private static final StructuredLogger LOG = StructuredLogger.of(MessageSource.class);

    private static final Duration PAUSED_CHECK = Duration.ofMillis(250);

    private final SqsReceiver receiver;
    private final InFlightLimiter limiter;
    private final int pollers;
    private final Duration errorBackoff;
    private final ReceiveListener listener;
    private final BooleanSupplier mayReceive;
    private volatile boolean paused;
    private volatile boolean ended;
    private volatile boolean stopped;

    /**
     * @param errorBackoff pause after a failed receive
     * @param listener notified when a receive starts, and how it ended
     * @param mayReceive whether messages can be claimed; if not, receiving would only hide them from other writers
     */
    public MessageSource(SqsReceiver receiver, InFlightLimiter limiter, int pollers, Duration errorBackoff,
            ReceiveListener listener, BooleanSupplier mayReceive) {
        this.receiver = receiver;
        this.limiter = limiter;
        this.pollers = pollers;
        this.errorBackoff = errorBackoff;
        this.listener = listener;
        this.mayReceive = mayReceive;
    }

    /**
     * Emits non-empty batches of messages until {@link #stop()}, and completes when the last receive has ended. Each message
     * counts against the in-flight limiter until it is released.
     */
    public Multi<List<Message>> batches(List<SourceQueue> queues) {
        List<Multi<List<Message>>> pollers = new ArrayList<>();
        for (SourceQueue queue : queues) {
            for (int i = 0; i < this.pollers; i++) {
                pollers.add(Multi.createBy().repeating().uni(() -> poll(queue)).whilst(batch -> !stopped));
            }
        }
        return Multi.createBy().merging().withConcurrency(pollers.size()).streams(pollers)
                .select().where(batch -> !batch.isEmpty()).onTermination().invoke(() -> ended = true);
    }

    /** Starts no further receives, and ends those that wait for memory. */
    public void stop() {
        stopped = true;
        limiter.admitAll();
    }

    /** Whether the last receive has ended. */
    public boolean hasEnded() {
        return ended;
    }

    /** Pauses or resumes the start of receives. */
    public void pause(boolean pausing) {
        paused = pausing;
    }

    private Uni<List<Message>> poll(SourceQueue queue) {
        if (stopped) {
            return none();
        }
        if (paused || !mayReceive.getAsBoolean()) {
            return pass();
        }
        // Checked again, since the receive may have waited to be admitted.
        return limiter.receive(AwsLimits.QUEUE_BATCH,
                maximum -> stopped ? none() : !paused && mayReceive.getAsBoolean() ? receive(queue, maximum) : pass())
                .onFailure()
                .recoverWithUni(() -> none().onItem().delayIt().by(TimerDelays.atLeastShortest(errorBackoff)));
    }

    private Uni<List<Message>> pass() {
        listener.passed();
        return none().onItem().delayIt().by(PAUSED_CHECK);
    }

    private Uni<List<Message>> receive(SourceQueue queue, int maximum) {
        listener.started();
        return receiver.receive(queue, maximum).invoke(batch -> listener.received(queue, batch)).onFailure().invoke(failure -> {
            Reason reason = AwsErrors.reason(failure);
            listener.failed(queue, reason);
            LOG.warn("receive failed; receiving again after a pause", LogKey.REASON.of(reason.word()),
                    LogKey.QUEUE.of(queue.name()), LogKey.ERROR.of(failure));
        });
    }

    private static Uni<List<Message>> none() {
        return Uni.createFrom().item(List.of());
    }

}
