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
import dev.windrow.table.Lane;
import dev.windrow.table.Watermark;
import dev.windrow.writer.journal.Claims.MessageState;
import dev.windrow.writer.journal.Request.Answer;

/** Takes messages from receipt through claim to deletion. Not thread-safe. */
public final class ClaimCycle {

    private final JournalSettings settings;
    private final Consumer<Request> out;
    private final Claims claims;
    private final Deletions deletions;
    private final FlushTimes flushes;
    private Claims.@Nullable Prepared claiming;
    private long flushUpTo;
    /** The position of the last record that was claimed on the lane. */
    private long position;

    ClaimCycle(JournalSettings settings, Consumer<Request> out) {
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

    void start(HeldLane lane) {
        flushes.start(lane.number());
        position = lane.position();
    }

    /**
     * Claims what is due.
     *
     * @param writers number of writers that share the messages
     * @param all whether everything that waits is due
     */
    void claim(HeldLane lane, int writers, boolean all, Now now) {
        if (lane.isBusy() || lane.isLost() || isFull(lane)) {
            return;
        }
        boolean enough = claims.size() >= settings.claimLimits().slots() * settings.claimLimits().slotTarget();
        // Units left by a full claim are claimed together with later ones: no extra claim, and no second write of their slot.
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
            refuseForGood("its additions do not fit into one transaction", now);
            return;
        }
        claiming = prepared;
        long next = lane.position() + 1;
        out.accept(lane.write(watermarks(lane, next, prepared), now.nanos(), update -> new Request.ClaimMessages(update, next,
                lane.format(), prepared.chunks(), prepared.slots(), prepared.expires(), prepared.messages()),
                (outcome, answer, ended) -> endClaim(lane, outcome, answer, ended)));
    }

    /**
     * Returns how much longer additions wait while a claim is in flight. They fall due about when it adds to the same buckets;
     * if they were sent before it, those buckets would be written once more.
     */
    long delayNanos() {
        return claiming == null ? 0 : settings.flushEvery().toNanos() / 2;
    }

    private boolean isFull(HeldLane lane) {
        return lane.applicator().cells().load() >= settings.maxCells()
                || lane.applicator().progress().records() >= settings.maxRecords();
    }

    /** Returns the watermarks with the new record: everything that it touches lags behind it. */
    private static List<Watermark> watermarks(HeldLane lane, long next, Claims.Prepared prepared) {
        Map<String, String> earliest = new LinkedHashMap<>();
        // Within a granularity, sort keys are in the order of bucket starts.
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
                claims.refused(refused.slots(), now, out);
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
     * Stops claiming on a lost lane. Claimed messages are safe, as another writer applies them; the others are claimed on
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
     * Deletes claimed messages, in the order of their claims, once the fine buckets have them: if all writers die before that,
     * the messages are redelivered, and the writer that is started for them finds the lane. A bucket that rejects updates
     * delays deletions only for a while, and not at all if memory is short. Not thread-safe.
     */
    static final class Deletions {

        private record Settled(JournalMessage message, long position, long sinceNanos) {
        }

        private final long deleteAfterNanos;
        private final Deque<Settled> settled = new ArrayDeque<>();

        Deletions(long deleteAfterNanos) {
            this.deleteAfterNanos = deleteAfterNanos;
        }

        /** Notes that a message is completely claimed, by records up to a position of the lane. */
        void settle(JournalMessage message, long position, long nowNanos) {
            settled.add(new Settled(message, position, nowNanos));
        }

        /**
         * Deletes all messages that may be deleted.
         *
         * @param promptlyApplied the position up to which fine buckets have all records; {@link Long#MAX_VALUE} without a lane,
         *        or if deletions do not wait for them
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
     * The times of claims: once in each interval, at an offset that belongs to the lane, so that writers, whose claims meet in
     * the same slots, do not claim at the same moment. Not thread-safe.
     */
    static final class FlushTimes {

        private static final int LANE_BITS = Integer.numberOfTrailingZeros(Lane.MAX_LANES);

        private final long everyMillis;
        private long offsetMillis;
        private long lastInterval;

        FlushTimes(long everyMillis) {
            this.everyMillis = Math.max(1, everyMillis);
        }

        /** Sets the lane's offset. Low lane numbers get offsets that are far apart, however few lanes there are. */
        void start(int lane) {
            offsetMillis = everyMillis * (Integer.reverse(lane) >>> (Integer.SIZE - LANE_BITS)) / Lane.MAX_LANES;
        }

        /** Whether a new interval has started since the last call that returned true. */
        boolean hasCome(long nowMillis) {
            long interval = Math.floorDiv(nowMillis - offsetMillis, everyMillis);
            // Any other interval, not only a later one: a clock may be set back.
            boolean come = interval != lastInterval;
            lastInterval = interval;
            return come;
        }
    }

}
