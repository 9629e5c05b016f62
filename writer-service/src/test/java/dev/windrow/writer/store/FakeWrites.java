package dev.windrow.writer.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/** A table whose answers are prepared, or given when the test says so. */
final class FakeWrites implements TableWrites {

    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private final List<UniEmitter<? super WriteResult>> open = new ArrayList<>();
    private final boolean manual;
    private int calls;

    private FakeWrites(boolean manual) {
        this.manual = manual;
    }

    /** Fails with these, in order, then succeeds. */
    static FakeWrites failing(RuntimeException... failures) {
        FakeWrites fake = new FakeWrites(false);
        fake.failures.addAll(List.of(failures));
        return fake;
    }

    /** Answers when told to. */
    static FakeWrites manual() {
        return new FakeWrites(true);
    }

    @Override
    public synchronized Uni<WriteResult> write(TableWrite write) {
        calls++;
        if (manual) {
            return Uni.createFrom().emitter(emitter -> {
                synchronized (this) {
                    open.add(emitter);
                }
            });
        }
        RuntimeException failure = failures.poll();
        return failure == null ? Uni.createFrom().item(new WriteResult(1)) : Uni.createFrom().failure(failure);
    }

    synchronized int calls() {
        return calls;
    }

    synchronized int open() {
        return open.size();
    }

    void answerFirst() {
        UniEmitter<? super WriteResult> first;
        synchronized (this) {
            first = open.remove(0);
        }
        first.complete(new WriteResult(1));
    }
}
