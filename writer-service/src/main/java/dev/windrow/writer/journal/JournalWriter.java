package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.Lane;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.TableRequest;
import dev.windrow.writer.record.RecordCodec;

/**
 * One writer of the journal: acquires a lane, claims messages with all their additions, applies these, and deletes the
 * messages; recovers lanes that others left behind. It is given messages, answers and the time, and queues requests to
 * {@linkplain #poll() poll}. Not thread-safe.
 */
public final class JournalWriter {

    private static final int MAX_LINGERING = 4;
    /** How long a backlog lasts after it was last seen: during one, memory is full several times a second, not always. */
    private static final long BACKLOG_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final JournalSettings settings;
    private final Deque<Request> requests = new ArrayDeque<>();
    private final Request.Answers received = new Received();
    private final LaneTaker taker;
    private final ClaimCycle messages;
    private final LaneDuties duties;
    private @Nullable HeldLane seat;
    private @Nullable Recovery recovery;
    /** Recoveries that only wait for a few items, so that other lanes need not wait for them. */
    private final List<Recovery> lingering = new ArrayList<>();
    private boolean draining;
    private boolean backlogSeen;
    private long backlogSeenNanos;
    /** Whether the last write of the seat's item was a parking. */
    private boolean parkedLast;

    public JournalWriter(JournalSettings settings) {
        this.settings = settings;
        this.taker = new LaneTaker(settings.holder(), settings.lease().toNanos());
        this.messages = new ClaimCycle(settings, requests::add);
        this.duties = new LaneDuties(settings, requests::add);
    }

    /** Takes a message. The caller limits how many are held, as it sees their deletions. */
    public void receive(JournalMessage message, Now now) {
        messages.receive(message, now);
    }

    /** Starts a drain: claims and applies everything at once, then releases the lane. */
    public void drain() {
        draining = true;
    }

    /** Whether a drain is complete, so that nothing would be lost or late if the process ended. */
    public boolean isDrained() {
        return draining && seat == null && recovery == null && lingering.isEmpty() && !taker.isAcquiring()
                && messages.isIdle();
    }

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
                messages.claims().claims(), messages.claims().duplicates(), taker.taken(), taker.abandoned(),
                recovery != null || !lingering.isEmpty());
    }

    /** Returns the next request to send; null if there is none. */
    public @Nullable Request poll() {
        return requests.poll();
    }

    /**
     * Does everything that is due. Call this after messages and answers, and a few times per flush interval.
     *
     * @param urgent the caller's shortage of memory
     */
    public void tick(Now now, MemoryShortage urgent) {
        if (urgent.backlog()) {
            backlogSeen = true;
            backlogSeenNanos = now.nanos();
        }
        dropLost();
        acquireLanes(now);
        HeldLane own = seat;
        if (own != null && !duties.confirm(own, now)) {
            if (!draining) {
                duties.defer(own, now);
            }
            parkAndClaim(own, draining || urgent.claims(), now);
            duties.apply(own, draining, backlogDelayNanos(now) + messages.delayNanos(), now);
            messages.deletions().delete(
                    urgent.deletions() ? Long.MAX_VALUE : own.applicator().progress().promptlyApplied(), now.nanos(),
                    requests::add);
            // Renewals come last: with slow writes and a short lease, they would follow each other without a gap.
            if (draining && !own.isBusy() && own.isDone() && messages.isIdle()) {
                duties.release(own, now, () -> end(own));
            } else {
                duties.renew(own, now);
            }
        }
        if (own == null) {
            // Settled messages belong to no lane of this writer, or to one that others recover.
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

    /** Delays buckets while the writer is behind: they are older than this delay anyway. */
    private long backlogDelayNanos(Now now) {
        boolean behind = backlogSeen && now.nanos() - backlogSeenNanos < BACKLOG_NANOS;
        return behind ? settings.backlogDelay().toNanos() : 0;
    }

    /** Parks and claims in turn: both write the lane's item, and either could go on without end. */
    private void parkAndClaim(HeldLane own, boolean all, Now now) {
        boolean busy = own.isBusy();
        if (parkedLast && !busy) {
            messages.claim(own, taker.writers(), all, now);
        }
        boolean parks = duties.park(own, now);
        messages.claim(own, taker.writers(), all, now);
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

    private void acquireLanes(Now now) {
        if (draining && messages.claims().size() == 0) {
            return;
        }
        taker.survey(now.nanos(), seat == null, requests::add);
        if (seat == null) {
            taker.acquireSeat(lane -> held(lane) != null, now, requests::add);
        }
        if (recovery == null && !draining) {
            taker.lookAgain(now.nanos(), requests::add);
            taker.acquireAbandoned(lane -> held(lane) != null, now.nanos(), requests::add);
            taker.acquireLeft(lane -> held(lane) != null, now.nanos(), requests::add);
        }
    }

    private void acquired(Lane lane) {
        boolean work = lane.hasWork();
        Applicator applicator = new Applicator(lane.number(), lane.applied(), lane.position(), settings.writeEvery(),
                settings.concurrentUpdates(), !work, settings.deniedFor().toNanos());
        HeldLane held = new HeldLane(lane, applicator, taker.begunNanos());
        if (work || seat != null) {
            recovery = new Recovery(held, lane, settings.maxCells());
            if (work) {
                requests.add(new Request.ReportLane(lane.number(), Request.ReportLane.Event.RECOVERING));
            }
        } else {
            seat = held;
            messages.start(held);
            requests.add(new Request.ReportLane(lane.number(), Request.ReportLane.Event.HELD));
        }
    }

    private void recover(Recovery recovering, Now now) {
        HeldLane lane = recovering.lane();
        if (duties.confirm(lane, now)) {
            return;
        }
        recovering.read(requests::add);
        if (!recovering.isDeferralMissing()) {
            // The deferred additions of a cell come before its later ones.
            duties.park(lane, now);
            duties.apply(lane, true, 0, now);
        }
        if (lane.isBusy() || lane.isLost()) {
            return;
        }
        if (recovering.hasFailed()) {
            // The item stays unchanged, so that the lane shows as abandoned.
            taker.giveUp(lane.number(), lane.writtenApplied(), recovering.unreadable(), now.nanos());
            end(lane);
        } else if (recovering.isDone() || draining) {
            duties.release(lane, now, () -> end(lane));
        } else {
            duties.renew(lane, now);
        }
    }

    /** Takes the answer to a request. Ignores answers that nothing waits for any more. */
    public <A extends Answer> void answer(TableRequest<A> request, A answer, Now now) {
        request.answered(answer, received, now);
    }

    public void sent(Request.SendParked letter) {
        HeldLane lane = held(letter.lane());
        if (lane != null) {
            lane.parkings().sent(letter);
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
        return Stream.concat(Stream.ofNullable(seat),
                Stream.concat(Stream.ofNullable(recovery), lingering.stream()).map(Recovery::lane)).toList();
    }

    /** Passes answers to the parts that wait for them, and ignores those that nothing waits for any more. */
    private final class Received implements Request.Answers {

        @Override
        public void lanes(Request.ReadLanes read, Answer.Lanes answer, Now now) {
            taker.read(read, answer.lanes(), now.nanos());
        }

        @Override
        public void acquired(Request.AcquireLane acquire, Answer.LaneIs answer, Now now) {
            if (taker.acquired(acquire, answer.lane())) {
                JournalWriter.this.acquired(answer.lane());
            }
        }

        @Override
        public void written(Request.LaneWrite write, Answer.OfWrite answer, Now now) {
            HeldLane lane = held(write.update().lane());
            if (lane != null && lane.awaits(write)) {
                lane.end(answer, now);
            }
        }

        @Override
        public void cut(Request.CutSlots cut, Answer.Cut answer, Now now) {
            messages.claims().cut(cut.key(), answer, now, requests::add);
        }

        @Override
        public void record(Request.ReadRecord read, Answer.StoredRecord record, Now now) {
            if (taker.looksFor(read)) {
                taker.looked(Recovery.isReadable(record), now.nanos());
            }
            if (recovery != null && recovery.lane().number() == read.lane()) {
                recovery.take(read.position(), record, now.nanos(), requests::add);
            }
        }

        @Override
        public void updated(Request.BucketUpdate update, Answer.OfUpdate answer, Now now) {
            HeldLane lane = held(update.lane());
            if (lane != null) {
                lane.applicator().answer(update, answer, now.nanos());
            }
        }
    }

    /** What a held lane needs: updates, deferrals, parking and renewal. */
    static final class LaneDuties {

        private static final int RENEWALS_IN_LEASE = 4;
        /** Maximum number of deferred cells, so that their record stays small; others hold up {@code applied}. */
        private static final int MAX_DEFERRED = 1_000;
        private static final int SOONER = 4;
        private static final HeldLane.Ending NOTHING = (outcome, answer, now) -> {
        };

        private final JournalSettings settings;
        private final Consumer<Request> out;
        private Applicator.@Nullable Deferral deferral;
        private boolean looked;
        private long lookedNanos;

        LaneDuties(JournalSettings settings, Consumer<Request> out) {
            this.settings = settings;
            this.out = out;
        }

        /**
         * Writes additions that items have not taken for {@code deferAfter} as a record of their own, so that {@code applied}
         * need not wait for them. Looks for them once per this time, and writes them again as long as the items do not take
         * them, so that a recovery never has many records to read. Four times as soon while records are half as many as may be:
         * with many claims a second, one item would else stop all claims before its additions are put aside.
         */
        void defer(HeldLane lane, Now now) {
            boolean crowded = lane.applicator().progress().records() > settings.maxRecords() / 2;
            long after = settings.deferAfter().toNanos() / (crowded ? SOONER : 1);
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
            // Where other cells hold up the applied position, deferring the same ones again does not help.
            boolean full = lane.applicator().progress().records() >= settings.maxRecords();
            if (deferral == null || chunks.isEmpty() || (full && deferral.added() == 0)) {
                return;
            }
            List<byte[]> record = chunks;
            out.accept(lane.write(lane.watermarks(), now.nanos(), update -> Request.ClaimMessages.deferring(update,
                    lane.position() + 1, record, Cuts.expires(now.seconds(), settings.retention().toSeconds())),
                    (outcome, answer, ended) -> endDeferral(lane, outcome)));
        }

        /** Returns the deferral as chunks of a record; none if there is nothing to defer, or too much. */
        private List<byte[]> chunks() {
            Applicator.Deferral found = deferral;
            try {
                return found == null ? List.of() : settings.claimLimits().cut(RecordCodec.encode(found.record()));
            } catch (IllegalArgumentException e) {
                return List.of();
            }
        }

        private void endDeferral(HeldLane lane, HeldLane.Outcome outcome) {
            Applicator.Deferral written = deferral;
            deferral = null;
            if (outcome == HeldLane.Outcome.DONE && written != null) {
                lane.applicator().deferred(written, lane.position());
                out.accept(new Request.ReportDeferred(lane.number(), written.cells().size(), written.cells().get(0).item()));
            }
        }

        /** Parks additions that items refused. @return whether a write of the lane's item was started for it */
        boolean park(HeldLane lane, Now now) {
            lane.parkings().collect(out);
            if (!lane.isBusy() && !lane.isLost() && lane.parkings().begin()) {
                out.accept(lane.write(lane.watermarks(), now.nanos(),
                        update -> new Request.ParkItem(update, lane.parkings().mark()),
                        (outcome, answer, ended) -> endParking(lane, outcome, answer)));
                return true;
            }
            return false;
        }

        private void endParking(HeldLane lane, HeldLane.Outcome outcome, Answer.OfWrite answer) {
            if (outcome == HeldLane.Outcome.DONE) {
                lane.parkings().written(out);
            } else if (answer instanceof Answer.AppliedUpTo applied) {
                lane.parkings().markBeaten(applied.position());
            } else if (answer instanceof Answer.Refused) {
                lane.parkings().markRefused();
            }
        }

        /**
         * Sends updates that are due, unless the lane may belong to another writer by now: additions that the other writer
         * parked, of an item that could not be marked and was repaired since, would count twice. Nothing else would.
         *
         * @param all whether everything that waits is due
         * @param delayNanos how much longer than usual the rest waits
         */
        void apply(HeldLane lane, boolean all, long delayNanos, Now now) {
            if (lane.silentNanos(now.nanos()) >= settings.lease().toNanos()) {
                return;
            }
            boolean crowded = lane.applicator().cells().load() > settings.maxCells() / 2
                    || lane.applicator().progress().records() > settings.maxRecords() / 2;
            lane.applicator().send(now.nanos(), delayNanos, all || crowded, out);
        }

        /**
         * Writes the item of a suspicious lane to find out whose it is. @return whether the lane must be left alone until then
         */
        boolean confirm(HeldLane lane, Now now) {
            if (!lane.isSuspicious()) {
                return false;
            }
            if (!lane.isBusy() && !lane.isLost()) {
                out.accept(lane.write(lane.watermarks(), now.nanos(), update -> new Request.RenewLane(update, false), NOTHING));
            }
            return true;
        }

        /** Writes the lane's item if nothing else does: soon if its applied position is behind, else a few times per lease. */
        void renew(HeldLane lane, Now now) {
            if (lane.isBusy() || lane.isLost()) {
                return;
            }
            long silent = lane.silentNanos(now.nanos());
            boolean behind = lane.isBehind() && silent >= settings.flushEvery().toNanos() * 2;
            if (behind || silent >= settings.lease().toNanos() / RENEWALS_IN_LEASE) {
                out.accept(lane.write(lane.watermarks(), now.nanos(), update -> new Request.RenewLane(update, false), NOTHING));
            }
        }

        /** Releases the lane, then runs {@code then}. */
        void release(HeldLane lane, Now now, Runnable then) {
            out.accept(lane.write(lane.watermarks(), now.nanos(), update -> new Request.RenewLane(update, true),
                    (outcome, answer, ended) -> {
                        if (outcome == HeldLane.Outcome.DONE) {
                            then.run();
                        }
                    }));
        }
    }

}
