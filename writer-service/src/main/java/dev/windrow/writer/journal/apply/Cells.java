package dev.windrow.writer.journal.apply;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.record.Change;

/** The cells of one lane: what its buckets lack, and the memory for it. Not thread-safe. */
public final class Cells {

    /** Estimated heap size of a cell with a short label and few measures. */
    public static final int USUAL_CELL_BYTES = 2_048;

    private final Map<CellKey, Cell> cells = new HashMap<>();
    private final Progress progress;
    private long heapBytes;

    Cells(Progress progress) {
        this.progress = progress;
    }

    @Nullable
    Cell get(CellKey key) {
        return cells.get(key);
    }

    /**
     * Adds what the latest record adds to a cell.
     *
     * @param merge whether what waits in the cell may become one part
     * @return the cell if it lacked nothing before, so that it is not scheduled yet; else null
     */
    @Nullable
    Cell add(CellKey key, String granularity, List<Change> changes, boolean merge, long nowNanos) {
        Cell known = cells.get(key);
        Cell cell = known == null ? create(key, granularity) : known;
        long before = known == null ? 0 : known.heapBytes();
        cell.add(new Part(progress.position(), progress.position(), changes), merge, nowNanos);
        heapBytes += cell.heapBytes() - before;
        return known == null ? cell : null;
    }

    private Cell create(CellKey key, String granularity) {
        Cell cell = new Cell(key, progress.tier(granularity));
        cells.put(key, cell);
        cell.tier().anchor(progress.position(), key.item().sortKey());
        return cell;
    }

    /**
     * What is under way of a cell is applied up to a position; a cell that lacks nothing more is removed.
     *
     * @return false, with nothing changed, if a part was applied only in part
     */
    boolean settle(Cell cell, long upTo) {
        long oldest = cell.oldest();
        long before = cell.heapBytes();
        if (!cell.settle(upTo)) {
            return false;
        }
        heapBytes += (cell.isWaiting() ? cell.heapBytes() : 0) - before;
        String sortKey = cell.key().item().sortKey();
        cell.tier().release(oldest, sortKey);
        if (cell.isWaiting()) {
            cell.tier().anchor(cell.oldest(), sortKey);
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
