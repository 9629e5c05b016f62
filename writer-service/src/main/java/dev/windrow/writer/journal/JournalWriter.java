package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.apply.Applicator;
import dev.windrow.writer.journal.claim.JournalMessage;
import dev.windrow.writer.journal.lane.Lane;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;

/**
 * One writer's part in the journal: acquire a lane, claim messages with all that they add, apply it, delete them; and
 * recover lanes that others left behind. It is given messages, answers and the time, and gives requests to
 * {@linkplain #poll() poll}. Not thread-safe.
 */
public final class JournalWriter {

    private static final int MAX_LINGERING = 4;

    private final JournalSettings settings;
    private final Deque<Request> requests = new ArrayDeque<>();
    private final Acquisition acquisition;
    private final MessageFlow messages;
    private final Upkeep upkeep;
    private final Backlog backlog;
    private @Nullable HeldLane seat;
    private @Nullable Recovery recovery;
    /** Recoveries that wait for a few items, so that others need not wait for them. */
    private final List<Recovery> lingering = new ArrayList<>();
    private boolean draining;
    /** Whether the last write of the seat was a parking. */
    private boolean parkedLast;

    public JournalWriter(JournalSettings settings) {
        this.settings = settings;
        this.acquisition = new Acquisition(settings.holder(), settings.lease().toNanos());
        this.messages = new MessageFlow(settings, requests::add);
        this.upkeep = new Upkeep(settings, requests::add);
        this.backlog = new Backlog(settings.backlogDelay().toNanos());
    }

    /** Takes a message. The caller bounds how many it holds, as it sees them deleted. */
    public void receive(JournalMessage message, Moment now) {
        messages.receive(message, now);
    }

    /** From now on everything is claimed and applied at once, and then the lane is released. */
    public void drain() {
        draining = true;
    }

    /** Whether a drain has ended, so that nothing would be lost or late if the process ended. */
    public boolean isDrained() {
        return draining && seat == null && recovery == null && lingering.isEmpty() && !acquisition.isAcquiring()
                && messages.isIdle();
    }

    /** What it holds, for limits and metrics. */
    public JournalStatus status() {
        int records = 0;
        int cells = 0;
        int deferred = 0;
        long bytes = 0;
        for (HeldLane lane : held()) {
            records += lane.applicator().progress().records();
            cells += lane.applicator().cells().size();
            deferred += lane.applicator().cells().deferred();
            bytes += lane.applicator().cells().heapBytes();
        }
        return new JournalStatus(seat == null ? -1 : seat.number(), messages.claims().size(), records, cells, deferred, bytes,
                messages.claims().claims(), messages.claims().duplicates(), acquisition.taken(), acquisition.abandoned(),
                recovery != null || !lingering.isEmpty());
    }

    /** The next request to send. */
    public @Nullable Request poll() {
        return requests.poll();
    }

    /**
     * Does what is due. To be called after messages and answers, and a few times in each interval of flushes.
     *
     * @param urgent what short memory changes
     */
    public void tick(Moment now, Urgency urgent) {
        if (urgent.backlog()) {
            backlog.see(now.nanos());
        }
        dropLost();
        acquireLanes(now);
        HeldLane own = seat;
        if (own != null && !upkeep.confirm(own, now)) {
            if (!draining) {
                upkeep.defer(own, now);
            }
            parkAndClaim(own, draining || urgent.claims(), now);
            upkeep.apply(own, draining, backlog.delayNanos(now.nanos()) + messages.delayNanos(), now);
            messages.deletions().delete(
                    urgent.deletions() ? Long.MAX_VALUE : own.applicator().progress().promptlyApplied(), now.nanos(),
                    requests::add);
            // Renewals come last: where writes are slow and the lease is short, one follows the other.
            if (draining && !own.isBusy() && own.isDone() && messages.isIdle()) {
                upkeep.release(own, now);
            } else {
                upkeep.renew(own, now);
            }
        }
        if (own == null) {
            // Whatever is settled belongs to no lane of ours, or to one that others recover.
            messages.deletions().delete(Long.MAX_VALUE, now.nanos(), requests::add);
        }
        Recovery recovering = recovery;
        if (recovering != null) {
            recover(recovering, now);
        }
        List.copyOf(lingering).forEach(stuck -> recover(stuck, now));
        if (recovery == recovering && recovering != null && lingering.size() < MAX_LINGERING
                && recovering.isStuck(now.nanos(), settings.deferAfter().toNanos())) {
            lingering.add(recovering);
            recovery = null;
        }
    }

    /** In turn: both write the lane's item, and either may come without end. */
    private void parkAndClaim(HeldLane own, boolean all, Moment now) {
        boolean busy = own.isBusy();
        if (parkedLast && !busy) {
            messages.claim(own, acquisition.writers(), all, now);
        }
        boolean parks = upkeep.park(own, now);
        messages.claim(own, acquisition.writers(), all, now);
        parkedLast = parks || (busy && parkedLast);
    }

    private void dropLost() {
        if (seat != null && seat.isLost()) {
            requests.add(new Request.ReportLane(seat.number(), Request.ReportLane.Event.LOST));
            seat = null;
            messages.stop();
        }
        if (recovery != null && recovery.lane().isLost()) {
            recovery = null;
        }
        lingering.removeIf(stuck -> stuck.lane().isLost());
    }

    private void acquireLanes(Moment now) {
        if (draining && messages.claims().size() == 0) {
            return;
        }
        acquisition.survey(now.nanos(), seat == null, requests::add);
        if (seat == null) {
            acquisition.acquireSeat(lane -> held(lane) != null, now, requests::add);
        }
        if (recovery == null && !draining) {
            acquisition.lookAgain(now.nanos(), requests::add);
            acquisition.acquireAbandoned(lane -> held(lane) != null, now.nanos(), requests::add);
        }
    }

    private void acquired(Lane lane) {
        boolean work = lane.hasWork();
        Applicator applicator = new Applicator(lane.number(), lane.applied(), lane.position(),
                settings.writeEvery(),
                settings.concurrentUpdates(), !work, settings.deniedFor().toNanos());
        HeldLane held = new HeldLane(lane, applicator, Parkings.maxListed(settings.maxCells()), acquisition.begunNanos());
        if (work) {
            recovery = new Recovery(held, lane, settings.maxCells());
        } else {
            seat = held;
            messages.start(held);
            requests.add(new Request.ReportLane(lane.number(), Request.ReportLane.Event.HELD));
        }
    }

    private void recover(Recovery recovering, Moment now) {
        HeldLane lane = recovering.lane();
        if (upkeep.confirm(lane, now)) {
            return;
        }
        recovering.read(requests::add);
        if (!recovering.isDeferralMissing()) {
            // Parkings are merged where no cell between them lacks anything: all such cells must be known.
            upkeep.park(lane, now);
            upkeep.apply(lane, true, 0, now);
        }
        if (lane.isBusy() || lane.isLost()) {
            return;
        }
        if (recovering.hasFailed()) {
            // Unchanged, so that it shows as abandoned.
            acquisition.giveUp(lane.number(), lane.writtenApplied(), recovering.unreadable(), now.nanos());
            end(lane);
        } else if (recovering.isDone() || draining) {
            upkeep.release(lane, now);
        } else {
            upkeep.renew(lane, now);
        }
    }

    /** Takes the answer to a request. */
    public void answer(Request request, Answer answer, Moment now) {
        if (request instanceof Request.LaneWrite write) {
            answerWrite(write, answer, now);
        } else if (request instanceof Request.ApplySums sums) {
            answerUpdate(held(sums.lane()), request, answer, now);
        } else if (request instanceof Request.ApplyExtreme extreme) {
            answerUpdate(held(extreme.lane()), request, answer, now);
        } else if (request instanceof Request.ReadLanes read) {
            acquisition.read(read, ((Answer.LanesAre) answer).lanes(), now.nanos());
        } else if (request instanceof Request.AcquireLane acquire) {
            Lane lane = ((Answer.LaneIs) answer).lane();
            if (acquisition.acquired(acquire, lane)) {
                acquired(lane);
            }
        } else if (request instanceof Request.CutSlots cut) {
            messages.claims().cut(cut.key(), (Answer.CutIs) answer, now, requests::add);
        } else if (request instanceof Request.ReadRecord read) {
            answerRead(read, (Answer.RecordIs) answer, now);
        } else {
            answerQueue(request, now);
        }
    }

    private void answerRead(Request.ReadRecord read, Answer.RecordIs record, Moment now) {
        if (acquisition.looksFor(read)) {
            acquisition.looked(Recovery.isReadable(record), now.nanos());
        }
        if (recovery != null && recovery.lane().number() == read.lane()) {
            recovery.take(read.position(), record, now.nanos(), requests::add);
        }
    }

    private void answerQueue(Request request, Moment now) {
        if (request instanceof Request.DeleteMessage) {
            messages.deletions().deleted();
        } else if (request instanceof Request.SendUnclaimable sent) {
            messages.unclaimableSent(sent.message(), now);
        } else if (request instanceof Request.SendParked parked) {
            HeldLane lane = held(parked.lane());
            if (lane != null) {
                lane.parkings().sent(parked);
            }
        }
    }

    private static void answerUpdate(@Nullable HeldLane lane, Request request, Answer answer, Moment now) {
        if (lane != null) {
            lane.applicator().answer(request, answer, now.nanos());
        }
    }

    private void answerWrite(Request.LaneWrite write, Answer answer, Moment now) {
        HeldLane lane = held(write.update().lane());
        if (lane == null || !lane.awaits(write)) {
            return;
        }
        HeldLane.Outcome outcome = lane.end(HeldLane.laneOf(answer), answer instanceof Answer.Done);
        if (write instanceof Request.ClaimMessages claim && claim.deferral()) {
            upkeep.endDeferral(lane, outcome);
        } else if (write instanceof Request.ClaimMessages) {
            messages.endClaim(lane, outcome, answer, now);
        } else if (write instanceof Request.ParkItem) {
            upkeep.endParking(lane, outcome, answer);
        } else if (write instanceof Request.ReleaseLane && outcome == HeldLane.Outcome.DONE) {
            end(lane);
        }
    }

    private void end(HeldLane lane) {
        if (lane == seat) {
            seat = null;
        } else if (recovery != null && recovery.lane() == lane) {
            recovery = null;
        } else {
            lingering.removeIf(stuck -> stuck.lane() == lane);
        }
    }

    private @Nullable HeldLane held(int lane) {
        return held().stream().filter(held -> held.number() == lane).findFirst().orElse(null);
    }

    private List<HeldLane> held() {
        List<HeldLane> held = new ArrayList<>(2);
        if (seat != null) {
            held.add(seat);
        }
        if (recovery != null) {
            held.add(recovery.lane());
        }
        lingering.forEach(stuck -> held.add(stuck.lane()));
        return held;
    }
}
