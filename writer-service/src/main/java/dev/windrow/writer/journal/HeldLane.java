package dev.windrow.writer.journal;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.Lane;
import dev.windrow.table.Watermark;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.LaneUpdate;
import dev.windrow.writer.record.RecordCodec;

/** A lane that this writer acquired: its writes, one at a time, and whether the writer still holds it. Not thread-safe. */
final class HeldLane {

    /** The outcome of writing the lane's item. */
    enum Outcome {
        /** Done, now or by an earlier attempt. */
        DONE,
        /** Not done, and this writer still holds the lane. */
        NOT_DONE,
        /** This writer no longer holds the lane, or its state is unknown: its recovery will find out. */
        LOST
    }

    private final int number;
    private final long epoch;
    private final String holder;
    private final Applicator applicator;
    private final RejectedAdditions parkings;
    private long beat;
    private long position;
    private long writtenApplied;
    private long writtenAtNanos;
    private long begunAtNanos;
    private Request.@Nullable LaneWrite underWay;
    private Ending ending = (outcome, answer, now) -> {
    };
    /** Whether the write in flight was started after a contradiction was seen. */
    private boolean confirming;
    private boolean lost;
    /** The position of the record that holds deferred additions. */
    private long deferred;
    private Supplier<List<Watermark>> watermarks;

    HeldLane(Lane acquired, Applicator applicator, long begunNanos) {
        this.number = acquired.number();
        this.epoch = acquired.epoch();
        this.holder = acquired.holder();
        this.applicator = applicator;
        this.parkings = new RejectedAdditions(acquired, applicator);
        this.beat = acquired.beat();
        this.position = acquired.position();
        this.writtenApplied = acquired.applied();
        this.writtenAtNanos = begunNanos;
        this.deferred = acquired.deferred();
        this.watermarks = applicator.progress()::watermarks;
    }

    List<Watermark> watermarks() {
        return watermarks.get();
    }

    /** Sets the source of watermarks while earlier records are not all read, so that more may lag than is known here. */
    void inherit(Supplier<List<Watermark>> lagging) {
        watermarks = lagging;
    }

    /** Whether everything is applied, or parked. */
    boolean isDone() {
        return applied() == position && parkings.isIdle();
    }

    int number() {
        return number;
    }

    long position() {
        return position;
    }

    Applicator applicator() {
        return applicator;
    }

    RejectedAdditions parkings() {
        return parkings;
    }

    boolean isLost() {
        return lost;
    }

    /** Whether a bucket's item contradicts that this writer holds the lane: only the next write of the lane decides. */
    boolean isSuspicious() {
        return !applicator.suspicion().isEmpty();
    }

    boolean isBusy() {
        return underWay != null;
    }

    boolean awaits(Request.LaneWrite request) {
        return underWay == request;
    }

    long applied() {
        return Math.min(applicator.progress().applied(), parkings.firstUnsent() - 1);
    }

    /** The newest format among the records that are not applied. */
    int format() {
        return deferred > applied() ? RecordCodec.DEFERRED_FORMAT : RecordCodec.FORMAT;
    }

    long writtenApplied() {
        return writtenApplied;
    }

    /** How long ago the last successful write of the item was started. */
    long silentNanos(long nowNanos) {
        return nowNanos - writtenAtNanos;
    }

    boolean isBehind() {
        return writtenApplied < applied();
    }

    interface Ending {

        void ended(Outcome outcome, Answer.OfWrite answer, Now now);
    }

    /**
     * Starts a write of the lane's item with the current applied position; none may be in flight.
     *
     * @param then takes its outcome
     */
    Request.LaneWrite write(List<Watermark> watermarks, long nowNanos, Function<LaneUpdate, Request.LaneWrite> write,
            Ending then) {
        if (underWay != null) {
            throw new IllegalStateException("lane " + number + " is being written");
        }
        beat++;
        long applied = applied();
        Request.LaneWrite begun = write
                .apply(new LaneUpdate(number, epoch, beat, position, applied, watermarks, parkings.listed(applied, deferred)));
        underWay = begun;
        ending = then;
        confirming = isSuspicious();
        begunAtNanos = nowNanos;
        return begun;
    }

    /**
     * Ends the write in flight.
     *
     * @throws IllegalStateException if the lane's item is gone, or is this writer's although a bucket's item contradicts that
     */
    void end(Answer.OfWrite answer, Now now) {
        ending.ended(outcome(answer.lane(), answer instanceof Answer.Done), answer, now);
    }

    private Outcome outcome(@Nullable Lane lane, boolean done) {
        Request.LaneWrite ended = underWay;
        underWay = null;
        if (ended == null) {
            throw new IllegalStateException("lane " + number + " is not being written");
        }
        boolean ours = lane != null && isWritten(lane, ended);
        if (lane != null && lane.isReadable() && !ours && wasDeleted(lane)) {
            throw new IllegalStateException(
                    "the item of lane " + number + " was deleted, and its position must never restart: records "
                            + (applied() + 1) + " to " + position
                            + " may not be applied. Restore the item, or count their events again");
        }
        if ((done || ours) && confirming) {
            throw new IllegalStateException(applicator.suspicion());
        }
        if (done || ours) {
            writtenApplied = ended.update().applied();
            writtenAtNanos = begunAtNanos;
            position = ended.positionAfter();
            deferred = ended.deferral() ? position : deferred;
            return Outcome.DONE;
        }
        if (lane != null) {
            lost = true;
            return Outcome.LOST;
        }
        return Outcome.NOT_DONE;
    }

    /** Whether the item is in the state that this write leaves. */
    private boolean isWritten(Lane lane, Request.LaneWrite write) {
        return lane.epoch() == epoch && lane.beat() == write.update().beat() && lane.position() == write.positionAfter();
    }

    /** Whether the item, which does not show this write, is gone, was made anew, or was replaced by an older one. */
    private boolean wasDeleted(Lane lane) {
        return lane.epoch() < epoch || !lane.isSameItem(epoch) || (lane.epoch() == epoch && !lane.holder().equals(holder));
    }
}
