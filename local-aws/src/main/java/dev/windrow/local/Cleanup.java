package dev.windrow.local;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes resources in reverse order of opening, each once, and all of them even if some fail to close. */
final class Cleanup {

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    synchronized <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    synchronized void close() {
        RuntimeException all = new IllegalStateException("could not stop all of the embedded servers");
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception failure) {
                all.addSuppressed(failure);
            }
        }
        if (all.getSuppressed().length > 0) {
            throw all;
        }
    }
}
