package dev.windrow.writer.table;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteResult;
import io.smallrye.mutiny.Uni;

/** A table that fails a few times before it takes writes. */
final class FakeWrites implements TableWrites {

    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private int calls;

    /** Fails with these, in order, then succeeds. */
    static FakeWrites failing(RuntimeException... failures) {
        FakeWrites fake = new FakeWrites();
        fake.failures.addAll(List.of(failures));
        return fake;
    }

    @Override
    public synchronized Uni<WriteResult> write(TableWrite write) {
        calls++;
        RuntimeException failure = failures.poll();
        return failure == null ? Uni.createFrom().item(new WriteResult(1, Map.of(), Map.of()))
                : Uni.createFrom().failure(failure);
    }

    synchronized int calls() {
        return calls;
    }
}
