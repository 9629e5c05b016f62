package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.BucketKey;
import dev.windrow.table.Freshness.Watermark;
import dev.windrow.table.Lane;
import dev.windrow.writer.journal.JournalSettings.Now;
import dev.windrow.writer.journal.Request.Answer;

/** Takes messages from receipt through claim to deletion. Not thread-safe. */
public final class MessageFlow {

    private final JournalSettings settings;
    private final Consumer<Request> out;
    private final Claims claims;
    private final Deletions deletions;
    private final FlushTimes flushes;
    private Claims.@Nullable Prepared claiming;
    private long flushUpTo;
    /** Of the last record that was claimed on the lane. */
    private long position;

    MessageFlow(JournalSettings settings, Consumer<Request> out) {
        this.settings = settings;
        this.out = out;
        this.claims = new Claims(settings.claimLimits(), settings.retention().toSeconds());
        this.deletions = new Deletions(settings.deleteAfter().toNanos());
        this.flushes = new FlushTimes(settings.flushEvery().toMillis());
    }

    Claims claims() {
        return claims;
    }

    Deletions deletions() {
        return deletions;
    }

    boolean isIdle() {
        return claims.size() == 0 && deletions.isIdle();
    }

    void receive(JournalMessage message, Now now) {
        MessageState state = new MessageState(message);
        if (message.units().isEmpty()) {
            settle(state, now);
        }
        claims.add(state);
    }

    /** A lane is ours, from which messages can be claimed. */
    void start(HeldLane lane) {
        flushes.start(lane.number());
        position = lane.position();
    }

    /**
     * Claims what is due.
     *
     * @param writers among how many writers messages are spread
     * @param all whether everything that waits is due
     */
    void claim(HeldLane lane, int writers, boolean all, Now now) {
        if (lane.isBusy() || lane.isLost() || isFull(lane)) {
            return;
        }
        boolean enough = claims.size() >= settings.claimLimits().slots() * settings.claimLimits().slotTarget();
        // What a full claim left gets no claim of its own, nor its slot two: what came meanwhile is claimed with it.
        if (flushes.hasCome(now.millis()) || all || enough || claims.leftUnits()) {
            flushUpTo = claims.lastNumber();
        }
        Claims.Prepared prepared = claims.hasUpTo(flushUpTo)
                ? claims.prepare(flushUpTo, writers, now, message -> settle(message, now), out)
                : null;
        if (prepared == null) {
            return;
        }
        if (prepared.chunks().isEmpty()) {
            refuseForGood("expected additions that fit into a transaction", now);
            return;
        }
        claiming = prepared;
        long next = lane.position() + 1;
        out.accept(lane.write(watermarks(lane, next, prepared), now.nanos(), update -> new Request.ClaimMessages(update, next,
                lane.format(), prepared.chunks(), prepared.slots(), prepared.expires(), prepared.messages()),
                (outcome, answer, ended) -> endClaim(lane, outcome, answer, ended)));
    }

    /**
     * How much longer additions wait for a claim that is under way: they are due about when the next claim adds to the same
     * buckets, and whichever came first would decide whether those are written once more.
     */
    long delayNanos() {
        return claiming == null ? 0 : settings.flushEvery().toNanos() / 2;
    }

    private boolean isFull(HeldLane lane) {
        return lane.applicator().cells().load() >= settings.maxCells()
                || lane.applicator().progress().records() >= settings.maxRecords();
    }

    /** Everything that the new record touches lags behind it. */
    private static List<Watermark> watermarks(HeldLane lane, long next, Claims.Prepared prepared) {
        Map<String, String> earliest = new LinkedHashMap<>();
        // In one granularity, sort keys are in the order of bucket starts.
        prepared.record().additions().forEach(addition -> earliest.merge(addition.granularity(), addition.item().sortKey(),
                (one, other) -> one.compareTo(other) <= 0 ? one : other));
        List<Watermark> watermarks = new ArrayList<>();
        for (Watermark watermark : lane.applicator().progress().watermarks()) {
            String sortKey = earliest.remove(watermark.granularity());
            watermarks.add(sortKey == null ? watermark
                    : new Watermark(watermark.granularity(), watermark.applied(), watermark.oldestMillis(),
                            Math.min(watermark.earliestStart(), start(sortKey))));
        }
        earliest.forEach((granularity, sortKey) -> watermarks
                .add(new Watermark(granularity, next - 1, prepared.record().claimedMillis(), start(sortKey))));
        return watermarks;
    }

    private static long start(String sortKey) {
        return BucketKey.startSeconds(sortKey).orElse(Watermark.ANY_START);
    }

    private void endClaim(HeldLane lane, HeldLane.Outcome outcome, Answer.OfWrite answer, Now now) {
        Claims.Prepared claimed = claiming;
        claiming = null;
        if (outcome == HeldLane.Outcome.DONE && claimed != null) {
            position = lane.position();
            lane.applicator().add(position, claimed.record(), now.nanos());
            claims.claimed(message -> settle(message, now));
        } else if (outcome == HeldLane.Outcome.NOT_DONE) {
            if (answer instanceof Answer.ClaimRefused refused) {
                claims.refused(refused.slots(), now, message -> settle(message, now), out);
            } else if (answer instanceof Answer.Refused refused) {
                refuseForGood(refused.detail(), now);
            }
        }
    }

    private void refuseForGood(String detail, Now now) {
        MessageState message = claims.unclaimable();
        if (message != null) {
            out.accept(new Request.RefuseMessage(message.message(), detail));
            if (message.settleUnit()) {
                settle(message, now);
            }
        }
    }

    /**
     * The lane is not ours any more: claimed messages are safe, as another writer applies them; the others are claimed on
     * another lane.
     */
    void stop() {
        claims.forget();
        claiming = null;
        position = 0;
    }

    private void settle(MessageState message, Now now) {
        out.accept(new Request.ReportClaimed(message.message()));
        deletions.settle(message.message(), position, now.nanos());
    }

    /**
     * Deletes messages that are claimed, in the order of their claims, once the fine buckets have them: if every writer dies
     * before, they are redelivered, and the writer that is started for them finds the lane. A bucket that rejects updates
     * delays them only for a while, and short memory not at all. Not thread-safe.
     */
    static final class Deletions {

        /** A message whose claims are known. */
        private record Settled(JournalMessage message, long position, long sinceNanos) {
        }

        private final long deleteAfterNanos;
        private final Deque<Settled> settled = new ArrayDeque<>();

        Deletions(long deleteAfterNanos) {
            this.deleteAfterNanos = deleteAfterNanos;
        }

        /** All of a message is claimed, the last of it by a record of the lane up to a position. */
        void settle(JournalMessage message, long position, long nowNanos) {
            settled.add(new Settled(message, position, nowNanos));
        }

        /**
         * Deletes what may be deleted.
         *
         * @param promptlyApplied the position up to which fine buckets have all records; {@link Long#MAX_VALUE} without a lane,
         *        or if nothing is to wait for them
         */
        void delete(long promptlyApplied, long nowNanos, Consumer<Request> out) {
            while (!settled.isEmpty()) {
                Settled first = settled.element();
                if (first.position > promptlyApplied && nowNanos - first.sinceNanos < deleteAfterNanos) {
                    return;
                }
                settled.remove();
                out.accept(new Request.DeleteMessage(first.message));
            }
        }

        boolean isIdle() {
            return settled.isEmpty();
        }
    }

    /**
     * When messages are claimed: once in each interval, at a part of it that belongs to the lane, so that writers, whose claims
     * meet in the same slots, do not claim at the same moment. Not thread-safe.
     */
    static final class FlushTimes {

        private static final int LANE_BITS = Integer.numberOfTrailingZeros(Lane.MAX_LANES);

        private final long everyMillis;
        private long offsetMillis;
        private long lastInterval;

        FlushTimes(long everyMillis) {
            this.everyMillis = Math.max(1, everyMillis);
        }

        /** A lane is ours: lanes of low numbers are far from each other, however few there are. */
        void start(int lane) {
            offsetMillis = everyMillis * (Integer.reverse(lane) >>> (Integer.SIZE - LANE_BITS)) / Lane.MAX_LANES;
        }

        /** Whether a new interval has started since the last call that returned true. */
        boolean hasCome(long nowMillis) {
            long interval = Math.floorDiv(nowMillis - offsetMillis, everyMillis);
            // Another, not a later one: a clock may be set back.
            boolean come = interval != lastInterval;
            lastInterval = interval;
            return come;
        }
    }

    /** How much of a message is still to be claimed. Not thread-safe. */
    static final class MessageState {

        private final JournalMessage message;
        private int openUnits;

        MessageState(JournalMessage message) {
            this.message = message;
            this.openUnits = message.units().size();
        }

        public JournalMessage message() {
            return message;
        }

        /** One of its units is claimed, or in the dead-letter queue; returns whether it was the last one. */
        boolean settleUnit() {
            openUnits--;
            return openUnits == 0;
        }
    }

    /** A received message, as the journal's caller holds it. */
    public interface JournalMessage {

        /** What it adds; none if all of it was rejected. */
        List<ClaimUnit> units();

        /** The attributes that it was sent with, which may name its trace. */
        Map<String, String> attributes();

        /** All of it is claimed: the journal has what it adds, and keeps its units no longer. */
        void claimed();

        /**
         * DynamoDB never takes the claim of a part of it: once the rest is claimed, the whole message is to become a dead
         * letter.
         */
        void refused(String detail);

        /** Ends it: what was rejected of it becomes a dead letter, and it is deleted, or left to be redelivered. */
        void delete();
    }
}
