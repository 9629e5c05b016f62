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
 * The messages that wait to be decoded. They are decoded in order of arrival, a few at a time, as memory allows; a message
 * that needs more than is free waits until others have been written.
 * <p>
 * Messages that were received often may have ended a process before: these suspects come after the others, the first
 * alone, with nothing else in memory, so that they take no other message down. After killed processes nearly all of a backlog
 * are suspects and one is the cause, or none, so suspicion falls as they end well: 1, 2, 4, … come at a time. If it is one of
 * them, it takes down no more than have shown to be harmless, and a new process starts with one. Thread-safe.
 */
public final class DecodeQueue {

    /** A message received more often is a suspect: twice is what a late delete or an ended process explains. */
    static final int MAX_USUAL_RECEIVES = 2;

    /** How many messages are remembered that were decoded here already, and would be suspects when they come again. */
    private static final int REMEMBERED = 10_000;

    /** For how long suspects and other messages give way to each other, and suspects wait for others' writes. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What usual events take on the heap for each byte of their text; if it is not enough, more is taken. */
    private static final long HEAP_PER_BYTE = 4;

    interface Decoding {

        /**
         * Decodes a message. What else is wrong with it must end as the message's failure: whatever else is thrown, the
         * message is not decoded again here.
         *
         * @throws MemoryBudgetExceededException if there is not enough memory; the message must be unchanged then
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
    /** Messages whose decoding has started and that have not ended yet. */
    private final Set<PendingMessage> begun = new HashSet<>();
    private final Set<String> groups = new HashSet<>();
    /** Ids of messages that came often because they were not deleted, though all of them was counted. */
    private final Map<String, Boolean> harmless = new RecentMap<>(REMEMBERED);
    private int running;
    private int runningSuspects;
    /** How many suspects may still be decoded beside those that are. */
    private int round;
    /** How many suspects have ended well. */
    private int cleared;
    /** Whether the first usual message was tried, and there was not enough memory for it. */
    private boolean large;
    private boolean starved;
    private long suspectsSince;
    private boolean suspectsTurn;
    private long turnSince;
    private long roundSince;
    private long waitingSince;

    private record Work(PendingMessage message, MemoryReservation grant, boolean suspect) {
    }

    /** @param maxDecodingBytes what the decoding of one message takes at most */
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

    /** A message of an ordered group must not come before one of its group that is a suspect. */
    private boolean isSuspect(PendingMessage message) {
        String group = group(message);
        return (message.message().receiveCount() > MAX_USUAL_RECEIVES && !harmless.containsKey(message.message().id()))
                || (group != null && suspects.stream().anyMatch(suspect -> group.equals(group(suspect))));
    }

    /** Notes that a message has ended, decoded or not. */
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

    /** Starts to decode what can be decoded now. */
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

    /** @param enough whether there was enough memory; if not, the message goes back to where it was */
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

    /** @param first whether it is the first of its round, which is decoded whatever memory it takes */
    private @Nullable Work nextSuspect(boolean first) {
        PendingMessage message = suspects.element();
        if (groups.contains(String.valueOf(group(message)))) {
            return null;
        }
        long estimate = first ? 0 : HEAP_PER_BYTE * message.message().body().length();
        if (!first && !limiter.tryGrow(estimate)) {
            // The others come in a new round, once these have been written.
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
