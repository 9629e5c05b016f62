package dev.windrow.local;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/** Closes what was opened, in reverse order, each once, and all of it even when some fail to close. */
final class Cleanup implements AutoCloseable {

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    synchronized <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public void close() {
        RuntimeException failure = closeAll();
        if (failure != null) {
            throw failure;
        }
    }

    /** Closes because of a failure, to which those of closing are added. */
    void closeAfter(Throwable cause) {
        RuntimeException failure = closeAll();
        if (failure != null) {
            cause.addSuppressed(failure);
        }
    }

    private synchronized @Nullable RuntimeException closeAll() {
        RuntimeException all = null;
        while (!opened.isEmpty()) {
            AutoCloseable resource = opened.pop();
            try {
                resource.close();
            } catch (Exception failure) {
                if (all == null) {
                    all = new IllegalStateException("could not stop all of the embedded servers");
                }
                all.addSuppressed(failure);
            }
        }
        return all;
    }
}
