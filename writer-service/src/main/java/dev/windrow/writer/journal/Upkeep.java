package dev.windrow.writer.journal;

import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.apply.Applicator;
import dev.windrow.writer.journal.claim.Cuts;
import dev.windrow.writer.journal.record.RecordCodec;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;

/** What a lane needs while it is held: updates, deferrals, parkings and renewals. */
final class Upkeep {

    private static final int RENEWALS_IN_LEASE = 4;
    /** Cells, so that their record stays small; those beyond hold up what is applied. */
    private static final int MAX_DEFERRED = 1_000;

    private final JournalSettings settings;
    private final Consumer<Request> out;
    private Applicator.@Nullable Deferral deferral;
    private boolean looked;
    private long lookedNanos;

    Upkeep(JournalSettings settings, Consumer<Request> out) {
        this.settings = settings;
        this.out = out;
    }

    /**
     * Writes what some items have not taken for some time as a record of its own, so that what is applied need not wait for it:
     * looked for as often, and written again as long as they do not take it, so that a recovery never has many records to read.
     */
    void defer(HeldLane lane, Moment now) {
        long after = settings.deferAfter().toNanos();
        if (lane.isBusy() || lane.isLost() || (looked && now.nanos() - lookedNanos < after)) {
            return;
        }
        looked = true;
        lookedNanos = now.nanos();
        int most = Math.max(0, MAX_DEFERRED - lane.applicator().cells().deferred());
        deferral = lane.applicator().overdue(now.nanos(), after, most, now.millis());
        List<byte[]> chunks = chunks();
        while (deferral != null && chunks.isEmpty() && most > 0) {
            most /= 2;
            deferral = lane.applicator().overdue(now.nanos(), after, most, now.millis());
            chunks = chunks();
        }
        // Where others hold up what is applied, it helps nothing to defer the same ones again.
        boolean full = lane.applicator().progress().records() >= settings.maxRecords();
        if (deferral == null || chunks.isEmpty() || (full && deferral.added() == 0)) {
            return;
        }
        List<byte[]> record = chunks;
        out.accept(lane.write(lane.watermarks(), now.nanos(), update -> Request.ClaimMessages.deferring(update,
                lane.position() + 1, record, Cuts.expires(now.seconds(), settings.retention().toSeconds()))));
    }

    /** The deferral as a record; none if there is nothing to defer, or too much. */
    private List<byte[]> chunks() {
        Applicator.Deferral found = deferral;
        try {
            return found == null ? List.of() : settings.claimLimits().cut(RecordCodec.encode(found.record()));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    /** The deferral under way has ended. */
    void endDeferral(HeldLane lane, HeldLane.Outcome outcome) {
        Applicator.Deferral written = deferral;
        deferral = null;
        if (outcome == HeldLane.Outcome.DONE && written != null) {
            lane.applicator().deferred(written, lane.position());
            out.accept(new Request.ReportDeferred(lane.number(), written.cells().size(), written.cells().get(0).item()));
        }
    }

    /** Parks what items refused. @return whether a write of the lane's item was started for it */
    boolean park(HeldLane lane, Moment now) {
        lane.parkings().collect(out);
        if (!lane.isBusy() && !lane.isLost() && lane.parkings().begin(now.nanos())) {
            out.accept(
                    lane.write(lane.watermarks(), now.nanos(), update -> new Request.ParkItem(update, lane.parkings().mark())));
            return true;
        }
        return false;
    }

    /** The parking under way has ended. */
    void endParking(HeldLane lane, HeldLane.Outcome outcome, Answer answer) {
        if (outcome == HeldLane.Outcome.DONE) {
            lane.parkings().written(out);
        } else if (answer instanceof Answer.AppliedUpTo applied) {
            lane.parkings().markBeaten(applied.position());
        } else if (answer instanceof Answer.Refused) {
            lane.parkings().markRefused();
        }
    }

    /**
     * Sends updates that are due. Not if the lane may belong to another writer by now: only additions would count twice
     * that the other one parked, of an item that could not be marked and has been repaired since.
     *
     * @param all whether everything that waits is due
     * @param delayNanos how much longer than usual the rest waits
     */
    void apply(HeldLane lane, boolean all, long delayNanos, Moment now) {
        if (lane.silentNanos(now.nanos()) >= settings.lease().toNanos()) {
            return;
        }
        boolean crowded = lane.parkings().isCrowded() || lane.applicator().cells().load() > settings.maxCells() / 2
                || lane.applicator().progress().records() > settings.maxRecords() / 2;
        lane.applicator().send(now.nanos(), delayNanos, all || crowded, out);
    }

    /** Writes the lane's item to find out whether it is ours. @return whether nothing else may be done with it until then */
    boolean confirm(HeldLane lane, Moment now) {
        if (!lane.isSuspicious()) {
            return false;
        }
        if (!lane.isBusy() && !lane.isLost()) {
            out.accept(lane.write(lane.watermarks(), now.nanos(), Request.RenewLane::new));
        }
        return true;
    }

    /** Writes the lane's item if nothing else does: soon where it says less than is applied, else some times in a lease. */
    void renew(HeldLane lane, Moment now) {
        if (lane.isBusy() || lane.isLost()) {
            return;
        }
        long silent = lane.silentNanos(now.nanos());
        boolean behind = lane.isBehind() && silent >= settings.flushEvery().toNanos() * 2;
        if (behind || silent >= settings.lease().toNanos() / RENEWALS_IN_LEASE) {
            out.accept(lane.write(lane.watermarks(), now.nanos(), Request.RenewLane::new));
        }
    }

    /** Gives the lane up. */
    void release(HeldLane lane, Moment now) {
        out.accept(lane.write(lane.watermarks(), now.nanos(), Request.ReleaseLane::new));
    }
}
