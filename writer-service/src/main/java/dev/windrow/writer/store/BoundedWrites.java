package dev.windrow.writer.store;

import java.util.ArrayDeque;
import java.util.Queue;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Bounds how many requests are under way; others wait in order. How many can wait is bounded by the series that are
 * written at a time.
 */
public final class BoundedWrites implements TableWrites {

    private final TableWrites writes;
    private final Queue<UniEmitter<? super Void>> waiting = new ArrayDeque<>();
    private int free;

    public BoundedWrites(TableWrites writes, int most) {
        this.writes = writes;
        this.free = most;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        return Uni.createFrom().<Void> emitter(this::enter)
                .chain(() -> Uni.createFrom().deferred(() -> writes.write(write)).onTermination().invoke(this::leave));
    }

    private void enter(UniEmitter<? super Void> emitter) {
        synchronized (this) {
            if (free == 0) {
                waiting.add(emitter);
                emitter.onTermination(() -> forget(emitter));
                return;
            }
            free--;
        }
        emitter.complete(null);
    }

    private synchronized void forget(UniEmitter<? super Void> emitter) {
        waiting.remove(emitter);
    }

    private void leave() {
        UniEmitter<? super Void> next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                free++;
                return;
            }
        }
        next.complete(null);
    }
}
