package dev.windrow.writer.journal.apply;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.record.BucketItem;

/** The cells of one lane: what its buckets lack, and the memory for it. Not thread-safe. */
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
     * Adds a part to a cell, the latest.
     *
     * @param deferredAt the position of the record that the part was read from although it is of earlier ones; else 0
     * @param merge whether what waits in the cell may become one part
     * @return the cell if it lacked nothing before, so that it is not scheduled yet; else null
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

    /** What cells lack is in the record at a position now, all of it; those that lack nothing any more are left out. */
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

    /** How many cells lack additions that are deferred. */
    public int deferred() {
        return deferred;
    }

    /** By item, those that lack something: deferred ones first, then those that are overdue. */
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

    /**
     * What is under way of a cell is applied up to a position; a cell that lacks nothing more is removed.
     *
     * @return false, with nothing changed, if a part was applied only in part
     */
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

    /** The hashes of all cells that lack something up to a position, in order as unsigned numbers. */
    public long[] lacking(long upTo) {
        long[] hashes = cells.values().stream().filter(cell -> cell.oldest() <= upTo)
                .mapToLong(cell -> cell.key().hash() ^ Long.MIN_VALUE).sorted().toArray();
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] ^= Long.MIN_VALUE;
        }
        return hashes;
    }

    /** Estimated heap size, in bytes. */
    public long heapBytes() {
        return heapBytes;
    }

    /** How many cells lack something or, if that is more, how many of usual size would take as much memory. */
    public int load() {
        return (int) Math.max(cells.size(), heapBytes / USUAL_CELL_BYTES);
    }

    /** How many cells lack something. */
    public int size() {
        return cells.size();
    }
}
