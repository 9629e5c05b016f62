package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.apply.Applicator;
import dev.windrow.writer.journal.claim.Claims;
import dev.windrow.writer.journal.claim.JournalMessage;
import dev.windrow.writer.journal.claim.MessageState;
import dev.windrow.writer.journal.lane.Lane;
import dev.windrow.writer.journal.lane.Watermark;
import dev.windrow.writer.journal.record.Addition;
import dev.windrow.writer.journal.record.RecordCodec;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;

/**
 * One writer's part in the journal: acquire a lane, claim messages with all that they add, apply it, delete them; and
 * recover lanes that others left behind. It is given messages, answers and the time, and gives requests to
 * {@linkplain #poll() poll}. Not thread-safe.
 */
public final class JournalWriter {

    private static final int RENEWALS_IN_LEASE = 4;

    private final JournalSettings settings;
    private final Acquisition acquisition;
    private final Claims claims;
    private final Deletions deletions;
    private final FlushTimes flushes;
    private final Deque<Request> requests = new ArrayDeque<>();
    /** Messages that the table never takes; their letters are being sent. */
    private final List<MessageState> unclaimable = new ArrayList<>();
    private long flushUpTo;
    private @Nullable HeldLane seat;
    private Claims.@Nullable Prepared claiming;
    private @Nullable Recovery recovery;
    private boolean draining;

    public JournalWriter(JournalSettings settings) {
        this.settings = settings;
        this.acquisition = new Acquisition(settings.holder(), settings.lease().toNanos());
        this.claims = new Claims(settings.claimLimits(), settings.retention().toSeconds());
        this.deletions = new Deletions(settings.deleteAfter().toNanos());
        this.flushes = new FlushTimes(settings.flushEvery().toMillis());
    }

    /** Takes a message. How many it holds is bounded by the caller, who sees them deleted. */
    public void receive(JournalMessage message, Moment now) {
        MessageState state = new MessageState(message);
        deletions.receive(state, requests::add);
        if (message.units().isEmpty()) {
            settle(state, now);
        }
        claims.add(state);
    }

    /** From now on everything is claimed and applied at once, and then the lane is released. */
    public void drain() {
        draining = true;
    }

    /** Whether a drain has ended, so that nothing would be lost or late if the process ended. */
    public boolean isDrained() {
        return draining && seat == null && recovery == null && !acquisition.isAcquiring() && claims.size() == 0
                && deletions.isIdle();
    }

    /** What it holds, to be bounded and shown. */
    public JournalStatus status() {
        int cells = 0;
        int records = 0;
        for (HeldLane held : heldLanes()) {
            cells += held.applicator().cells();
            records += held.applicator().records();
        }
        return new JournalStatus(seat == null ? -1 : seat.number(), claims.size(), records, cells, recovery != null);
    }

    /** The next request to send. */
    public @Nullable Request poll() {
        return requests.poll();
    }

    /**
     * Does what is due. To be called after messages and answers, and a few times in each interval of flushes.
     *
     * @param pressed whether the caller has no room for more messages, so that waiting gains nothing
     */
    public void tick(Moment now, boolean pressed) {
        dropLost(now);
        acquireLanes(now);
        heldLanes().forEach(this::park);
        claim(now, pressed);
        HeldLane held = seat;
        if (held != null) {
            work(held, now);
            deletions.delete(held.applicator().promptlyApplied(), now.nanos(), requests::add);
            release(held);
        }
        Recovery recovering = recovery;
        if (recovering != null) {
            recovering.read(requests::add);
            work(recovering.lane(), now);
            finish(recovering);
        }
    }

    private void dropLost(Moment now) {
        if (seat != null && seat.isLost()) {
            // Whether a claim under way succeeded is found in its slots; claimed messages are safe, whoever applies them.
            claims.forget();
            claiming = null;
            seat = null;
            deletions.delete(Long.MAX_VALUE, now.nanos(), requests::add);
        }
        if (recovery != null && recovery.lane().isLost()) {
            recovery = null;
        }
    }

    private void acquireLanes(Moment now) {
        if (draining && claims.size() == 0) {
            return;
        }
        acquisition.survey(now.nanos(), seat == null, requests::add);
        if (seat == null) {
            acquisition.acquireSeat(now.nanos(), requests::add);
        }
        if (recovery == null && !draining) {
            acquisition.acquireAbandoned(this::holds, now.nanos(), requests::add);
        }
    }

    private boolean holds(int lane) {
        return (seat != null && seat.number() == lane) || (recovery != null && recovery.lane().number() == lane);
    }

    private void acquired(Lane lane, Moment now) {
        boolean work = lane.hasWork();
        Applicator applicator = new Applicator(lane.number(), lane.applied(), settings.writeEvery(),
                settings.concurrentUpdates(), !work);
        HeldLane held = new HeldLane(lane, applicator, now.nanos());
        if (work) {
            recovery = new Recovery(held, lane, settings.maxCells());
        } else {
            seat = held;
            flushes.start(lane.number());
        }
    }

    private void claim(Moment now, boolean pressed) {
        HeldLane held = seat;
        if (held == null || held.isBusy() || held.isLost() || isFull(held)) {
            return;
        }
        boolean enough = claims.size() >= settings.claimLimits().slots() * settings.claimLimits().slotTarget();
        if (flushes.hasCome(now.millis()) || pressed || draining || enough) {
            flushUpTo = claims.lastNumber();
        }
        Claims.Prepared prepared = claims.hasUpTo(flushUpTo)
                ? claims.prepare(flushUpTo, acquisition.writers(), now, message -> settle(message, now), requests::add)
                : null;
        if (prepared == null) {
            return;
        }
        if (prepared.chunks().isEmpty()) {
            refuseForGood("expected additions that fit into a transaction");
            return;
        }
        claiming = prepared;
        long position = held.position() + 1;
        requests.add(held.write(watermarks(held, position, prepared), update -> new Request.ClaimMessages(update, position,
                RecordCodec.FORMAT, prepared.chunks(), prepared.slots(), prepared.expires())));
    }

    private boolean isFull(HeldLane held) {
        return held.applicator().cells() >= settings.maxCells() || held.applicator().records() >= settings.maxRecords();
    }

    /** Everything that the new record touches lags behind it. */
    private static List<Watermark> watermarks(HeldLane held, long position, Claims.Prepared prepared) {
        List<Watermark> watermarks = new ArrayList<>(held.applicator().watermarks());
        Set<String> listed = new HashSet<>();
        watermarks.forEach(watermark -> listed.add(watermark.granularity()));
        for (Addition addition : prepared.record().additions()) {
            if (listed.add(addition.granularity())) {
                watermarks.add(new Watermark(addition.granularity(), position - 1, prepared.record().claimedMillis()));
            }
        }
        return watermarks;
    }

    private void work(HeldLane held, Moment now) {
        boolean half = held.applicator().cells() > settings.maxCells() / 2
                || held.applicator().records() > settings.maxRecords() / 2;
        boolean recovering = recovery != null && recovery.lane() == held;
        held.applicator().send(now.nanos(), draining || recovering || half, requests::add);
        if (held.isBusy() || held.isLost()) {
            return;
        }
        long silent = held.silentNanos(now.nanos());
        boolean behind = held.isBehind() && silent >= settings.flushEvery().toNanos() * 2;
        if (behind || silent >= settings.lease().toNanos() / RENEWALS_IN_LEASE) {
            requests.add(held.write(watermarks(held), Request.RenewLane::new));
        }
    }

    /** Before claims, as these may come without end. */
    private void park(HeldLane held) {
        held.parkings().collect(requests::add);
        if (!held.isBusy() && !held.isLost() && held.parkings().begin()) {
            requests.add(held.write(watermarks(held), update -> new Request.ParkItem(update, held.parkings().mark())));
        }
    }

    private List<Watermark> watermarks(HeldLane held) {
        Recovery recovering = recovery;
        return recovering != null && recovering.lane() == held ? recovering.watermarks() : held.applicator().watermarks();
    }

    /** At the end of a drain, when all is done. */
    private void release(HeldLane held) {
        boolean done = claims.size() == 0 && !held.isBusy() && held.applied() == held.position()
                && held.parkings().isIdle() && deletions.isIdle() && unclaimable.isEmpty();
        if (draining && done) {
            requests.add(held.write(watermarks(held), Request.ReleaseLane::new));
        }
    }

    private void finish(Recovery recovering) {
        HeldLane held = recovering.lane();
        if (held.isBusy() || held.isLost()) {
            return;
        }
        if (recovering.hasFailed()) {
            // Left as it is, so that it shows as abandoned.
            acquisition.giveUp(held.number(), held.writtenApplied());
            recovery = null;
        } else if (recovering.isDone() || draining) {
            requests.add(held.write(watermarks(held), Request.ReleaseLane::new));
        }
    }

    /** Takes the answer to a request. */
    public void answer(Request request, Answer answer, Moment now) {
        if (request instanceof Request.LaneWrite write) {
            answerWrite(write, answer, now);
        } else if (request instanceof Request.ApplySums sums) {
            answerUpdate(sums.lane(), request, answer);
        } else if (request instanceof Request.ApplyExtreme extreme) {
            answerUpdate(extreme.lane(), request, answer);
        } else if (request instanceof Request.ReadLanes read) {
            acquisition.read(read, ((Answer.LanesAre) answer).lanes(), now.nanos());
        } else if (request instanceof Request.AcquireLane acquire) {
            Lane lane = ((Answer.LaneIs) answer).lane();
            if (acquisition.acquired(acquire, lane)) {
                acquired(lane, now);
            }
        } else if (request instanceof Request.CutSlots cut) {
            claims.cut(cut.key(), (Answer.CutIs) answer);
        } else if (request instanceof Request.ReadRecord read && recovery != null
                && recovery.lane().number() == read.lane()) {
            recovery.take(read.position(), (Answer.RecordIs) answer, now.nanos(), requests::add);
        } else {
            answerQueue(request, now);
        }
    }

    private void answerQueue(Request request, Moment now) {
        if (request instanceof Request.SendRejects rejects) {
            deletions.rejectsSent(rejects.message(), requests::add);
        } else if (request instanceof Request.DeleteMessage) {
            deletions.deleted();
        } else if (request instanceof Request.SendUnclaimable sent) {
            unclaimable.stream().filter(message -> message.message().reference() == sent.message().reference()).findFirst()
                    .ifPresent(message -> settleUnclaimable(message, now));
        } else if (request instanceof Request.SendParked parked) {
            for (HeldLane held : heldLanes()) {
                if (held.number() == parked.lane()) {
                    held.parkings().sent(parked);
                }
            }
        }
    }

    private void settleUnclaimable(MessageState message, Moment now) {
        unclaimable.remove(message);
        if (message.settleUnit()) {
            settle(message, now);
        }
    }

    private void answerUpdate(int lane, Request request, Answer answer) {
        for (HeldLane held : heldLanes()) {
            if (held.number() == lane) {
                held.applicator().answer(request, answer);
            }
        }
    }

    private void answerWrite(Request.LaneWrite write, Answer answer, Moment now) {
        for (HeldLane held : heldLanes()) {
            if (held.awaits(write)) {
                HeldLane.Outcome outcome = held.end(HeldLane.laneOf(answer), answer instanceof Answer.Done, now.nanos());
                if (write instanceof Request.ClaimMessages) {
                    endClaim(held, outcome, answer, now);
                } else if (write instanceof Request.ParkItem) {
                    endParking(held, outcome, answer);
                } else if (write instanceof Request.ReleaseLane && outcome == HeldLane.Outcome.DONE) {
                    forget(held);
                }
            }
        }
    }

    private void endClaim(HeldLane held, HeldLane.Outcome outcome, Answer answer, Moment now) {
        Claims.Prepared claimed = claiming;
        claiming = null;
        if (outcome == HeldLane.Outcome.DONE && claimed != null) {
            held.applicator().add(held.position(), claimed.record(), now.nanos());
            claims.claimed(message -> settle(message, now));
        } else if (outcome == HeldLane.Outcome.NOT_DONE) {
            if (answer instanceof Answer.ClaimRefused refused) {
                claims.refused(refused.slots(), message -> settle(message, now));
            } else if (answer instanceof Answer.Refused refused) {
                refuseForGood(refused.detail());
            }
        }
    }

    private void refuseForGood(String detail) {
        MessageState message = claims.unclaimable();
        if (message != null) {
            unclaimable.add(message);
            requests.add(new Request.SendUnclaimable(message.message(), detail));
        }
    }

    private void endParking(HeldLane held, HeldLane.Outcome outcome, Answer answer) {
        if (outcome == HeldLane.Outcome.DONE) {
            held.parkings().written(requests::add);
        } else if (answer instanceof Answer.AppliedUpTo applied) {
            held.parkings().markBeaten(applied.position());
        } else if (answer instanceof Answer.Refused) {
            held.parkings().markRefused();
        }
    }

    private void forget(HeldLane held) {
        if (seat == held) {
            seat = null;
        } else {
            recovery = null;
        }
    }

    private void settle(MessageState message, Moment now) {
        HeldLane held = seat;
        deletions.settle(message, held == null ? 0 : held.position(), now.nanos());
    }

    private List<HeldLane> heldLanes() {
        List<HeldLane> held = new ArrayList<>(2);
        if (seat != null) {
            held.add(seat);
        }
        if (recovery != null) {
            held.add(recovery.lane());
        }
        return held;
    }
}
