package dev.windrow.writer.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.LogKey;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.base.StructuredLogger;
import dev.windrow.table.TableSchema.AwsLimits;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.Acknowledger.AcknowledgeSettings;
import dev.windrow.writer.queue.Acknowledger.BatchedRequest;
import dev.windrow.writer.queue.Acknowledger.BatchedRequest.Answer;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Collects requests about single messages of a queue into batches, and retries the entries that failed. The batches in
 * flight are bounded, and what waits is bounded by the messages in memory. Thread-safe.
 */
final class RequestBatcher {

    private static final StructuredLogger LOG = StructuredLogger.of(RequestBatcher.class);
    private static final int MAX_DOUBLINGS = 10;
    private static final Duration REPORT_DELAY = Duration.ofSeconds(1);

    private final BatchedRequest request;
    private final AcknowledgeSettings settings;
    private final ScheduledExecutorService timer;
    private final AtomicInteger givenUp = new AtomicInteger();
    private final Map<SourceQueue, List<Entry>> gathering = new HashMap<>();
    private final AdmissionQueue underWay;

    private record Entry(Message message, BooleanSupplier wanted, int attempt, UniEmitter<? super Boolean> emitter) {

        Entry next() {
            return new Entry(message, wanted, attempt + 1, emitter);
        }
    }

    /** @param maxConcurrency maximum number of batches in flight */
    RequestBatcher(BatchedRequest request, int maxConcurrency, AcknowledgeSettings settings, ScheduledExecutorService timer) {
        this.request = request;
        this.underWay = AdmissionQueue.ofPermits(maxConcurrency);
        this.settings = settings;
        this.timer = timer;
    }

    /** Completes with whether the request succeeded, after any retries; never fails. */
    Uni<Boolean> submit(Message message) {
        return submit(message, () -> true);
    }

    /** @param wanted evaluated before the request is sent; if false, it is skipped */
    Uni<Boolean> submit(Message message, BooleanSupplier wanted) {
        return Uni.createFrom().emitter(emitter -> add(new Entry(message, wanted, 1, emitter)));
    }

    private void add(Entry entry) {
        SourceQueue queue = entry.message.queue();
        List<Entry> full = null;
        synchronized (this) {
            List<Entry> batch = gathering.computeIfAbsent(queue, key -> new ArrayList<>(AwsLimits.QUEUE_BATCH));
            batch.add(entry);
            if (batch.size() == AwsLimits.QUEUE_BATCH) {
                gathering.remove(queue);
                full = batch;
            } else if (batch.size() == 1) {
                List<Entry> begun = batch;
                after(settings.linger(), () -> lingered(queue, begun));
            }
        }
        if (full != null) {
            sendInTurn(queue, full);
        }
    }

    private void lingered(SourceQueue queue, List<Entry> batch) {
        synchronized (this) {
            // It was filled and sent meanwhile, and another one may have been started.
            if (gathering.get(queue) != batch) {
                return;
            }
            gathering.remove(queue);
        }
        sendInTurn(queue, batch);
    }

    private void sendInTurn(SourceQueue queue, List<Entry> batch) {
        underWay.run(() -> sendWanted(queue, batch)).subscribe().with(sent -> {
        }, failure -> {
            reportUnexpected(failure);
            // Otherwise its messages would stay in memory, and a visibility timeout that is never extended stop receiving.
            batch.forEach(entry -> entry.emitter.complete(false));
        });
    }

    private Uni<Void> sendWanted(SourceQueue queue, List<Entry> batch) {
        List<Entry> wanted = new ArrayList<>(batch.size());
        for (Entry entry : batch) {
            if (entry.wanted.getAsBoolean()) {
                wanted.add(entry);
            } else {
                entry.emitter.complete(false);
            }
        }
        return wanted.isEmpty() ? Uni.createFrom().voidItem() : send(queue, wanted);
    }

    private Uni<Void> send(SourceQueue queue, List<Entry> batch) {
        return Uni.createFrom().deferred(() -> request.send(queue, batch.stream().map(Entry::message).toList()))
                .ifNoItem().after(settings.timeout()).fail()
                .onFailure().invoke(failure -> LOG.warn("batch failed, its messages are retried",
                        LogKey.OPERATION.of(request.name()), LogKey.REASON.of(AwsErrors.reason(failure).word()),
                        LogKey.QUEUE.of(queue.name()),
                        LogKey.MESSAGES.of(batch.size()), LogKey.ERROR.of(failure)))
                .onFailure().recoverWithItem(() -> Collections.nCopies(batch.size(), Answer.RETRY))
                .invoke(answers -> {
                    for (int i = 0; i < batch.size(); i++) {
                        settle(batch.get(i), answers.get(i));
                    }
                }).replaceWithVoid();
    }

    private void settle(Entry entry, Answer answer) {
        switch (answer) {
            case DONE -> entry.emitter.complete(true);
            case REFUSED -> giveUp(entry);
            case RETRY -> {
                if (entry.attempt < settings.maxAttempts()) {
                    after(pause(entry.attempt), () -> add(entry.next()));
                } else {
                    giveUp(entry);
                }
            }
        }
    }

    /** At most one line a second, even if many receipts go stale at once; none if the request has lost its purpose. */
    private void giveUp(Entry entry) {
        if (entry.wanted.getAsBoolean() && givenUp.getAndIncrement() == 0) {
            after(REPORT_DELAY,
                    () -> LOG.warn("giving up; SQS will redeliver", LogKey.OPERATION.of(request.name()),
                            LogKey.QUEUE.of(entry.message.queue().name()), LogKey.MESSAGE_ID.of(entry.message.id()),
                            LogKey.MESSAGES.of(givenUp.getAndSet(0))));
        }
        entry.emitter.complete(false);
    }

    private void after(Duration delay, Runnable task) {
        Uni.createFrom().voidItem().onItem().delayIt().onExecutor(timer).by(TimerDelays.atLeastShortest(delay))
                .subscribe()
                .with(ignored -> task.run(),
                        this::reportUnexpected);
    }

    private void reportUnexpected(Throwable failure) {
        LOG.error(failure, "batch failed unexpectedly; SQS will redeliver its messages",
                LogKey.REASON.of(AwsErrors.reason(failure).word()), LogKey.OPERATION.of(request.name()));
    }

    private Duration pause(int attempt) {
        return settings.initialBackoff().multipliedBy(1L << Math.min(attempt - 1, MAX_DOUBLINGS));
    }
}
