package dev.windrow.writer.source;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.base.StructuredLogger;
import dev.windrow.table.TableSchema.AwsLimits;
import dev.windrow.writer.inflight.InFlightLimiter;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Messages from all queues, received by several pollers each, while the in-flight limiter admits them (backpressure). */
public final class MessageSource {

    private static final StructuredLogger LOG = StructuredLogger.of(MessageSource.class);

    private static final Duration PAUSED_CHECK = Duration.ofMillis(250);

    private final SqsReceiver receiver;
    private final InFlightLimiter limiter;
    private final SourceConfig config;
    private final ReceiveListener listener;
    private final BooleanSupplier mayReceive;
    private volatile boolean paused;
    private final AtomicBoolean stopped = new AtomicBoolean();

    /**
     * @param listener notified of each receive that started, and how it ended
     * @param mayReceive whether messages can be claimed: those that cannot would only be hidden from the other writers
     */
    public MessageSource(SqsReceiver receiver, InFlightLimiter limiter, SourceConfig config, ReceiveListener listener,
            BooleanSupplier mayReceive) {
        this.receiver = receiver;
        this.limiter = limiter;
        this.config = config;
        this.listener = listener;
        this.mayReceive = mayReceive;
    }

    /**
     * Batches of messages, until {@link #stop()}; completes when the last receive has ended. Each message counts against
     * the in-flight limiter until it is released.
     */
    public Multi<List<Message>> batches(List<SourceQueue> queues) {
        List<Multi<List<Message>>> pollers = new ArrayList<>();
        for (SourceQueue queue : queues) {
            for (int i = 0; i < config.pollers(); i++) {
                pollers.add(Multi.createBy().repeating().uni(() -> poll(queue)).whilst(batch -> !stopped.get()));
            }
        }
        return Multi.createBy().merging().withConcurrency(pollers.size()).streams(pollers)
                .select().where(batch -> !batch.isEmpty());
    }

    /** Starts no further receive. */
    public void stop() {
        stopped.set(true);
    }

    /** Starts no further receive until it is resumed. */
    public void pause(boolean pausing) {
        paused = pausing;
    }

    private Uni<List<Message>> poll(SourceQueue queue) {
        if (stopped.get()) {
            return none();
        }
        if (paused || !mayReceive.getAsBoolean()) {
            return pass();
        }
        // Again, as it may have waited for its turn.
        return limiter.receive(AwsLimits.QUEUE_BATCH,
                maximum -> stopped.get() ? none() : mayReceive.getAsBoolean() ? receive(queue, maximum) : pass())
                .onFailure()
                .recoverWithUni(() -> none().onItem().delayIt().by(TimerDelays.atLeastShortest(config.errorBackoff())));
    }

    private Uni<List<Message>> pass() {
        listener.passed();
        return none().onItem().delayIt().by(PAUSED_CHECK);
    }

    private Uni<List<Message>> receive(SourceQueue queue, int maximum) {
        listener.started();
        return receiver.receive(queue, maximum).invoke(batch -> listener.received(queue, batch))
                .onFailure().invoke(failure -> {
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
