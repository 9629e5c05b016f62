package dev.windrow.writer.journal.apply;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.journal.record.Change;

/**
 * Extremes that are under way with the update of their item's sums, which shows whether they beat what the item has. Not
 * thread-safe.
 */
final class Contenders {

    /** An extreme, and the cell that holds it. */
    record Contender(Cell cell, Change extreme) {
    }

    private final Map<Cell, List<Contender>> bySums = new HashMap<>();
    /** Those that may win, each under way in no request. */
    private final Queue<Contender> mayWin = new ArrayDeque<>();

    /** The sums of an item are sent, and all extremes that wait for them are compared. */
    List<Change> send(Cell sums) {
        List<Cell> followers = sums.takeFollowers();
        if (followers.isEmpty()) {
            return List.of();
        }
        List<Contender> contending = new ArrayList<>(followers.size());
        List<Change> extremes = new ArrayList<>(followers.size());
        for (Cell cell : followers) {
            Change extreme = cell.take().changes().get(0);
            contending.add(new Contender(cell, extreme));
            extremes.add(extreme);
        }
        bySums.put(sums, contending);
        return extremes;
    }

    /** The update of sums was answered. @return the extremes that were compared */
    List<Contender> answered(Cell sums) {
        List<Contender> contending = bySums.remove(sums);
        return contending == null ? List.of() : contending;
    }

    /** An extreme is to be written on its own. */
    void mayWin(Contender contender) {
        mayWin.add(contender);
    }

    /** The next extreme to be written on its own. */
    @Nullable
    Contender next() {
        return mayWin.poll();
    }
}
