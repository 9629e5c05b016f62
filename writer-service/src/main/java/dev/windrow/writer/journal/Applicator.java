package dev.windrow.writer.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.Cells.Cell;
import dev.windrow.writer.journal.Cells.Part;
import dev.windrow.writer.journal.Cells.Progress;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.CellKey;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.JournalRecord;
import dev.windrow.writer.record.WholeSums;

/**
 * Applies the records of one lane, in order of position, one update per cell at a time; later additions coalesce meanwhile. Not
 * thread-safe.
 */
public final class Applicator {

    private final int lane;
    private final int concurrentUpdates;
    private final boolean merging;
    private final long deniedForNanos;
    private final Cells cells;
    private final PriorityQueue<Cell> waiting = new PriorityQueue<>(Comparator.comparingLong(Cell::dueNanos));
    /** Cells whose update was denied and may be accepted later; they wait longer, even when everything else is due. */
    private final PriorityQueue<Cell> denied = new PriorityQueue<>(Comparator.comparingLong(Cell::dueNanos));
    /** Cells whose item did not take their update, and may soon. */
    private final PriorityQueue<Cell> repeated = new PriorityQueue<>(Comparator.comparingLong(Cell::dueNanos));
    /**
     * Extremes compared by the update in flight of their item's sums, to see if they beat the item's own; by the sums' cell.
     */
    private final Map<Cell, List<Contender>> compared = new HashMap<>();
    /** Extremes that may win, to be written on their own. */
    private final Queue<Contender> mayWin = new ArrayDeque<>();
    private final Progress progress;
    private final Queue<Refusal> refusals = new ArrayDeque<>();
    private int underWay;
    private int repeatedUnderWay;
    /** The position up to which earlier holders of the lane may have applied records. */
    private final long earlier;
    private String suspicion = "";

    /**
     * @param position position up to which all records are in their buckets
     * @param earlier position up to which earlier holders may have applied records
     * @param merging whether waiting additions become one sum at once. False for records that another writer may have partly
     *        applied: their parts must stay distinguishable
     * @param deniedForNanos how long a denied update is tried
     */
    Applicator(int lane, long position, long earlier, WriteEvery writeEvery, int concurrentUpdates, boolean merging,
            long deniedForNanos) {
        this.lane = lane;
        this.earlier = earlier;
        this.progress = new Progress(position, writeEvery);
        this.cells = new Cells(progress);
        this.concurrentUpdates = concurrentUpdates;
        this.merging = merging;
        this.deniedForNanos = deniedForNanos;
    }

    /** Adds the next record; {@code at} is one more than the position of the last. */
    public void add(long at, JournalRecord record, long nowNanos) {
        progress.add(at);
        for (Addition addition : record.additions()) {
            if (addition.changes() instanceof WholeSums sums) {
                add(new CellKey(addition.item(), null), addition.granularity(), record.claimedMillis(), sums, nowNanos);
                continue;
            }
            List<Change> sums = new ArrayList<>(addition.changes().size());
            List<Change> extremes = new ArrayList<>(0);
            for (Change change : addition.changes()) {
                (change.extreme() == null ? sums : extremes).add(change);
            }
            // Sums first, so that extremes can wait for them.
            if (!sums.isEmpty()) {
                add(new CellKey(addition.item(), null), addition.granularity(), record.claimedMillis(), sums, nowNanos);
            }
            for (Change extreme : extremes) {
                add(new CellKey(addition.item(), extreme.extreme()), addition.granularity(), record.claimedMillis(),
                        List.of(extreme), nowNanos);
            }
        }
    }

    private void add(CellKey key, String granularity, long claimedMillis, List<Change> changes, long nowNanos) {
        // Extremes may be applied twice, so they need not stay separable.
        enqueue(cells.add(key, granularity, new Part(progress.position(), progress.position(), claimedMillis, changes), 0,
                merging || key.extreme() != null, nowNanos));
    }

    /** Adds a deferred part that a cell lacks, read from the record at a position. Call this before any record is added. */
    public void restore(CellKey key, Addition addition, JournalRecord.Span span, long at, long nowNanos) {
        enqueue(cells.add(key, addition.granularity(),
                new Part(span.first(), span.last(), span.claimedMillis(), addition.changes()), at, false, nowNanos));
    }

    /**
     * Additions that items have not taken for some time, and those that are deferred already. Written as the next record, so
     * that earlier records count as applied.
     *
     * @param cells all cells in the record
     * @param added number of these that are not deferred yet
     */
    record Deferral(List<CellKey> cells, int added, JournalRecord record) {
    }

    /**
     * Collects the additions to defer: all cells of an item together, each part unmerged, since a late copy of an update may
     * have added some of the parts.
     *
     * @param maxNew maximum number of cells of items that are not deferred yet
     * @return null if no item is overdue
     */
    public @Nullable Deferral overdue(long nowNanos, long afterNanos, int maxNew, long millis) {
        List<CellKey> keys = new ArrayList<>();
        List<Addition> additions = new ArrayList<>();
        List<JournalRecord.Span> spans = new ArrayList<>();
        int added = 0;
        for (List<Cell> ofItem : cells.overdue(nowNanos, afterNanos).values()) {
            int more = ofItem.stream().anyMatch(Cell::isDeferred) ? 0 : ofItem.size();
            if (added + more > maxNew) {
                break;
            }
            added += more;
            for (Cell cell : ofItem) {
                keys.add(cell.key());
                for (Part part : cell.parts()) {
                    additions.add(new Addition(cell.key().item(), cell.tier().granularity, part.changes()));
                    spans.add(new JournalRecord.Span(part.first(), part.last(), part.claimedMillis()));
                }
            }
        }
        return keys.isEmpty() ? null : new Deferral(keys, added, new JournalRecord(millis, additions, spans));
    }

    /** Notes that a deferral was written as the next record. */
    public void deferred(Deferral deferral, long at) {
        progress.add(at);
        cells.defer(deferral.cells(), at);
    }

    /**
     * Schedules a cell. An extreme waits for the sums of its item, if they wait too: the answer to their update shows whether
     * it beats the item's own, and most do not.
     */
    private void enqueue(@Nullable Cell cell) {
        if (cell == null) {
            return;
        }
        Cell sums = cell.key().extreme() == null ? null : cells.get(new CellKey(cell.key().item(), null));
        if (sums != null && sums.isWaiting() && !sums.isDenied()) {
            sums.lead(cell);
        } else {
            cell.schedule();
            waiting.add(cell);
        }
    }

    /**
     * Sends the updates that are due, up to the maximum in flight.
     *
     * @param delayNanos how much longer than usual additions wait, except those that are denied or repeated
     * @param all whether everything that waits is due
     */
    public void send(long nowNanos, long delayNanos, boolean all, Consumer<Request> out) {
        while (underWay < concurrentUpdates && !mayWin.isEmpty()) {
            Contender next = mayWin.remove();
            send(next.cell(), new Request.ApplyExtreme(lane, next.cell().key().item(), next.extreme()), nowNanos, out);
        }
        while (underWay < concurrentUpdates && !denied.isEmpty() && denied.peek().dueNanos() - nowNanos <= 0) {
            send(denied.remove(), nowNanos, out);
        }
        // Repeated updates get at most half of the requests, to leave room for those of other items.
        while (underWay < concurrentUpdates && repeatedUnderWay < Math.max(1, concurrentUpdates / 2) && !repeated.isEmpty()
                && repeated.peek().dueNanos() - nowNanos <= 0) {
            send(repeated.remove(), nowNanos, out);
        }
        while (underWay < concurrentUpdates && !waiting.isEmpty()
                && (all || waiting.peek().dueNanos() + delayNanos - nowNanos <= 0)) {
            send(waiting.remove(), nowNanos, out);
        }
    }

    private void send(Cell cell, long nowNanos, Consumer<Request> out) {
        Part part = cell.take();
        send(cell, cell.key().extreme() == null
                ? new Request.ApplySums(lane, cell.key().item(), part.first(), part.last(), part.changes(), compare(cell))
                : new Request.ApplyExtreme(lane, cell.key().item(), part.changes().get(0)), nowNanos, out);
    }

    private void send(Cell cell, Request.BucketUpdate request, long nowNanos, Consumer<Request> out) {
        cell.await(request, nowNanos);
        underWay++;
        repeatedUnderWay += cell.isRepeated() ? 1 : 0;
        out.accept(request);
    }

    /** Returns all extremes that wait for the sums of an item, which are being sent: their update compares them. */
    private List<Change> compare(Cell sums) {
        List<Contender> contending = sums.takeFollowers().stream()
                .map(cell -> new Contender(cell, cell.take().changes().get(0))).toList();
        if (!contending.isEmpty()) {
            compared.put(sums, contending);
        }
        return contending.stream().map(Contender::extreme).toList();
    }

    /** Takes the answer to one of its updates. Ignores answers to any other request. */
    public void answer(Request.BucketUpdate request, Answer.OfUpdate answer, long nowNanos) {
        Cell cell = cells.get(request.cell());
        if (cell == null || !cell.awaits(request)) {
            return;
        }
        underWay--;
        repeatedUnderWay -= cell.isRepeated() ? 1 : 0;
        if (answer instanceof Answer.TryAgain) {
            repeatLater(cell, nowNanos);
            return;
        }
        decide(cell, answer instanceof Answer.AppliedKeeping beside ? beside.held() : Set.of());
        if (answer instanceof Answer.Denied refused) {
            if (cell.postpone(nowNanos, deniedForNanos)) {
                denied.add(cell);
            } else {
                refuse(cell, request, new Answer.Refused(refused.reason(), refused.detail()));
            }
        } else if (answer instanceof Answer.Refused refused) {
            refuse(cell, request, refused);
        } else if (answer instanceof Answer.AppliedUpTo applied) {
            settle(cell, applied.position());
        } else {
            settle(cell, Long.MAX_VALUE);
        }
    }

    /** Makes an update wait again, and its extremes with it: each would be one more write to an item that takes none. */
    private void repeatLater(Cell cell, long nowNanos) {
        cell.repeatLater(nowNanos);
        repeated.add(cell);
        for (Contender contender : answered(cell)) {
            contender.cell().waitAgain();
            cell.lead(contender.cell());
        }
    }

    /** Settles extremes that the item already matches or beats as applied; the others are written on their own. */
    private void decide(Cell sums, Set<String> held) {
        for (Contender contender : answered(sums)) {
            if (held.contains(contender.extreme().measure())) {
                settle(contender.cell(), Long.MAX_VALUE);
            } else {
                mayWin.add(contender);
            }
        }
    }

    private List<Contender> answered(Cell sums) {
        List<Contender> contending = compared.remove(sums);
        return contending == null ? List.of() : contending;
    }

    private void refuse(Cell cell, Request.BucketUpdate request, Answer.Refused refused) {
        refusals.add(new Refusal(cell.key(), cell.tier().granularity, cell.oldest(), cell.newestUnderWay(), cell.oldestMillis(),
                request.changes(), refused.reason(), refused.detail()));
    }

    /** Takes the next refusal; null if there is none. Its additions stay unapplied until it is settled. */
    @Nullable
    Refusal nextRefusal() {
        return refusals.poll();
    }

    /** Ends a refusal: its additions up to a position are in the item, or safe elsewhere. */
    public void settle(Refusal refusal, long upTo) {
        Cell cell = cells.get(refusal.key());
        if (cell != null && cell.isUnderWay()) {
            settle(cell, upTo);
        }
    }

    private void settle(Cell cell, long upTo) {
        boolean known = upTo == Long.MAX_VALUE || upTo <= Math.max(earlier, cell.newestUnderWay());
        if (!known || !cells.settle(cell, upTo)) {
            suspicion = "item pk '" + cell.key().item().partitionKey() + "', sk '" + cell.key().item().sortKey()
                    + "' has records of lane " + lane + " up to " + upTo + ", which were not applied to it while records "
                    + cell.oldest() + " to " + cell.newestUnderWay()
                    + " were; those may be missing from it. Was the lane's item"
                    + " deleted, or replaced by an older one?";
        } else if (cell.isWaiting()) {
            enqueue(cell);
        }
    }

    /**
     * Returns what contradicts that this writer holds the lane; empty if nothing does. A bucket's item has a position that no
     * holder up to this one can have given it: either another writer has the lane by now, and applies the rest; or its item was
     * lost, and updates would be mistaken for applied ones. Updates sent to that item stay unapplied here.
     */
    String suspicion() {
        return suspicion;
    }

    public Progress progress() {
        return progress;
    }

    public Cells cells() {
        return cells;
    }

    private record Contender(Cell cell, Change extreme) {
    }

}
