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
import java.util.TreeMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Freshness.Watermark;
import dev.windrow.writer.journal.Cells.Cell;
import dev.windrow.writer.journal.Cells.CellKey;
import dev.windrow.writer.journal.Cells.Part;
import dev.windrow.writer.journal.JournalRecord.Addition;
import dev.windrow.writer.journal.JournalRecord.Change;
import dev.windrow.writer.journal.JournalRecord.WholeSums;
import dev.windrow.writer.journal.JournalSettings.WriteEvery;
import dev.windrow.writer.journal.Request.Answer;

/**
 * Applies the records of one lane, in order of position, one update per item at a time; what is added meanwhile coalesces.
 * Not thread-safe.
 */
public final class Applicator {

    private final int lane;
    private final int concurrentUpdates;
    private final boolean merging;
    private final long deniedForNanos;
    private final Cells cells;
    private final PriorityQueue<Cell> waiting = new PriorityQueue<>(Comparator.comparingLong(Cell::dueNanos));
    /** Cells whose item may accept its additions later; they wait longer, even when everything else is due. */
    private final PriorityQueue<Cell> denied = new PriorityQueue<>(Comparator.comparingLong(Cell::dueNanos));
    /** Cells whose item did not take their update, and may soon. */
    private final PriorityQueue<Cell> repeated = new PriorityQueue<>(Comparator.comparingLong(Cell::dueNanos));
    /**
     * Extremes under way with the update of their item's sums, which shows whether they beat what the item has; by the sums.
     */
    private final Map<Cell, List<Contender>> compared = new HashMap<>();
    /** Extremes that may win, to be written on their own. */
    private final Queue<Contender> mayWin = new ArrayDeque<>();
    private final Progress progress;
    private final Queue<Refusal> refusals = new ArrayDeque<>();
    private int underWay;
    private int repeatedUnderWay;
    /** Up to which position this lane's earlier holders may have applied its records. */
    private final long earlier;
    private String suspicion = "";

    /**
     * @param position all records up to this are in their buckets
     * @param earlier up to which position earlier holders may have applied records
     * @param concurrentUpdates maximum number of updates under way
     * @param merging whether waiting additions become one sum at once. False for records that another writer may have partly
     *        applied: their parts must stay distinguishable
     * @param deniedForNanos how long an update is tried that the table denies
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
            // Sums first, for extremes to wait for.
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

    /** Adds what a cell lacks, before any record is added, from the record at a position that holds it deferred. */
    public void restore(CellKey key, Addition addition, JournalRecord.Span span, long at, long nowNanos) {
        enqueue(cells.add(key, addition.granularity(),
                new Part(span.first(), span.last(), span.claimedMillis(), addition.changes()), at, false, nowNanos));
    }

    /**
     * What buckets lack whose items take no update for some time, and what is deferred already: to be written as the next
     * record, so that those before it count as applied.
     *
     * @param cells all that the record has parts of
     * @param added how many of them are not deferred yet
     */
    record Deferral(List<CellKey> cells, int added, JournalRecord record) {
    }

    /**
     * Gathers what is to be deferred: all cells of an item together, each part as it is, since a late copy of an update may
     * have added some of them.
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

    /** A deferral is written as the next record. */
    public void deferred(Deferral deferral, long at) {
        progress.add(at);
        cells.defer(deferral.cells(), at);
    }

    /**
     * Schedules a cell. An extreme waits for the sums of its item, if they wait too: the answer to their update shows
     * whether it beats what the item has, and most do not.
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
     * Sends the updates that are due, no more than may be under way.
     *
     * @param delayNanos how much longer than usual additions wait; not those that were denied
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
        // Items that do not take their updates leave room for those of others.
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

    /** The sums of an item are sent, and all extremes that wait for them are compared. */
    private List<Change> compare(Cell sums) {
        List<Contender> contending = sums.takeFollowers().stream()
                .map(cell -> new Contender(cell, cell.take().changes().get(0))).toList();
        if (!contending.isEmpty()) {
            compared.put(sums, contending);
        }
        return contending.stream().map(Contender::extreme).toList();
    }

    /** Takes the answer to one of its updates; an answer to any other changes nothing. */
    public void answer(Request.BucketUpdate request, Answer.OfUpdate answer, long nowNanos) {
        Cell cell = cells.get(request.cell());
        if (cell == null || !cell.awaits(request)) {
            return;
        }
        underWay--;
        repeatedUnderWay -= cell.isRepeated() ? 1 : 0;
        if (answer instanceof Answer.NotYet) {
            repeatLater(cell, nowNanos);
            return;
        }
        decide(cell, answer instanceof Answer.DoneBeside beside ? beside.held() : Set.of());
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

    /**
     * Extremes that would have been compared follow the sums once more: each would be a write more to an item that takes none.
     */
    private void repeatLater(Cell cell, long nowNanos) {
        cell.repeatLater(nowNanos);
        repeated.add(cell);
        for (Contender contender : answered(cell)) {
            contender.cell().waitAgain();
            cell.lead(contender.cell());
        }
    }

    /** Extremes that the item already matches or beats count as applied; the others are written on their own. */
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

    /** The next refusal that was not taken yet; its additions stay unapplied until it is settled. */
    @Nullable
    Refusal nextRefusal() {
        return refusals.poll();
    }

    /** Ends a refusal: up to a position its additions are in the item, or safe elsewhere. */
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
     * What contradicts that this lane is ours: an item has a position that no holder up to us can have given it. Either the
     * lane belongs to another writer by now, which will apply the rest; or its item was lost meanwhile, and what was sent would
     * be taken for applied. What was sent to that item stays unapplied here. Empty if there is nothing.
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

    /** Which records of one lane are in their buckets, as a whole and by granularity. Not thread-safe. */
    static final class Progress {

        private final WriteEvery writeEvery;
        private final Map<String, GranularityProgress> tiers = new HashMap<>();
        private long position;

        Progress(long position, WriteEvery writeEvery) {
            this.position = position;
            this.writeEvery = writeEvery;
        }

        /** The next record; {@code at} is one more than the position of the last. */
        void add(long at) {
            if (at != position + 1) {
                throw new IllegalStateException("expected record " + (position + 1) + ", found " + at);
            }
            position = at;
        }

        GranularityProgress tier(String granularity) {
            return tiers.computeIfAbsent(granularity, name -> new GranularityProgress(name, writeEvery));
        }

        /** The position of the last record that was added. */
        public long position() {
            return position;
        }

        /** All records up to this position are in all their buckets, or parked, or the rest of them is in a later record. */
        public long applied() {
            return first(false) - 1;
        }

        /** All records up to this position are in their buckets of granularities that are written promptly. */
        long promptlyApplied() {
            return first(true) - 1;
        }

        private long first(boolean promptOnly) {
            return tiers.values().stream().filter(tier -> !tier.isWhole() && (tier.prompt || !promptOnly))
                    .mapToLong(tier -> tier.cellsByOldest.firstKey()).reduce(position + 1, Math::min);
        }

        /** The granularities that lag. */
        public List<Watermark> watermarks() {
            List<Watermark> watermarks = new ArrayList<>();
            for (GranularityProgress tier : tiers.values()) {
                if (!tier.isWhole()) {
                    watermarks.add(new Watermark(tier.granularity, tier.cellsByOldest.firstKey() - 1,
                            tier.cellsByMillis.firstKey(),
                            BucketKey.startSeconds(tier.cellsBySortKey.firstKey()).orElse(Watermark.ANY_START)));
                }
            }
            return watermarks;
        }

        /** How many records are not wholly applied, those between them included. */
        public int records() {
            return (int) (position - applied());
        }
    }

    /** The cells of one granularity: which lack something, and from which record on. Not thread-safe. */
    static final class GranularityProgress {

        private final String granularity;
        private final long writeEveryNanos;
        private final boolean prompt;
        /** How many cells lack additions from a position on, or from the record on that holds them deferred. */
        private final TreeMap<Long, Integer> cellsByOldest = new TreeMap<>();
        /** How many of those lack additions since a time, in milliseconds since the epoch. */
        private final TreeMap<Long, Integer> cellsByMillis = new TreeMap<>();
        /** How many of those have a sort key; in one granularity, sort keys are in the order of bucket starts. */
        private final TreeMap<String, Integer> cellsBySortKey = new TreeMap<>();

        GranularityProgress(String granularity, WriteEvery writeEvery) {
            this.granularity = granularity;
            this.writeEveryNanos = writeEvery.nanos(granularity);
            this.prompt = writeEvery.isPrompt(granularity);
        }

        long writeEveryNanos() {
            return writeEveryNanos;
        }

        /** What a cell lacks counts from now on. */
        void anchor(Cell cell) {
            cellsByOldest.merge(cell.anchor(), 1, Integer::sum);
            cellsByMillis.merge(cell.oldestMillis(), 1, Integer::sum);
            cellsBySortKey.merge(cell.key().item().sortKey(), 1, Integer::sum);
        }

        /** What a cell lacks does not count any more, as it changes: to be called before. */
        void release(Cell cell) {
            cellsByOldest.computeIfPresent(cell.anchor(), (at, cells) -> cells == 1 ? null : cells - 1);
            cellsByMillis.computeIfPresent(cell.oldestMillis(), (at, cells) -> cells == 1 ? null : cells - 1);
            cellsBySortKey.computeIfPresent(cell.key().item().sortKey(), (key, cells) -> cells == 1 ? null : cells - 1);
        }

        boolean isWhole() {
            return cellsByOldest.isEmpty();
        }
    }

    private record Contender(Cell cell, Change extreme) {
    }

    /** Additions that their item cannot take, of records from the first position to the last. */
    public record Refusal(CellKey key, String granularity, long first, long last, long claimedMillis, List<Change> changes,
            Reason reason, String detail) {
    }
}
