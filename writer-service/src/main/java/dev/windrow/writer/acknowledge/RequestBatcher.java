package dev.windrow.writer.acknowledge;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.windrow.aws.AwsErrors;
import dev.windrow.reason.LoggedFailure;
import dev.windrow.reason.Sanitized;
import dev.windrow.table.AwsLimits;
import dev.windrow.writer.acknowledge.BatchedRequest.Answer;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Gathers requests about single messages into batches of one queue, and tries what failed again, entry by entry. Only so
 * many batches are under way at a time; how much waits is bounded by the messages in memory. Thread-safe.
 */
final class RequestBatcher {

    private static final Logger LOG = Logger.getLogger(RequestBatcher.class);
    private static final int MAX_DOUBLINGS = 10;
    private static final Duration REPORT_DELAY = Duration.ofSeconds(1);

    private final BatchedRequest request;
    private final AcknowledgeConfig config;
    private final ScheduledExecutorService timer;
    private final AtomicInteger givenUp = new AtomicInteger();
    private final Map<SourceQueue, List<Entry>> gathering = new HashMap<>();
    private final Deque<Batch> ready = new ArrayDeque<>();
    private final AtomicInteger turns = new AtomicInteger();
    private int free;

    private record Entry(Message message, BooleanSupplier wanted, int attempt, UniEmitter<? super Boolean> emitter) {

        Entry next() {
            return new Entry(message, wanted, attempt + 1, emitter);
        }
    }

    private record Batch(SourceQueue queue, List<Entry> entries) {
    }

    /** @param most how many batches are under way at a time */
    RequestBatcher(BatchedRequest request, int most, AcknowledgeConfig config, ScheduledExecutorService timer) {
        this.request = request;
        this.free = most;
        this.config = config;
        this.timer = timer;
    }

    /** Completes with whether the request was done in the end; never fails. */
    Uni<Boolean> submit(Message message) {
        return submit(message, () -> true);
    }

    /** @param wanted asked when it is the request's turn: if not, it is left out */
    Uni<Boolean> submit(Message message, BooleanSupplier wanted) {
        return Uni.createFrom().emitter(emitter -> add(new Entry(message, wanted, 1, emitter)));
    }

    private void add(Entry entry) {
        SourceQueue queue = entry.message.queue();
        boolean full = false;
        synchronized (this) {
            List<Entry> batch = gathering.computeIfAbsent(queue, key -> new ArrayList<>(AwsLimits.QUEUE_BATCH));
            batch.add(entry);
            if (batch.size() == AwsLimits.QUEUE_BATCH) {
                gathering.remove(queue);
                ready.add(new Batch(queue, batch));
                full = true;
            } else if (batch.size() == 1) {
                List<Entry> begun = batch;
                after(config.linger(), () -> lingered(queue, begun));
            }
        }
        if (full) {
            sendReady();
        }
    }

    private void lingered(SourceQueue queue, List<Entry> batch) {
        synchronized (this) {
            // It was filled and sent meanwhile, and another may have been begun.
            if (gathering.get(queue) != batch) {
                return;
            }
            gathering.remove(queue);
            ready.add(new Batch(queue, batch));
        }
        sendReady();
    }

    /** One thread at a time, which goes on for others: requests that end at once must not nest. */
    private void sendReady() {
        if (turns.getAndIncrement() > 0) {
            return;
        }
        int taken = 1;
        while (taken > 0) {
            for (Batch batch = begin(); batch != null; batch = begin()) {
                sendWanted(batch);
            }
            taken = turns.addAndGet(-taken);
        }
    }

    private synchronized @Nullable Batch begin() {
        Batch batch = free > 0 ? ready.poll() : null;
        if (batch != null) {
            free--;
        }
        return batch;
    }

    private void ended() {
        synchronized (this) {
            free++;
        }
        sendReady();
    }

    private void sendWanted(Batch batch) {
        List<Entry> wanted = new ArrayList<>(batch.entries.size());
        for (Entry entry : batch.entries) {
            if (entry.wanted.getAsBoolean()) {
                wanted.add(entry);
            } else {
                entry.emitter.complete(false);
            }
        }
        if (wanted.isEmpty()) {
            ended();
        } else {
            send(batch.queue, wanted);
        }
    }

    private void send(SourceQueue queue, List<Entry> batch) {
        Uni.createFrom().deferred(() -> request.send(queue, batch.stream().map(Entry::message).toList()))
                .ifNoItem().after(config.timeout()).fail()
                .onFailure().invoke(failure -> LOG.warnf("%s failed: reason=%s queue=%s messages=%d error=%s",
                        request.name(), AwsErrors.reason(failure).word(), queue.name(), batch.size(),
                        Sanitized.line(failure)))
                .onFailure().recoverWithItem(() -> Collections.nCopies(batch.size(), Answer.RETRY))
                .subscribe().with(answers -> {
                    for (int i = 0; i < batch.size(); i++) {
                        settle(batch.get(i), answers.get(i));
                    }
                    ended();
                });
    }

    private void settle(Entry entry, Answer answer) {
        switch (answer) {
            case DONE -> entry.emitter.complete(true);
            case REFUSED -> giveUp(entry);
            case RETRY -> {
                if (entry.attempt < config.maxAttempts()) {
                    after(pause(entry.attempt), () -> add(entry.next()));
                } else {
                    giveUp(entry);
                }
            }
        }
    }

    /** One line a second, however many receipts went stale at once; none if meanwhile the request has no purpose. */
    private void giveUp(Entry entry) {
        if (entry.wanted.getAsBoolean() && givenUp.getAndIncrement() == 0) {
            after(REPORT_DELAY, () -> LOG.warnf("%s given up, the queue delivers again: queue=%s message=%s messages=%d",
                    request.name(), entry.message.queue().name(), entry.message.id(), givenUp.getAndSet(0)));
        }
        entry.emitter.complete(false);
    }

    private void after(Duration delay, Runnable task) {
        Uni.createFrom().voidItem().onItem().delayIt().onExecutor(timer).by(delay)
                .subscribe()
                .with(ignored -> task.run(), failure -> LOG.error(request.name() + " failed", LoggedFailure.of(failure)));
    }

    private Duration pause(int attempt) {
        return config.initialBackoff().multipliedBy(1L << Math.min(attempt - 1, MAX_DOUBLINGS));
    }
}
