package dev.windrow.bench.partition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The last applied writes, at most as many as asked for. Safe to read from other threads. */
public final class AuditLog {

    private final int most;
    private final Deque<AuditEntry> entries = new ArrayDeque<>();

    /** @param most entries kept; the oldest go first; 0 keeps none */
    public AuditLog(int most) {
        this.most = most;
    }

    /** Adds what was applied. */
    public synchronized void add(AuditEntry entry) {
        if (most == 0) {
            return;
        }
        if (entries.size() == most) {
            entries.removeFirst();
        }
        entries.addLast(entry);
    }

    /** What is kept, the oldest first. */
    public synchronized List<AuditEntry> entries() {
        return new ArrayList<>(entries);
    }

    /** Forgets everything. */
    public synchronized void clear() {
        entries.clear();
    }
}
