package dev.windrow.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MemoryBudgetExceededException;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.queue.MemoryReservation;
import dev.windrow.writer.queue.PendingMessage;

/**
 * Queue of messages that wait to be decoded. They are decoded in arrival order, a few at a time, as memory allows. A message
 * that needs more memory than is free waits until others have been written.
 * <p>
 * A message that was received often may have crashed a process each time. Such suspects are decoded one at a time, each with
 * nothing else decoded or waiting to be written, so that a crash takes no other message down. They and the others have turns.
 * Thread-safe.
 */
public final class DecodeQueue {

    /**
     * A message received as often is a suspect. Ended processes and late deletes explain fewer receives. With more, Kubernetes
     * would restart a crashed writer so late that one bad message stops the others for half an hour.
     */
    static final int SUSPECT_RECEIVES = 5;

    /** How long suspects and other messages yield to each other, and how long suspects wait for others' writes. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Heap bytes that usual events take per byte of text. An estimate: decoding reserves more if needed. */
    private static final long HEAP_PER_BYTE = 4;

    /** A message that did not fit is tried again with so many times what it needed until then: few tries reach any need. */
    private static final long RETRY_FACTOR = 2;

    interface Decoding {

        /**
         * Decodes a message. Any other error must be reported as the message's failure: after any other exception, the
         * message is not decoded again here.
         *
         * @throws MemoryBudgetExceededException if memory is short; the message must then be unchanged
         */
        void decode(PendingMessage message, MemoryBudget allowance);
    }

    private final InFlightLimiter limiter;
    private final Executor workers;
    private final int concurrency;
    private final LongSupplier nanoTime;
    private final Decoding decoding;

    private final Deque<PendingMessage> usual = new ArrayDeque<>();
    private final Deque<PendingMessage> suspects = new ArrayDeque<>();
    /** Messages whose decoding has started and that have not ended. */
    private final Set<PendingMessage> begun = new HashSet<>();
    /** What is being decoded. */
    private final Set<Work> running = new HashSet<>();
    /** Messages that did not fit in memory, each with the bytes with which it is tried again. */
    private final Map<PendingMessage, Long> large = new HashMap<>();
    private boolean starved;
    private boolean suspectsTurn;
    private long turnSince;
    /** Since when a suspect waits for others' writes. */
    private long waitingSince;

    private record Work(PendingMessage message, MemoryReservation grant, Deque<PendingMessage> queue) {
    }

    DecodeQueue(InFlightLimiter limiter, Executor workers, int concurrency, LongSupplier nanoTime, Decoding decoding) {
        this.limiter = limiter;
        this.workers = workers;
        this.concurrency = concurrency;
        this.nanoTime = nanoTime;
        this.decoding = decoding;
    }

    void add(PendingMessage message) {
        synchronized (this) {
            (isSuspect(message) ? suspects : usual).add(message);
        }
        next();
    }

    /** A message of an ordered group counts as a suspect behind a suspect of its group, so that it does not overtake it. */
    private boolean isSuspect(PendingMessage message) {
        String group = group(message);
        return message.message().receiveCount() >= SUSPECT_RECEIVES
                || (group != null && suspects.stream().anyMatch(suspect -> group.equals(group(suspect))));
    }

    /** Records that a message has ended, decoded or not. */
    void ended(PendingMessage message) {
        synchronized (this) {
            begun.remove(message);
            large.remove(message);
        }
        next();
    }

    /** Whether a message waits for memory, or for others to be written. */
    synchronized boolean isWaitingForWrites() {
        return starved || suspectsTurn;
    }

    /** Whether a suspect waits for others to be written, however little memory that frees. */
    synchronized boolean isSuspectWaiting() {
        return suspectsTurn;
    }

    /** Starts decoding every message that can be decoded now. */
    void next() {
        for (Work work = take(); work != null; work = take()) {
            Work taken = work;
            workers.execute(() -> work(taken));
        }
    }

    private void work(Work first) {
        for (Work work = first; work != null; work = take()) {
            boolean enough = true;
            limiter.decoding(work.message.beginDecoding());
            try {
                decoding.decode(work.message, work.grant);
            } catch (MemoryBudgetExceededException e) {
                enough = false;
            } finally {
                work.grant.close();
                finish(work, enough);
            }
        }
    }

    /** @param enough whether there was enough memory; if not, the message goes back to the head of its queue */
    private synchronized void finish(Work work, boolean enough) {
        running.remove(work);
        if (work.queue == suspects) {
            waitingSince = nanoTime.getAsLong();
        }
        if (!enough) {
            begun.remove(work.message);
            work.queue.addFirst(work.message);
            large.put(work.message, RETRY_FACTOR * work.grant.needed());
        }
    }

    private synchronized @Nullable Work take() {
        starved = false;
        dropAbandoned(usual);
        dropAbandoned(suspects);
        if (running.size() == concurrency || running.stream().anyMatch(work -> work.queue == suspects)) {
            return null;
        }
        return isTurnOfSuspects() ? takeSuspect() : takeUsual();
    }

    private static void dropAbandoned(Deque<PendingMessage> queue) {
        while (!queue.isEmpty() && queue.element().isAbandoned()) {
            queue.remove();
        }
    }

    /** A turn of suspects lasts as long as others are patient, and until one was decoded and none lacks memory. */
    private boolean isTurnOfSuspects() {
        long now = nanoTime.getAsLong();
        boolean over = now - turnSince > PATIENCE_NANOS;
        boolean unused = suspectsTurn && (waitingSince == turnSince || large.containsKey(suspects.peek()));
        boolean turn = !suspects.isEmpty() && (usual.isEmpty() || unused || suspectsTurn != over);
        if (turn != suspectsTurn) {
            suspectsTurn = turn;
            turnSince = now;
            waitingSince = now;
        }
        return turn;
    }

    private @Nullable Work takeSuspect() {
        boolean patient = nanoTime.getAsLong() - waitingSince <= PATIENCE_NANOS;
        return running.isEmpty() && (begun.isEmpty() || !patient) ? begin(suspects) : null;
    }

    private @Nullable Work takeUsual() {
        PendingMessage message = usual.peek();
        String group = message == null ? null : group(message);
        boolean blocked = message == null
                || (group != null && running.stream().anyMatch(work -> group.equals(group(work.message))));
        return blocked ? null : begin(usual);
    }

    /** Begins with the first message of a queue, if there is memory for it. */
    private @Nullable Work begin(Deque<PendingMessage> queue) {
        PendingMessage message = queue.element();
        long wanted = large.getOrDefault(message, HEAP_PER_BYTE * message.message().body().length());
        MemoryReservation grant = limiter.reserve(message.receivedBytes(), wanted, begun.isEmpty());
        if (grant == null) {
            starved = true;
            return null;
        }
        queue.remove();
        Work work = new Work(message, grant, queue);
        running.add(work);
        begun.add(message);
        return work;
    }

    private static @Nullable String group(PendingMessage message) {
        String group = message.message().orderedGroup();
        return group == null ? null : message.message().queue().url() + " " + group;
    }
}
