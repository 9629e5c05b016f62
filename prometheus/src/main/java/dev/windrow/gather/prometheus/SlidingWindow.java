package dev.windrow.gather.prometheus;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;

/**
 * Combines the latest values as a window moves on, in constant time per value for every kind of measure. It is a queue of
 * two stacks that keep the combinations of their values.
 */
final class SlidingWindow {

    private final MeasureKind kind;
    /** The newer values, and the combination of all of them. */
    private final Deque<MeasureValue> newer = new ArrayDeque<>();
    private @Nullable MeasureValue newerCombined;
    /** The older values, oldest on top, each combined with those below it. */
    private final Deque<MeasureValue> olderCombined = new ArrayDeque<>();

    SlidingWindow(MeasureKind kind) {
        this.kind = kind;
    }

    void add(MeasureValue value) {
        newer.push(value);
        newerCombined = newerCombined == null ? value : kind.combine(newerCombined, value);
    }

    void removeOldest() {
        if (olderCombined.isEmpty()) {
            MeasureValue below = null;
            while (!newer.isEmpty()) {
                MeasureValue value = newer.pop();
                below = below == null ? value : kind.combine(value, below);
                olderCombined.push(below);
            }
            newerCombined = null;
        }
        olderCombined.pop();
    }

    /** Returns the combination of everything in the window; null if it is empty. */
    @Nullable
    MeasureValue combined() {
        MeasureValue older = olderCombined.peek();
        MeasureValue recent = newerCombined;
        return older == null ? recent : recent == null ? older : kind.combine(older, recent);
    }
}
