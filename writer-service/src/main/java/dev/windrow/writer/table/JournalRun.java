package dev.windrow.writer.table;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.journal.JournalMessage;
import dev.windrow.writer.journal.JournalStatus;
import dev.windrow.writer.journal.JournalWriter;
import dev.windrow.writer.journal.MemoryShortage;
import dev.windrow.writer.journal.Now;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.TableRequest;

/**
 * Runs a writer's journal: feeds it messages, answers and the time, one input at a time, and has its requests carried out.
 * Inputs never block the caller; the executor does the work, one thread at a time. Thread-safe.
 */
public final class JournalRun {

    private static final StructuredLogger LOG = StructuredLogger.of(JournalRun.class);

    private final JournalWriter journal;
    private final JournalRequests table;
    private final Request.Queues queues;
    private final Request.Reports reports;
    private final Supplier<Now> now;
    private final Executor executor;
    private final Queue<Runnable> inputs = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    /** Cancels each request in flight. */
    private final Set<Runnable> underWay = ConcurrentHashMap.newKeySet();
    private volatile JournalStatus status;
    private volatile boolean drained;
    private volatile boolean stopped;
    private volatile boolean broken;
    private volatile MemoryShortage urgent = MemoryShortage.NONE;

    /** @param executor may run long computations */
    public JournalRun(JournalWriter journal, JournalRequests table, Request.Queues queues, Request.Reports reports,
            Supplier<Now> now, Executor executor) {
        this.journal = journal;
        this.table = table;
        this.queues = queues;
        this.reports = reports;
        this.now = now;
        this.executor = executor;
        this.status = journal.status();
    }

    public void receive(JournalMessage message) {
        enter(() -> journal.receive(message, now.get()));
    }

    /** Does what is due. The memory shortage given here applies until the next call. */
    public void tick(MemoryShortage urgentNow) {
        urgent = urgentNow;
        // A pending input does what is due anyway.
        if (pending.get() == 0) {
            enter(() -> {
            });
        }
    }

    /** Claims and applies everything immediately, then releases the lane. */
    public void drain() {
        enter(journal::drain);
    }

    /** Whether a drain has ended, or cannot continue because this was stopped. */
    public boolean isDrained() {
        return drained || stopped;
    }

    /** The journal's status after the latest turn. */
    public JournalStatus status() {
        return status;
    }

    /** Whether an inconsistency or an error has stopped the journal. */
    public boolean isBroken() {
        return broken;
    }

    /** Stops sending, and cancels the requests in flight, which would otherwise be retried without limit. */
    public void stop() {
        stopped = true;
        underWay.forEach(Runnable::run);
    }

    private void enter(Runnable input) {
        if (stopped) {
            return;
        }
        inputs.add(input);
        if (pending.getAndIncrement() == 0) {
            attempt(() -> executor.execute(this::work));
        }
    }

    /** Takes all pending inputs, then does once what is due; repeats this until no input is pending. */
    private void work() {
        int taken = pending.get();
        do {
            for (int i = 0; i < taken && !stopped; i++) {
                attempt(inputs.remove());
            }
            if (!stopped) {
                attempt(this::turn);
            }
            taken = pending.addAndGet(-taken);
        } while (taken > 0 && !stopped);
    }

    private void turn() {
        journal.tick(now.get(), urgent);
        for (Request request = journal.poll(); request != null && !stopped; request = journal.poll()) {
            send(request);
        }
        status = journal.status();
        drained = journal.isDrained();
    }

    /**
     * Runs a step, and stops the journal if the step throws. A journal that is inconsistent, or that an error interrupted
     * halfway, must not go on: the recovery of its lane starts from the state in the table.
     */
    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            breakOff(e, "lane " + status.lane());
        }
    }

    private void breakOff(Throwable failure, String detail) {
        // Set first, so that liveness shows it whatever else fails.
        broken = true;
        stop();
        LOG.error(failure, "journal stopped; another writer recovers its lane", LogKey.REASON.of(Reason.INTERNAL.word()),
                LogKey.DETAIL.of(detail));
    }

    private void send(Request request) {
        if (request instanceof Request.Report report) {
            report.to(reports);
        } else if (request instanceof TableRequest<?> asked) {
            ask(asked);
        } else if (request instanceof Request.SendParked letter) {
            await(letter, queues.send(letter).toCompletableFuture(), done -> journal.sent(letter));
        }
    }

    private <A extends Answer> void ask(TableRequest<A> request) {
        await(request, table.send(request).subscribeAsCompletionStage(), answer -> journal.answer(request, answer, now.get()));
    }

    private <A> void await(Request request, CompletableFuture<A> answered, Consumer<A> then) {
        Runnable cancel = () -> answered.cancel(false);
        underWay.add(cancel);
        var unused = answered.whenComplete((answer, failure) -> {
            underWay.remove(cancel);
            if (answer != null) {
                enter(() -> then.accept(answer));
            } else if (!stopped) {
                // Otherwise the lane would be renewed forever without the additions of this request.
                breakOff(failure, "lane " + status.lane() + ", " + request.getClass().getSimpleName());
            }
        });
        if (stopped) {
            cancel.run();
        }
    }

}
