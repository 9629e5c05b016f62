package dev.windrow.writer.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.table.Lane;
import dev.windrow.table.Parking;
import dev.windrow.table.Watermark;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.CellKey;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.JournalRecord;
import dev.windrow.writer.record.RecordCodec;
import dev.windrow.writer.record.UnreadableRecordException;

/**
 * Reads the records that a lane's earlier holders left unapplied, in order, several at a time, and has them applied. Parked
 * additions go to the dead-letter queue instead, again under their ids. Not thread-safe.
 */
final class Recovery {

    /** Maximum number of records read at a time; they coalesce in their buckets. */
    private static final int MAX_READ_AHEAD = 32;
    /** A recovery that waits for stuck items holds at most the maximum number of cells divided by this. */
    private static final int STUCK_PART = 8;

    private final HeldLane lane;
    private final long until;
    private final int maxCells;
    private final List<Parking> parkings;
    private final List<Watermark> inherited;
    private final Map<Parking, ParkedSum> sums = new HashMap<>();
    private final TreeMap<Long, Answer.StoredRecord> read = new TreeMap<>();
    private final long applied;
    /** The position of the record that holds deferred additions of earlier records; 0 if there is none. */
    private final long deferredAt;
    private boolean deferredAsked;
    private boolean deferredTaken;
    /** The cells in that record: earlier records add nothing to them. */
    private final Set<CellKey> deferredCells = new HashSet<>();
    private long nextRead;
    private long nextAdd;
    /** Largest load that one record has added to the cells so far; 0 if none was added yet. */
    private int largestLoad;
    private boolean readAll;
    private long readAllNanos;
    /** Position of a record that cannot be read; 0 if none was found so far. */
    private long unreadable;

    private record ParkedSum(CellKey key, String granularity, long firstMillis, List<Change> changes) {
    }

    Recovery(HeldLane lane, Lane acquired, int maxCells) {
        this.lane = lane;
        this.until = acquired.position();
        this.maxCells = maxCells;
        this.parkings = acquired.parkings();
        this.inherited = acquired.watermarks();
        this.applied = acquired.applied();
        this.deferredAt = acquired.deferred() > applied ? acquired.deferred() : 0;
        this.nextRead = applied + 1;
        this.nextAdd = nextRead;
        lane.inherit(this::watermarks);
    }

    HeldLane lane() {
        return lane;
    }

    /** Whether a record cannot be read, so that the lane must stay unchanged. */
    boolean hasFailed() {
        return unreadable > 0;
    }

    long unreadable() {
        return unreadable;
    }

    boolean isDone() {
        return nextAdd > until && lane.isDone();
    }

    /** Whether all records were read {@code afterNanos} ago, and only few additions are left, whose items take no update. */
    boolean isStuck(long nowNanos, long afterNanos) {
        if (nextAdd <= until) {
            return false;
        }
        if (!readAll) {
            readAll = true;
            readAllNanos = nowNanos;
        }
        return !isDone() && nowNanos - readAllNanos >= afterNanos && load() <= maxCells / STUCK_PART;
    }

    /** Returns the granularities that lag. Until all records are read, all that lagged at the acquisition still do. */
    private List<Watermark> watermarks() {
        if (nextAdd > until) {
            return lane.applicator().progress().watermarks();
        }
        List<Watermark> watermarks = new ArrayList<>(inherited);
        for (Watermark watermark : lane.applicator().progress().watermarks()) {
            if (inherited.stream().noneMatch(old -> old.granularity().equals(watermark.granularity()))) {
                watermarks.add(watermark);
            }
        }
        return watermarks;
    }

    /** Reads the next records, as many as there is room for if all are as large as the largest so far. */
    void read(Consumer<Request> out) {
        if (isDeferralMissing()) {
            if (!deferredAsked && !hasFailed()) {
                deferredAsked = true;
                out.accept(new Request.ReadRecord(lane.number(), deferredAt));
            }
            return;
        }
        boolean readAll = nextRead == nextAdd;
        int room = maxCells / 2 - load();
        if (hasFailed() || !readAll || room < 0) {
            return;
        }
        int readAhead = largestLoad == 0 ? 1 : Math.max(1, Math.min(MAX_READ_AHEAD, room / largestLoad));
        while (nextRead <= until && nextRead < nextAdd + readAhead) {
            out.accept(new Request.ReadRecord(lane.number(), nextRead));
            nextRead++;
        }
    }

    /** Whether deferred additions are still to be read. They come first: a cell's additions must be sent in order. */
    boolean isDeferralMissing() {
        return deferredAt > 0 && !deferredTaken;
    }

    void take(long position, Answer.StoredRecord record, long nowNanos, Consumer<Request> out) {
        if (isDeferralMissing()) {
            if (position == deferredAt) {
                takeDeferred(record, nowNanos, out);
            }
            return;
        }
        if (position >= nextAdd && position < nextRead) {
            read.put(position, record);
        }
        while (!hasFailed() && !read.isEmpty() && read.firstKey() == nextAdd) {
            JournalRecord next = decoded(nextAdd, Objects.requireNonNull(read.remove(nextAdd)), out);
            if (next != null) {
                add(nextAdd, next, nowNanos, out);
                nextAdd++;
            }
        }
    }

    private void takeDeferred(Answer.StoredRecord answer, long nowNanos, Consumer<Request> out) {
        JournalRecord record = decoded(deferredAt, answer, out);
        if (record == null) {
            return;
        }
        if (!record.isDeferred()) {
            fail(deferredAt, "expected deferred additions, found a claim", out);
            return;
        }
        for (int i = 0; i < record.additions().size(); i++) {
            Addition addition = record.additions().get(i);
            JournalRecord.Span span = record.spans().get(i);
            CellKey key = keyOf(addition, addition.changes().get(0));
            deferredCells.add(key);
            Parking parking = parkingOf(key.hash(), span.first(), span.last());
            if (parking == null) {
                lane.applicator().restore(key, addition, span, deferredAt, nowNanos);
            } else if (!parking.sent()) {
                park(parking, new ParkedSum(key, addition.granularity(), span.claimedMillis(), addition.changes()));
            }
        }
        deferredTaken = true;
        parkings.stream().filter(parking -> parking.last() <= applied).forEach(parking -> send(parking, out));
    }

    private static CellKey keyOf(Addition addition, Change change) {
        return new CellKey(addition.item(), change.extreme());
    }

    private @Nullable JournalRecord decoded(long position, Answer.StoredRecord record, Consumer<Request> out) {
        try {
            return read(record);
        } catch (UnreadableRecordException e) {
            fail(position, String.valueOf(e.getMessage()), out);
            return null;
        }
    }

    private static JournalRecord read(Answer.StoredRecord record) {
        byte[] bytes = record.bytes();
        if (bytes == null) {
            throw UnreadableRecordException.damaged("none");
        }
        return RecordCodec.decode(bytes);
    }

    static boolean isReadable(Answer.StoredRecord record) {
        try {
            JournalRecord unused = read(record);
            return true;
        } catch (UnreadableRecordException e) {
            return false;
        }
    }

    private void fail(long position, String detail, Consumer<Request> out) {
        unreadable = position;
        out.accept(new Request.ReportUnreadable(lane.number(), position, detail));
    }

    private void add(long position, JournalRecord record, long nowNanos, Consumer<Request> out) {
        JournalRecord rest = withoutDeferred(position, record);
        rest = parkings.isEmpty() ? rest : withoutParked(position, rest);
        int before = load();
        lane.applicator().add(position, rest, nowNanos);
        largestLoad = Math.max(largestLoad, Math.max(1, load() - before));
        parkings.stream().filter(parking -> parking.last() == position).forEach(parking -> send(parking, out));
    }

    private void send(Parking parking, Consumer<Request> out) {
        ParkedSum sum = parking.sent() ? null : sums.get(parking);
        if (sum != null) {
            out.accept(new Request.SendParked(lane.number(), parking.first(), parking.last(),
                    lane.parkings().idOf(parking.cell(), parking.first(), parking.last(), sum.firstMillis),
                    sum.key.item(), sum.granularity, sum.changes, Reason.REFUSED,
                    "parked by an earlier holder of lane " + lane.number()));
        }
    }

    private void park(Parking parking, ParkedSum sum) {
        sums.merge(parking, sum, (some, more) -> new ParkedSum(some.key, some.granularity, some.firstMillis,
                Change.merged(some.changes, more.changes)));
    }

    /** Returns a record without cells that the record of deferred additions holds; empty for such records themselves. */
    private JournalRecord withoutDeferred(long position, JournalRecord record) {
        if (record.isDeferred()) {
            return new JournalRecord(record.claimedMillis(), List.of());
        }
        if (position > deferredAt || deferredCells.isEmpty()) {
            return record;
        }
        return rest(record, (addition, change) -> !deferredCells.contains(keyOf(addition, change)));
    }

    private static JournalRecord rest(JournalRecord record, BiPredicate<Addition, Change> kept) {
        List<Addition> rest = new ArrayList<>(record.additions().size());
        for (Addition addition : record.additions()) {
            List<Change> changes = addition.changes().stream().filter(change -> kept.test(addition, change)).toList();
            if (!changes.isEmpty()) {
                rest.add(new Addition(addition.item(), addition.granularity(), changes));
            }
        }
        return new JournalRecord(record.claimedMillis(), rest);
    }

    private int load() {
        return lane.applicator().cells().load();
    }

    private JournalRecord withoutParked(long position, JournalRecord record) {
        return rest(record, (addition, change) -> {
            CellKey key = keyOf(addition, change);
            Parking parking = parkingOf(key.hash(), position, position);
            if (parking != null && !parking.sent()) {
                park(parking, new ParkedSum(key, addition.granularity(), record.claimedMillis(), List.of(change)));
            }
            return parking == null;
        });
    }

    /** Returns a parking that covers both positions. Those of several cells, from earlier versions, may overlap others. */
    private @Nullable Parking parkingOf(long cell, long first, long last) {
        return parkings.stream().filter(parking -> parking.covers(cell, first) && parking.covers(cell, last)).findFirst()
                .orElse(null);
    }
}
