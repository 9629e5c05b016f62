package dev.windrow.writer.journal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.BucketKey;
import dev.windrow.table.Freshness.Watermark;
import dev.windrow.writer.journal.claim.Claims;
import dev.windrow.writer.journal.claim.JournalMessage;
import dev.windrow.writer.journal.claim.MessageState;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;

/** Takes messages from receipt through claim to deletion. Not thread-safe. */
final class MessageFlow {

    private final JournalSettings settings;
    private final Consumer<Request> out;
    private final Claims claims;
    private final Deletions deletions;
    private final FlushTimes flushes;
    /** Messages that the table refuses permanently; their dead letters are being sent. */
    private final List<MessageState> unclaimable = new ArrayList<>();
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
        return claims.size() == 0 && deletions.isIdle() && unclaimable.isEmpty();
    }

    void receive(JournalMessage message, Moment now) {
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
    void claim(HeldLane lane, int writers, boolean all, Moment now) {
        if (lane.isBusy() || lane.isLost() || isFull(lane)) {
            return;
        }
        boolean enough = claims.size() >= settings.claimLimits().slots() * settings.claimLimits().slotTarget();
        if (flushes.hasCome(now.millis()) || all || enough) {
            flushUpTo = claims.lastNumber();
        }
        Claims.Prepared prepared = claims.hasUpTo(flushUpTo)
                ? claims.prepare(flushUpTo, writers, now, message -> settle(message, now), out)
                : null;
        if (prepared == null) {
            return;
        }
        if (prepared.chunks().isEmpty()) {
            refuseForGood("expected additions that fit into a transaction");
            return;
        }
        claiming = prepared;
        long next = lane.position() + 1;
        out.accept(lane.write(watermarks(lane, next, prepared), now.nanos(), update -> new Request.ClaimMessages(update, next,
                lane.format(), prepared.chunks(), prepared.slots(), prepared.expires(), prepared.messages())));
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
                || lane.applicator().progress().records() >= settings.maxRecords()
                || lane.parkings().isFull();
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

    /** The claim under way has ended. */
    void endClaim(HeldLane lane, HeldLane.Outcome outcome, Answer answer, Moment now) {
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
                refuseForGood(refused.detail());
            }
        }
    }

    private void refuseForGood(String detail) {
        MessageState message = claims.unclaimable();
        if (message != null) {
            unclaimable.add(message);
            out.accept(new Request.SendUnclaimable(message.message(), detail));
        }
    }

    /** A message that cannot be claimed is in the dead-letter queue. */
    void unclaimableSent(JournalMessage message, Moment now) {
        unclaimable.stream().filter(state -> state.message().reference() == message.reference()).findFirst()
                .ifPresent(state -> {
                    unclaimable.remove(state);
                    if (state.settleUnit()) {
                        settle(state, now);
                    }
                });
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

    private void settle(MessageState message, Moment now) {
        Object reference = message.message().reference();
        out.accept(new Request.ReportClaimed(reference));
        deletions.settle(reference, position, now.nanos());
    }
}
