package dev.windrow.writer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.RecentMap;
import dev.windrow.writer.decode.EventDecoder.MemoryBudget;
import dev.windrow.writer.decode.EventDecoder.MemoryBudget.MemoryBudgetExceededException;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.queue.InFlightLimiter.MemoryReservation;
import dev.windrow.writer.queue.InFlightMessages.PendingMessage;

/**
 * Queue of messages that wait to be decoded. They are decoded in arrival order, a few at a time, as memory allows. A message
 * that needs more memory than is free waits until others have been written.
 * <p>
 * A message that was received often may have crashed a process before. Such suspects are decoded after the others, the first
 * one alone with nothing else in memory, so that it takes no other message down. After crashes nearly the whole backlog is
 * suspect, but one message is to blame, or none, so each suspect that ends well lets more run at once: 1, 2, 4, … A crash
 * then affects at most as many others as have proved harmless, and the new process starts with one again. Thread-safe.
 */
public final class DecodeQueue {

    /** A message received more often is a suspect. A late delete or one ended process explains a second receive. */
    static final int MAX_USUAL_RECEIVES = 2;

    /** How many harmless messages are remembered. */
    private static final int REMEMBERED = 10_000;

    /** How long suspects and other messages yield to each other, and how long suspects wait for others' writes. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Heap bytes that usual events take per byte of text. An estimate: decoding reserves more if needed. */
    private static final long HEAP_PER_BYTE = 4;

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
    private final long maxDecodingBytes;
    private final LongSupplier nanoTime;
    private final Decoding decoding;

    private final Deque<PendingMessage> usual = new ArrayDeque<>();
    private final Deque<PendingMessage> suspects = new ArrayDeque<>();
    /** Messages whose decoding has started and that have not ended. */
    private final Set<PendingMessage> begun = new HashSet<>();
    private final Set<String> groups = new HashSet<>();
    /** Ids of messages that ended here after repeated receives. They are no suspects when they come again. */
    private final Map<String, Boolean> harmless = new RecentMap<>(REMEMBERED);
    private int running;
    private int runningSuspects;
    /** How many more suspects may start in this round. */
    private int round;
    /** How many suspects have ended well. */
    private int cleared;
    /** Whether the first usual message was tried and did not fit in memory. */
    private boolean large;
    private boolean starved;
    private long suspectsSince;
    private boolean suspectsTurn;
    private long turnSince;
    private long roundSince;
    private long waitingSince;

    private record Work(PendingMessage message, MemoryReservation grant, boolean suspect) {
    }

    /** @param maxDecodingBytes maximum memory for decoding one message */
    DecodeQueue(InFlightLimiter limiter, Executor workers, int concurrency, long maxDecodingBytes, LongSupplier nanoTime,
            Decoding decoding) {
        this.limiter = limiter;
        this.workers = workers;
        this.concurrency = concurrency;
        this.maxDecodingBytes = maxDecodingBytes;
        this.nanoTime = nanoTime;
        this.decoding = decoding;
    }

    void add(PendingMessage message) {
        synchronized (this) {
            if (isSuspect(message)) {
                if (suspects.isEmpty()) {
                    suspectsSince = nanoTime.getAsLong();
                }
                suspects.add(message);
            } else {
                usual.add(message);
            }
        }
        next();
    }

    /** A message of an ordered group counts as a suspect behind a suspect of its group, so that it does not overtake it. */
    private boolean isSuspect(PendingMessage message) {
        String group = group(message);
        return (message.message().receiveCount() > MAX_USUAL_RECEIVES && !harmless.containsKey(message.message().id()))
                || (group != null && suspects.stream().anyMatch(suspect -> group.equals(group(suspect))));
    }

    /** Records that a message has ended, decoded or not. */
    void ended(PendingMessage message) {
        synchronized (this) {
            begun.remove(message);
            if (!message.isAbandoned() && message.message().receiveCount() >= MAX_USUAL_RECEIVES) {
                harmless.put(message.message().id(), true);
            }
        }
        next();
    }

    /** Whether a message waits for others to be written. */
    synchronized boolean isWaitingForWrites() {
        return starved || suspectsTurn;
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
        running--;
        groups.remove(group(work.message));
        if (work.suspect) {
            finishSuspect(enough, work.message.isAbandoned());
        }
        if (!enough) {
            begun.remove(work.message);
            (work.suspect ? suspects : usual).addFirst(work.message);
            large |= !work.suspect;
        }
    }

    private void finishSuspect(boolean enough, boolean returned) {
        runningSuspects--;
        cleared += enough && !returned ? 1 : 0;
        waitingSince = nanoTime.getAsLong();
        suspectsSince = waitingSince;
        boolean othersWait = !usual.isEmpty() && waitingSince - roundSince > PATIENCE_NANOS;
        if (!enough || othersWait) {
            round = 0;
        }
        if (runningSuspects == 0 && (round == 0 || suspects.isEmpty())) {
            suspectsTurn = waitingSince - turnSince <= PATIENCE_NANOS;
        }
    }

    private synchronized @Nullable Work take() {
        starved = false;
        dropAbandoned(usual);
        dropAbandoned(suspects);
        round = suspects.isEmpty() ? 0 : round;
        if (running == concurrency) {
            return null;
        }
        if (round > 0) {
            return nextSuspect(false);
        }
        if (runningSuspects > 0) {
            return null;
        }
        return isTurnOfSuspects() ? takeSuspect() : takeUsual();
    }

    private void dropAbandoned(Deque<PendingMessage> queue) {
        for (PendingMessage first = queue.peek(); first != null && first.isAbandoned(); first = queue.peek()) {
            queue.remove();
            large &= queue != usual;
        }
    }

    private boolean isTurnOfSuspects() {
        if (suspects.isEmpty()) {
            suspectsTurn = false;
        } else if (!suspectsTurn && (usual.isEmpty() || nanoTime.getAsLong() - suspectsSince > PATIENCE_NANOS)) {
            suspectsTurn = true;
            turnSince = nanoTime.getAsLong();
            waitingSince = turnSince;
        }
        return suspectsTurn;
    }

    private @Nullable Work takeSuspect() {
        boolean patient = nanoTime.getAsLong() - waitingSince <= PATIENCE_NANOS;
        if (running > 0 || (!begun.isEmpty() && patient)) {
            return null;
        }
        roundSince = nanoTime.getAsLong();
        round = 1 + cleared;
        return nextSuspect(true);
    }

    /** @param first whether this is the first of its round, which is decoded however much memory it takes */
    private @Nullable Work nextSuspect(boolean first) {
        PendingMessage message = suspects.element();
        if (groups.contains(String.valueOf(group(message)))) {
            return null;
        }
        long estimate = first ? 0 : HEAP_PER_BYTE * message.message().body().length();
        if (!first && !limiter.tryGrow(estimate)) {
            // The remaining suspects come in a new round, after the writes of this one.
            round = 0;
            return null;
        }
        suspects.remove();
        runningSuspects++;
        round--;
        return begin(message, estimate, first, true);
    }

    private @Nullable Work takeUsual() {
        PendingMessage message = usual.peek();
        if (message == null || groups.contains(String.valueOf(group(message)))) {
            return null;
        }
        long estimate = large ? maxDecodingBytes : HEAP_PER_BYTE * message.message().body().length();
        boolean onlyOne = begun.isEmpty() && running == 0;
        if (!onlyOne && !limiter.tryGrow(estimate)) {
            starved = true;
            return null;
        }
        usual.remove();
        large = false;
        return begin(message, onlyOne ? 0 : estimate, onlyOne, false);
    }

    private Work begin(PendingMessage message, long granted, boolean forced, boolean suspect) {
        running++;
        begun.add(message);
        String group = group(message);
        if (group != null) {
            groups.add(group);
        }
        return new Work(message, new MemoryReservation(limiter, granted, forced), suspect);
    }

    private static @Nullable String group(PendingMessage message) {
        String group = message.message().orderedGroup();
        return group == null ? null : message.message().queue().url() + " " + group;
    }
}
