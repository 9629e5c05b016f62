package dev.windrow.writer.journal;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.table.Lane;
import dev.windrow.table.Parking;
import dev.windrow.table.Watermark;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.CellKey;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.RecordCodec;

/**
 * A request of the journal to the table or the queues. The caller retries each until it has a definite answer, except updates
 * of buckets, which the journal repeats. Any request may be executed twice, or long after the caller gave up on it. Answers may
 * arrive in any order.
 */
public sealed interface Request {

    /** A request to the table, with its definite answers. */
    sealed interface TableRequest<A extends Answer> extends Request {

        CompletionStage<A> sendTo(Table table);

        /** Passes the answer to the part of the journal that waits for it. */
        void answered(A answer, Answers to, Now now);
    }

    /** A report, or a task that the journal does not wait for. It has no answer. */
    sealed interface Report extends Request {

        void to(Reports reports);
    }

    /** Takes definite answers, each with its request. */
    interface Answers {

        void lanes(ReadLanes read, Answer.Lanes answer, Now now);

        void acquired(AcquireLane acquire, Answer.LaneIs answer, Now now);

        void written(LaneWrite write, Answer.OfWrite answer, Now now);

        void cut(CutSlots cut, Answer.Cut answer, Now now);

        void record(ReadRecord read, Answer.StoredRecord answer, Now now);

        void updated(BucketUpdate update, Answer.OfUpdate answer, Now now);
    }

    /** Executes requests to the table, each until it has a definite answer. */
    interface Table {

        CompletionStage<Answer.Lanes> readLanes(ReadLanes read);

        CompletionStage<Answer.LaneIs> acquire(AcquireLane acquire);

        CompletionStage<Answer.OfWrite> renew(RenewLane renew);

        CompletionStage<Answer.OfWrite> claim(ClaimMessages claim);

        CompletionStage<Answer.OfWrite> park(ParkItem park);

        CompletionStage<Answer.Cut> cut(CutSlots cut);

        CompletionStage<Answer.StoredRecord> readRecord(ReadRecord read);

        CompletionStage<Answer.OfUpdate> sums(ApplySums sums);

        CompletionStage<Answer.OfUpdate> extreme(ApplyExtreme extreme);
    }

    /** Executes requests to the queues. */
    interface Queues {

        /** Sends parked additions to the dead-letter queue; completes once they are there, after any number of retries. */
        CompletionStage<Answer.Done> send(SendParked letter);
    }

    interface Reports {

        void deferred(ReportDeferred deferred);

        void unreadable(ReportUnreadableClaims claims);

        void unreadable(ReportUnreadable unreadable);

        void lane(ReportLane lane);
    }

    /** A request that writes a lane's item. A lane has at most one in flight. */
    sealed interface LaneWrite extends TableRequest<Answer.OfWrite> {

        LaneUpdate update();

        /** The lane's position once it is done. */
        default long positionAfter() {
            return update().position();
        }

        /** Whether it writes a record of deferred additions. */
        default boolean deferral() {
            return false;
        }

        @Override
        default void answered(Answer.OfWrite answer, Answers to, Now now) {
            to.written(this, answer, now);
        }
    }

    /** A request that updates a bucket's item, or compares it. */
    sealed interface BucketUpdate extends TableRequest<Answer.OfUpdate> {

        /** The lane on which its additions were claimed. */
        int lane();

        BucketItem item();

        List<Change> changes();

        /** The cell that waits for its answer. */
        CellKey cell();

        @Override
        default void answered(Answer.OfUpdate answer, Answers to, Now now) {
            to.updated(this, answer, now);
        }
    }

    /** Reads the lanes from 0 to {@code count - 1}, strongly consistent. Those that do not exist are left out. */
    record ReadLanes(int count) implements TableRequest<Answer.Lanes> {
        @Override
        public CompletionStage<Answer.Lanes> sendTo(Table table) {
            return table.readLanes(this);
        }

        @Override
        public void answered(Answer.Lanes answer, Answers to, Now now) {
            to.lanes(this, answer, now);
        }
    }

    /**
     * Acquires a lane: sets the holder and the epoch and raises the beat by one, provided that epoch and beat are as seen.
     * Answer: {@link Answer.LaneIs} with the state of the item afterwards, acquired or not.
     *
     * @param seenEpoch 0 if the lane must not exist
     * @param seenBeat 0 if the lane must not exist
     * @param position the lane's new position, which is also its new applied position; 0 if both stay because the lane has
     *        work. For a lane that must not exist, the time in milliseconds
     */
    record AcquireLane(int lane, long seenEpoch, long seenBeat, String holder, long position)
            implements
                TableRequest<Answer.LaneIs> {

        /** Returns the lane's epoch once it is acquired. */
        public long epoch() {
            return seenEpoch == 0 ? Lane.firstEpoch(position) : seenEpoch + 1;
        }

        @Override
        public CompletionStage<Answer.LaneIs> sendTo(Table table) {
            return table.acquire(this);
        }

        @Override
        public void answered(Answer.LaneIs answer, Answers to, Now now) {
            to.acquired(this, answer, now);
        }
    }

    /**
     * Writes a lane's item. Answer: {@link Answer.Done}, or {@link Answer.LaneIs} if its condition failed.
     *
     * @param releases whether it removes the holder
     */
    record RenewLane(LaneUpdate update, boolean releases) implements LaneWrite {
        @Override
        public CompletionStage<Answer.OfWrite> sendTo(Table table) {
            return table.renew(this);
        }
    }

    /**
     * One transaction that writes the lane's item with the next position, provided that it has the one before, puts the record,
     * and updates slots. Answer: {@link Answer.Done}, {@link Answer.ClaimRefused}, or {@link Answer.Refused} if DynamoDB
     * rejects it permanently.
     *
     * @param position the position of the record
     * @param chunks the record, cut into items
     * @param slots updates of the slots that remember the claim
     * @param expires when the record may be forgotten, in seconds since the epoch
     * @param messages the claimed messages, in whole or in part; not sent to the table
     * @param deferral whether the record holds deferred additions instead of a claim's; the lane's item then says where it is
     */
    record ClaimMessages(LaneUpdate update, long position, int format, List<byte[]> chunks, List<SlotUpdate> slots,
            long expires, List<JournalMessage> messages, boolean deferral) implements LaneWrite {

        /** Creates the request of a claim. */
        public ClaimMessages(LaneUpdate update, long position, int format, List<byte[]> chunks, List<SlotUpdate> slots,
                long expires, List<JournalMessage> messages) {
            this(update, position, format, chunks, slots, expires, messages, false);
        }

        /** Creates the request of a deferral. */
        static ClaimMessages deferring(LaneUpdate update, long position, List<byte[]> chunks, long expires) {
            return new ClaimMessages(update, position, RecordCodec.DEFERRED_FORMAT, chunks, List.of(), expires, List.of(),
                    true);
        }

        @Override
        public long positionAfter() {
            return position;
        }

        @Override
        public CompletionStage<Answer.OfWrite> sendTo(Table table) {
            return table.claim(this);
        }
    }

    /**
     * Cuts a minute into slots unless it is cut already, and moves its expiry forward, never back. Answer:
     * {@link Answer.Cut}.
     *
     * @param slots proposed number of slots
     * @param expires earliest expiry of the cut, in seconds since the epoch
     */
    record CutSlots(CutKey key, int slots, long expires) implements TableRequest<Answer.Cut> {
        @Override
        public CompletionStage<Answer.Cut> sendTo(Table table) {
            return table.cut(this);
        }

        @Override
        public void answered(Answer.Cut answer, Answers to, Now now) {
            to.cut(this, answer, now);
        }
    }

    /** Reads a record, strongly consistent. Answer: {@link Answer.StoredRecord}. */
    record ReadRecord(int lane, long position) implements TableRequest<Answer.StoredRecord> {
        @Override
        public CompletionStage<Answer.StoredRecord> sendTo(Table table) {
            return table.readRecord(this);
        }

        @Override
        public void answered(Answer.StoredRecord answer, Answers to, Now now) {
            to.record(this, answer, now);
        }
    }

    /**
     * Adds counts and sums, and sets the item's position of the lane to {@code last}, provided that it has none or one below
     * {@code first}. Answer: {@link Answer.Done}, {@link Answer.AppliedKeeping}, {@link Answer.AppliedUpTo} if the condition
     * failed, {@link Answer.TryAgain}, or {@link Answer.Refused} if the item cannot take it.
     *
     * @param changes additive changes only
     * @param extremes not written, but compared with those of the updated item
     */
    record ApplySums(int lane, BucketItem item, long first, long last, List<Change> changes, List<Change> extremes)
            implements
                BucketUpdate {

        @Override
        public CellKey cell() {
            return new CellKey(item, null);
        }

        @Override
        public CompletionStage<Answer.OfUpdate> sendTo(Table table) {
            return table.sums(this);
        }
    }

    /**
     * Writes an extreme if it beats the item's. Answer: {@link Answer.Done}, whether it did or not, {@link Answer.TryAgain}, or
     * {@link Answer.Refused}.
     */
    record ApplyExtreme(int lane, BucketItem item, Change change) implements BucketUpdate {
        @Override
        public List<Change> changes() {
            return List.of(change);
        }

        @Override
        public CellKey cell() {
            return new CellKey(item, change.extreme());
        }

        @Override
        public CompletionStage<Answer.OfUpdate> sendTo(Table table) {
            return table.extreme(this);
        }
    }

    /**
     * One transaction that writes the lane's item, with a new parking, and sets the bucket item's position as if the parked
     * additions were applied. Answer: {@link Answer.Done}; {@link Answer.LaneIs} if the lane's condition failed;
     * {@link Answer.AppliedUpTo} if the bucket item's did; {@link Answer.Refused} if the bucket item cannot even take that.
     *
     * @param mark the update of the bucket's item
     */
    record ParkItem(LaneUpdate update, Mark mark) implements LaneWrite {

        /** A bucket item whose position of the lane is set to {@code last} if it has none or one below {@code first}. */
        public record Mark(BucketItem item, long first, long last) {
        }

        @Override
        public CompletionStage<Answer.OfWrite> sendTo(Table table) {
            return table.park(this);
        }
    }

    /**
     * Sends parked additions to the dead-letter queue. Answer: {@link Answer.Done}.
     *
     * @param id the id by which the additions are claimed when the letter is replayed
     */
    record SendParked(int lane, long first, long last, ClaimId id, BucketItem item, String granularity,
            List<Change> changes, Reason reason, String detail) implements Request {
    }

    /**
     * Reports that DynamoDB permanently rejects the claim of a part of a message. Once the rest is claimed, the whole message
     * becomes a dead letter. No answer.
     */
    record RefuseMessage(JournalMessage message, String detail) implements Report {
        @Override
        public void to(Reports reports) {
            message.refused(detail);
        }
    }

    /** Reports that a message is completely claimed: the journal has its additions, and drops its units. No answer. */
    record ReportClaimed(JournalMessage message) implements Report {
        @Override
        public void to(Reports reports) {
            message.claimed();
        }
    }

    /**
     * Ends a claimed message: its rejected events are sent to the dead-letter queue, then it is deleted. No answer: if it
     * cannot be deleted, it is redelivered.
     */
    record DeleteMessage(JournalMessage message) implements Report {
        @Override
        public void to(Reports reports) {
            message.delete();
        }
    }

    /** Reports that cells, one of them of {@code item}, take no update, and that other cells no longer wait for them. */
    record ReportDeferred(int lane, int cells, BucketItem item) implements Report {
        @Override
        public void to(Reports reports) {
            reports.deferred(this);
        }
    }

    /** Reports that the cut or a slot of a minute cannot be read: its messages wait, and others go on. */
    record ReportUnreadableClaims(CutKey minute, String detail) implements Report {
        @Override
        public void to(Reports reports) {
            reports.unreadable(this);
        }
    }

    /** Reports a change of the writer's lane, or that it recovers another; the number is -1 if there is none. */
    record ReportLane(int lane, Event event) implements Report {

        public enum Event {
            HELD,
            LOST,
            NONE_FREE,
            RECOVERING
        }

        @Override
        public void to(Reports reports) {
            reports.lane(this);
        }
    }

    /** Reports that this writer cannot recover a lane, because of a record; its position is 0 if because of the lane's item. */
    record ReportUnreadable(int lane, long position, String detail) implements Report {
        @Override
        public void to(Reports reports) {
            reports.unreadable(this);
        }
    }

    /** Definite answers to requests. */
    public sealed interface Answer {

        /** Done, now or by an earlier attempt whose answer was lost. */
        Done DONE = new Done();

        /** The answer to a write of a lane's item. */
        sealed interface OfWrite extends Answer {

            /** The lane's current state, if its condition failed. */
            default @Nullable Lane lane() {
                return null;
            }
        }

        /** The answer to an update of a bucket's item. */
        sealed interface OfUpdate extends Answer {
        }

        record Done() implements OfWrite, OfUpdate {
        }

        /** Done, and of these measures the item already has an extreme that is at least as good. */
        record AppliedKeeping(Set<String> held) implements OfUpdate {
        }

        /** The lanes that exist, in order. */
        record Lanes(List<Lane> lanes) implements Answer {
        }

        /** The lane's current state. */
        record LaneIs(Lane lane) implements OfWrite {
        }

        /**
         * No part of a claim was executed.
         *
         * @param lane its current state, if its condition failed
         * @param slots the slots whose conditions failed
         */
        record ClaimRefused(@Nullable Lane lane, List<SlotContent> slots) implements OfWrite {
        }

        /**
         * How a minute is cut.
         *
         * @param expires when the cut may be forgotten, in seconds since the epoch
         * @param damage why the item cannot be read; empty if it can
         */
        record Cut(int slots, long expires, String damage) implements Answer {

            public Cut(int slots, long expires) {
                this(slots, expires, "");
            }
        }

        /** The chunks of a record, joined; null if it does not exist. */
        record StoredRecord(byte @Nullable [] bytes) implements Answer {
        }

        /** Nothing was added: the item has the lane's additions up to this position. */
        record AppliedUpTo(long position) implements OfWrite, OfUpdate {
        }

        /** It may be done or not. The same request may succeed soon, and other requests may at once. */
        record TryAgain() implements OfUpdate {
        }

        /** Not done, and it cannot be until an operator changes something. Other requests may succeed. */
        record Denied(Reason reason, String detail) implements OfUpdate {
        }

        /** Not done, and no retry can succeed. */
        record Refused(Reason reason, String detail) implements OfWrite, OfUpdate {
        }
    }

    /**
     * The common part of all writes of a lane's item by its holder. It is applied only if the epoch is still the holder's, the
     * beat is newer than the item's, and the position is the one that the holder knows: a holder that missed its own claim must
     * not write what is applied.
     *
     * @param epoch the holder's epoch
     * @param beat the beat of this write; a repeated write has the same
     * @param position the item's position before this write
     * @param applied see {@link dev.windrow.table.Lane#applied()}
     * @param watermarks see {@link dev.windrow.table.Lane#watermarks()}
     * @param parkings see {@link dev.windrow.table.Lane#parkings()}
     */
    public record LaneUpdate(int lane, long epoch, long beat, long position, long applied, List<Watermark> watermarks,
            List<Parking> parkings) {
    }
}
