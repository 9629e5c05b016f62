package dev.windrow.writer.journal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.BucketKey;
import dev.windrow.table.Watermark;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.CellKey;
import dev.windrow.writer.record.Change;

/** The cells of one lane that lack additions, and the memory for these. Not thread-safe. */
public final class Cells {

    /** Estimated heap size of a cell with a short label and few measures. */
    public static final int USUAL_CELL_BYTES = 2_048;

    private final Map<CellKey, Cell> cells = new HashMap<>();
    private final Progress progress;
    private long heapBytes;
    private int deferred;

    Cells(Progress progress) {
        this.progress = progress;
    }

    @Nullable
    Cell get(CellKey key) {
        return cells.get(key);
    }

    /**
     * Adds a part to a cell, as its latest.
     *
     * @param deferredAt position of the record of deferred additions that holds the part; 0 if none does
     * @param merge whether waiting parts of the cell may be merged
     * @return the cell if it lacked nothing before, and so is not scheduled yet; else null
     */
    @Nullable
    Cell add(CellKey key, String granularity, Part part, long deferredAt, boolean merge, long nowNanos) {
        Cell known = cells.get(key);
        Cell cell = known == null ? new Cell(key, progress.tier(granularity)) : known;
        long before = known == null ? 0 : known.heapBytes();
        cell.add(part, merge, nowNanos);
        heapBytes += cell.heapBytes() - before;
        if (known != null) {
            return null;
        }
        cells.put(key, cell);
        cell.defer(deferredAt);
        anchor(cell);
        return cell;
    }

    private void anchor(Cell cell) {
        cell.tier().anchor(cell);
        deferred += cell.isDeferred() ? 1 : 0;
    }

    private void release(Cell cell) {
        cell.tier().release(cell);
        deferred -= cell.isDeferred() ? 1 : 0;
    }

    /** Marks cells as deferred to the record at this position, which holds all they lack. Skips cells that lack nothing now. */
    void defer(Collection<CellKey> keys, long position) {
        for (CellKey key : keys) {
            Cell cell = cells.get(key);
            if (cell != null) {
                release(cell);
                cell.defer(position);
                anchor(cell);
            }
        }
    }

    public int deferred() {
        return deferred;
    }

    /** Returns the cells to defer, by item: items with deferred cells first, then those with overdue ones. */
    Map<BucketItem, List<Cell>> overdue(long nowNanos, long afterNanos) {
        Map<BucketItem, List<Cell>> overdue = new LinkedHashMap<>();
        for (boolean old : new boolean[] { true, false }) {
            for (Cell cell : cells.values()) {
                if (old ? cell.isDeferred() : cell.isOverdue(nowNanos, afterNanos)) {
                    overdue.computeIfAbsent(cell.key().item(), item -> new ArrayList<>());
                }
            }
        }
        if (!overdue.isEmpty()) {
            cells.values().forEach(cell -> overdue.getOrDefault(cell.key().item(), new ArrayList<>()).add(cell));
        }
        return overdue;
    }

    /** Marks the in-flight parts of a cell as applied up to a position. False, and nothing changes, if it is within a part. */
    boolean settle(Cell cell, long upTo) {
        long before = cell.heapBytes();
        release(cell);
        if (!cell.settle(upTo)) {
            anchor(cell);
            return false;
        }
        heapBytes += (cell.isWaiting() ? cell.heapBytes() : 0) - before;
        if (cell.isWaiting()) {
            anchor(cell);
        } else {
            cells.remove(cell.key());
        }
        return true;
    }

    public long heapBytes() {
        return heapBytes;
    }

    /** Returns the number of cells or, if that is more, the number of cells of usual size that would take as much memory. */
    public int load() {
        return (int) Math.max(cells.size(), heapBytes / USUAL_CELL_BYTES);
    }

    public int size() {
        return cells.size();
    }

    /**
     * The additions that an item's sums, or one of its extremes, still lack. Waiting parts are sent only once everything sent
     * before is known to be applied: an item with a later position rejects earlier ones permanently. Not thread-safe.
     */
    static final class Cell {

        /** The first pause of a denied update is the time for which it is tried, divided by this; later pauses are longer. */
        private static final int DENIED_TRIES = 50;

        private static final long FIRST_PAUSE_NANOS = 50_000_000;
        private static final long MAX_PAUSE_NANOS = 2_000_000_000;
        private static final int MAX_DOUBLINGS = 6;
        /** A prime, so that the pauses of one cell differ, too. */
        private static final long SPREAD = 611_953_091;

        /** A cell, its request, and its entries in maps and queues. */
        private static final long CELL_BYTES = 400;
        /** A change of a part, with its number. */
        private static final long CHANGE_BYTES = 160;

        private final CellKey key;
        private final GranularityProgress tier;
        private long dueNanos;
        private long waitingSinceNanos;
        private List<Part> waiting = new ArrayList<>(1);
        private List<Part> underWay = List.of();
        private Request.@Nullable BucketUpdate request;
        /** Number of waiting parts that were sent before. Any may still be applied late, so they must stay separable. */
        private int sentBefore;
        private int changes;
        /** Extremes of the same item, to be compared with the item's own when its sums are next written. */
        private List<Cell> followers = List.of();
        private boolean denied;
        private long deniedSinceNanos;
        /** How often an update was repeated because its item did not take it. */
        private int repeats;
        /** When the first update that is not settled was sent, if {@code untaken}. */
        private long untakenSinceNanos;
        private boolean untaken;
        /** The position of the record of deferred additions that holds its earlier parts; 0 if there is none. */
        private long deferredAt;

        Cell(CellKey key, GranularityProgress tier) {
            this.key = key;
            this.tier = tier;
        }

        CellKey key() {
            return key;
        }

        GranularityProgress tier() {
            return tier;
        }

        long dueNanos() {
            return dueNanos;
        }

        long heapBytes() {
            return CELL_BYTES + key.item().heapBytes() + (long) (waiting.size() + underWay.size()) * changes * CHANGE_BYTES;
        }

        boolean isUnderWay() {
            return !underWay.isEmpty();
        }

        boolean isWaiting() {
            return !waiting.isEmpty();
        }

        boolean awaits(Request.BucketUpdate answered) {
            return request == answered;
        }

        void add(Part part, boolean merge, long nowNanos) {
            if (waiting.isEmpty()) {
                waitingSinceNanos = nowNanos;
            }
            changes = Math.max(changes, part.changes().size());
            int last = waiting.size() - 1;
            if (merge && last >= sentBefore && waiting.get(last).fitsWith(part)) {
                Part merged = waiting.get(last).with(part);
                waiting.set(last, merged);
                changes = Math.max(changes, merged.changes().size());
            } else {
                waiting.add(part);
            }
        }

        /** Makes an extreme wait for the next write of these sums. */
        void lead(Cell extreme) {
            if (followers.isEmpty()) {
                followers = new ArrayList<>(2);
            }
            followers.add(extreme);
        }

        List<Cell> takeFollowers() {
            List<Cell> taken = followers;
            followers = List.of();
            return taken;
        }

        boolean isDenied() {
            return denied;
        }

        void schedule() {
            dueNanos = waitingSinceNanos + tier.writeEveryNanos();
        }

        /**
         * Takes as many waiting parts as one update can add. If some were sent before, takes only those: sent parts stay
         * separable, so repeating them together with more would make ever more parts separable.
         */
        Part take() {
            Part sum = waiting.get(0);
            int parts = 1;
            int most = sentBefore == 0 ? waiting.size() : sentBefore;
            while (parts < most && sum.fitsWith(waiting.get(parts))) {
                sum = sum.with(waiting.get(parts));
                parts++;
            }
            underWay = new ArrayList<>(waiting.subList(0, parts));
            waiting = new ArrayList<>(waiting.subList(parts, waiting.size()));
            sentBefore = Math.max(0, sentBefore - parts);
            return sum;
        }

        void await(Request.BucketUpdate sent, long nowNanos) {
            request = sent;
            if (!untaken) {
                untaken = true;
                untakenSinceNanos = nowNanos;
            }
        }

        /** Whether its item has not taken an update for {@code afterNanos}. */
        boolean isOverdue(long nowNanos, long afterNanos) {
            return untaken && nowNanos - untakenSinceNanos >= afterNanos;
        }

        /** Returns all parts that it lacks, in order. */
        List<Part> parts() {
            List<Part> parts = new ArrayList<>(underWay);
            parts.addAll(waiting);
            return parts;
        }

        /** Notes that the record at a position also holds everything it lacks of earlier records. */
        void defer(long position) {
            deferredAt = position;
        }

        boolean isDeferred() {
            return oldest() < deferredAt;
        }

        /** Returns the position from which on the lane's records hold everything it lacks. It must lack something. */
        long anchor() {
            return Math.max(oldest(), deferredAt);
        }

        /** Returns when the oldest addition that it lacks was claimed. It must lack something. */
        long oldestMillis() {
            return (isUnderWay() ? underWay : waiting).get(0).claimedMillis();
        }

        /** Makes a denied update wait again, twice as long. False if it was tried for the maximum time. */
        boolean postpone(long nowNanos, long maxNanos) {
            if (!denied) {
                denied = true;
                deniedSinceNanos = nowNanos;
            }
            long tried = nowNanos - deniedSinceNanos;
            if (tried >= maxNanos) {
                return false;
            }
            waitAgain();
            dueNanos = nowNanos + Math.max(maxNanos / DENIED_TRIES, tried);
            return true;
        }

        /** Makes the parts in flight wait again, unmerged. */
        void waitAgain() {
            List<Part> all = parts();
            sentBefore += underWay.size();
            waiting = all;
            underWay = List.of();
            request = null;
        }

        /** Makes an update that its item did not take wait again, each time twice as long, with jitter. */
        void repeatLater(long nowNanos) {
            waitAgain();
            long pause = Math.min(MAX_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(repeats, MAX_DOUBLINGS));
            repeats++;
            dueNanos = nowNanos + pause / 2 + Math.floorMod(key.hash() + repeats * SPREAD, pause / 2);
        }

        /** Whether its update was repeated, or is about to be. */
        boolean isRepeated() {
            return repeats > 0;
        }

        /** Marks the parts in flight as applied up to a position; the rest waits again. False if that is within a part. */
        boolean settle(long position) {
            List<Part> rest = new ArrayList<>();
            for (Part part : underWay) {
                if (part.last() > position) {
                    rest.add(part);
                }
            }
            if (!rest.isEmpty() && rest.get(0).first() <= position) {
                return false;
            }
            denied = false;
            untaken = false;
            repeats = 0;
            underWay = List.of();
            request = null;
            sentBefore += rest.size();
            rest.addAll(waiting);
            waiting = rest;
            return true;
        }

        /** Returns the position of the newest addition in flight. There must be one. */
        long newestUnderWay() {
            return underWay.get(underWay.size() - 1).last();
        }

        /** Returns the position of the oldest addition that it lacks. It must lack something. */
        long oldest() {
            return isUnderWay() ? underWay.get(0).first() : waiting.get(0).first();
        }
    }

    /**
     * The additions of consecutive records of a lane to a cell.
     *
     * @param first the position of the first record that adds to it
     * @param last the position of the last such record
     * @param claimedMillis when the first was claimed
     * @param changes at most one of each measure
     */
    record Part(long first, long last, long claimedMillis, List<Change> changes) {

        /** Whether both can be merged into sums that DynamoDB can hold. */
        boolean fitsWith(Part later) {
            return Change.fit(changes, later.changes);
        }

        Part with(Part later) {
            return new Part(first, later.last, claimedMillis, Change.merged(changes, later.changes));
        }
    }

    /** The progress of one lane: which records are in their buckets, in total and by granularity. Not thread-safe. */
    static final class Progress {

        private final WriteEvery writeEvery;
        private final Map<String, GranularityProgress> tiers = new HashMap<>();
        private long position;

        Progress(long position, WriteEvery writeEvery) {
            this.position = position;
            this.writeEvery = writeEvery;
        }

        /** Adds the next record; {@code at} is one more than the position of the last. */
        void add(long at) {
            if (at != position + 1) {
                throw new IllegalStateException("expected record " + (position + 1) + ", found " + at);
            }
            position = at;
        }

        GranularityProgress tier(String granularity) {
            return tiers.computeIfAbsent(granularity, name -> new GranularityProgress(name, writeEvery));
        }

        public long position() {
            return position;
        }

        /** All records up to this position are in all their buckets, parked, or deferred to a later record. */
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

        /** Returns the watermarks of the granularities that lag. */
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

        /** Returns the number of records from the first that is not wholly applied to the last. */
        public int records() {
            return (int) (position - applied());
        }
    }

    /** Counts the cells of one granularity that lack something. Not thread-safe. */
    static final class GranularityProgress {

        final String granularity;
        private final long writeEveryNanos;
        private final boolean prompt;
        /** Number of cells by anchor: the first position that they lack, or that of the record that holds it deferred. */
        private final TreeMap<Long, Integer> cellsByOldest = new TreeMap<>();
        /** Number of cells by when the oldest addition that they lack was claimed, in milliseconds since the epoch. */
        private final TreeMap<Long, Integer> cellsByMillis = new TreeMap<>();
        /** Number of cells by sort key; within a granularity, sort keys are in the order of bucket starts. */
        private final TreeMap<String, Integer> cellsBySortKey = new TreeMap<>();

        GranularityProgress(String granularity, WriteEvery writeEvery) {
            this.granularity = granularity;
            this.writeEveryNanos = writeEvery.nanos(granularity);
            this.prompt = writeEvery.isPrompt(granularity);
        }

        long writeEveryNanos() {
            return writeEveryNanos;
        }

        /** Starts to count a cell. */
        void anchor(Cell cell) {
            cellsByOldest.merge(cell.anchor(), 1, Integer::sum);
            cellsByMillis.merge(cell.oldestMillis(), 1, Integer::sum);
            cellsBySortKey.merge(cell.key().item().sortKey(), 1, Integer::sum);
        }

        /** Stops counting a cell; called before what it lacks changes. */
        void release(Cell cell) {
            cellsByOldest.computeIfPresent(cell.anchor(), (at, cells) -> cells == 1 ? null : cells - 1);
            cellsByMillis.computeIfPresent(cell.oldestMillis(), (at, cells) -> cells == 1 ? null : cells - 1);
            cellsBySortKey.computeIfPresent(cell.key().item().sortKey(), (key, cells) -> cells == 1 ? null : cells - 1);
        }

        boolean isWhole() {
            return cellsByOldest.isEmpty();
        }
    }
}
