package dev.windrow.writer.journal;

import java.util.function.Consumer;

import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;

/** What a lane needs while it is held: updates, parkings and renewals. */
final class Upkeep {

    private static final int RENEWALS_IN_LEASE = 4;

    private final JournalSettings settings;
    private final Consumer<Request> out;

    Upkeep(JournalSettings settings, Consumer<Request> out) {
        this.settings = settings;
        this.out = out;
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
